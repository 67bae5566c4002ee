import { afterEach, beforeEach, expect, test } from 'vitest';
import { openScratch, type Scratch } from '../../server/test/scratch.ts';
import { type Database, openDatabase } from './database.ts';

let scratch: Scratch;
let database: Database;
beforeEach(async () => {
  scratch = await openScratch();
  database = await openDatabase(scratch.url);
});
afterEach(async () => {
  await database.close();
  await scratch.close();
});

const run = (statement: string) => scratch.executor.executeSql(statement);

test('a database connection of the auditor is read-only even for the database owner', async () => {
  await expect(database.query('delete from cases')).rejects.toThrow('read-only transaction');
});

test('the auditor retries a query cancelled by a replication conflict, but not one with an SQL error', async () => {
  // Fails like a query that a replica cancels for a recovery conflict, and succeeds after a second.
  await run(`
    create function cancelled_until(moment timestamptz) returns text language plpgsql as $$
    begin
      if clock_timestamp() < moment then
        raise exception 'conflict with recovery' using errcode = '40001';
      end if;
      return 'answered';
    end
    $$`);
  const inASecond = new Date(Date.now() + 1_000).toISOString();
  expect(await database.query('select cancelled_until($1)', [inASecond])).toEqual([['answered']]);
  await expect(database.query('select 1 / 0')).rejects.toThrow('division by zero');
});

test('a database connection of the auditor holds no transaction open and so sees rows committed after it was opened', async () => {
  expect(await database.query('select count(*) from cases')).toEqual([['0']]);
  await run(
    `insert into cases (id, kind, subject, details) values (gen_random_uuid(), 'k', 's', '{}')`,
  );
  expect(await database.query('select count(*) from cases')).toEqual([['1']]);
  const open = `
    select state from pg_stat_activity
    where application_name = 'pointgate-audit' and datname = current_database()
      and pid <> pg_backend_pid() and xact_start is not null`;
  expect(await database.query(open)).toEqual([]);
});
