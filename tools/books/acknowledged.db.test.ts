import pg from 'pg';
import { expect, test } from 'vitest';
import { cloneDatabase } from '../../server/test/database.ts';
import { compareEvents } from './acknowledged.ts';
import { openSnapshot } from './snapshot.ts';
import { startProvider } from './test/told-provider.ts';

test('an event that came after the snapshot is not missed, one that never came is', async () => {
  const { url, drop } = await cloneDatabase();
  const snapshot = await openSnapshot(url);
  const shop = new pg.Client({ connectionString: url });
  await shop.connect();
  const provider = await startProvider(['evt_late', 'evt_lost']);
  try {
    await shop.query(
      `insert into provider_inbox (psp, event_id, raw_body, signature)
       values ('stripe', 'evt_late', '', ''), ('paypal', 'evt_lost', '', '')`,
    );
    expect(await compareEvents(snapshot, { psp: 'stripe', url: provider.url })).toEqual({
      checked: 2,
      violations: ['event evt_lost was acknowledged and is not here'],
    });
  } finally {
    provider.stop();
    await shop.end();
    await snapshot.close();
    await drop();
  }
});
