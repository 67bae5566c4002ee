import { expect, test } from 'vitest';
import { cloneDatabase } from '../../server/test/database.ts';
import { requireEmptyDatabase } from './given-database.ts';

test('a demo shop is refused in a database that is not empty', async () => {
  const database = await cloneDatabase();
  await expect(requireEmptyDatabase(database.url)).rejects.toThrow('is not empty');
  await database.drop();
});

test('a demo shop is accepted in an empty database', async () => {
  const database = await cloneDatabase();
  // The maintenance database, which every server has, is empty.
  await expect(
    requireEmptyDatabase(database.url.replace(/[^/]+$/, 'postgres')),
  ).resolves.toBeUndefined();
  await database.drop();
});
