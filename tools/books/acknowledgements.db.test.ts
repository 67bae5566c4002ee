import pg from 'pg';
import { expect, test } from 'vitest';
import { openDatabase } from '../../auditor/src/database.ts';
import { cloneDatabase } from '../../server/test/database.ts';
import { compareEvents } from './acknowledgements.ts';
import { startProviderStub } from './test/provider-stub.ts';

test('the audit finds a webhook event that the shop acknowledged to the provider but did not store, and only that event', async () => {
  const { url, drop } = await cloneDatabase();
  const { query, close } = await openDatabase(url);
  const shop = new pg.Client({ connectionString: url });
  await shop.connect();
  const provider = await startProviderStub(['evt_late', 'evt_lost']);
  try {
    await shop.query(
      `insert into provider_inbox (psp, event_id, raw_body, signature)
       values ('stripe', 'evt_late', '', ''), ('paypal', 'evt_lost', '', '')`,
    );
    expect(await compareEvents(query, { psp: 'stripe', url: provider.url })).toEqual({
      checked: 2,
      violations: ['event evt_lost was acknowledged and is not here'],
    });
  } finally {
    provider.stop();
    await shop.end();
    await close();
    await drop();
  }
});
