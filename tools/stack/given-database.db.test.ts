import { expect, test } from 'vitest';
import { cloneDatabase } from '../../server/test/database.ts';
import { requireEmptyDatabase } from './given-database.ts';

test('the check before the start of a demo shop rejects a database that is not empty', async () => {
  const database = await cloneDatabase();
  await expect(requireEmptyDatabase(database.url)).rejects.toThrow('is not empty');
  await database.drop();
});

test('the check before the start of a demo shop accepts an empty database', async () => {
  const database = await cloneDatabase();
  // The maintenance database, which every server has, is empty.
  await expect(
    requireEmptyDatabase(database.url.replace(/[^/]+$/, 'postgres')),
  ).resolves.toBeUndefined();
  await database.drop();
});
