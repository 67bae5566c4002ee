import pg from 'pg';
import { expect, test } from 'vitest';
import { cloneDatabase } from './database.ts';

test('a table created in one copy of the test database does not appear in another copy', async () => {
  const [one, other] = [await cloneDatabase(), await cloneDatabase()];

  await query(one.url, 'create table notes as select 1 as id');

  expect(await query(one.url, 'select id from notes')).toEqual([{ id: 1 }]);
  await expect(query(other.url, 'select id from notes')).rejects.toThrow('does not exist');
  await Promise.all([one.drop(), other.drop()]);
});

test('a copy of the test database is dropped even while a connection to it is open', async () => {
  const database = await cloneDatabase();
  const client = new pg.Client({ connectionString: database.url });
  client.on('error', () => {}); // The server ends the connection; that is what is tested.
  await client.connect();

  await database.drop();

  await expect(query(database.url, 'select 1')).rejects.toThrow('does not exist');
});

async function query(url: string, text: string): Promise<unknown[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}
