import { expect, test } from 'vitest';
import { cloneDatabase } from '../../server/test/database.ts';
import { checkRules, rules } from './rules.ts';
import { openSnapshot } from './snapshot.ts';

test('the rules are written here as PostgreSQL writes those of the tables', async () => {
  const { url, drop } = await cloneDatabase();
  const snapshot = await openSnapshot(url);
  try {
    expect(await checkRules(snapshot)).toEqual([]);
    expect(rules).toHaveLength(2);
  } finally {
    await snapshot.close();
    await drop();
  }
});
