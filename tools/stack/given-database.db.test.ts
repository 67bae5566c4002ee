import { expect, test } from 'vitest';
import { cloneDatabase } from '../../server/test/database.ts';
import { requireEmptyDatabase } from './given-database.ts';

test('a demo is not opened in a database that has something in it', async () => {
  const database = await cloneDatabase();
  await expect(requireEmptyDatabase(database.url)).rejects.toThrow('is not empty');
  await database.drop();
});

test('an empty database may be given to a demo', async () => {
  const database = await cloneDatabase();
  // Nobody has written to the maintenance database, which every server has.
  await expect(
    requireEmptyDatabase(database.url.replace(/[^/]+$/, 'postgres')),
  ).resolves.toBeUndefined();
  await database.drop();
});
