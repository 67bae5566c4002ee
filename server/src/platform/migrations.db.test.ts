import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openScratch, type Scratch, writeNote } from '../../test/scratch.ts';
import { eventually } from '../../test/shop.ts';
import { openSession } from './connections.ts';
import { sql } from './db.ts';
import { log } from './log.ts';
import { migrate } from './migrations.ts';

let scratch: Scratch;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
});
afterAll(() => scratch.close());

const connection = () => ({ url: scratch.url, applicationName: 'migrate' });
const run = ({ url }: { url: URL }) => migrate(connection(), url);

/** A folder for migration files. */
function givenFolder() {
  const path = mkdtempSync(join(tmpdir(), 'pointgate-test-'));
  return {
    url: pathToFileURL(`${path}/`),
    write: (name: string, text: string) => writeFileSync(join(path, name), text),
  };
}

const applied = async (pattern: string) => {
  const rows = await scratch.db.many(
    z.object({ name: z.string() }),
    sql`select name from schema_migrations where name like ${pattern} order by applied_at, name`,
  );
  return rows.map(({ name }) => name);
};

test('migration files run once, in the order of their numbers, with several statements each', async () => {
  const folder = givenFolder();
  folder.write(
    'a2_fill.sql',
    `insert into steps values ('second'); insert into steps values ('third');`,
  );
  folder.write('a1_make.sql', 'create table steps (step text primary key);');
  folder.write('notes.txt', 'not a migration');
  await run(folder);
  await run(folder);
  expect(await applied('a%')).toEqual(['a1_make.sql', 'a2_fill.sql']);
  const steps = await scratch.db.many(z.object({ step: z.string() }), sql`select * from steps`);
  expect(steps).toEqual([{ step: 'second' }, { step: 'third' }]);

  folder.write('a3_more.sql', `insert into steps values ('fourth')`);
  await run(folder);
  expect(await applied('a%')).toEqual(['a1_make.sql', 'a2_fill.sql', 'a3_more.sql']);
});

test('a migration file that was edited after it ran is refused, and no later file runs', async () => {
  const folder = givenFolder();
  folder.write('b1_make.sql', 'create table b (id int)');
  await run(folder);
  folder.write('b1_make.sql', 'create table b (id bigint)');
  folder.write('b2_more.sql', 'create table b_more (id int)');
  await expect(run(folder)).rejects.toThrow('b1_make.sql was edited');
  expect(await applied('b%')).toEqual(['b1_make.sql']);
});

test('a migration file that fails is rolled back and runs again when it is corrected', async () => {
  const folder = givenFolder();
  folder.write('c1_broken.sql', 'create table c (id int); insert into c values (1), (1/0)');
  await expect(run(folder)).rejects.toThrow('division by zero');
  expect(await applied('c%')).toEqual([]);
  folder.write('c1_broken.sql', 'create table c (id int); insert into c values (1)');
  await run(folder);
  expect(await applied('c%')).toEqual(['c1_broken.sql']);
});

test('concurrent migrations run each file once, even without a schema_migrations table', async () => {
  const folder = givenFolder();
  folder.write('d1_make.sql', 'create table d (id int)');
  folder.write('d2_fill.sql', 'insert into d values (1)');
  await scratch.executor.executeSql('drop table schema_migrations');
  await Promise.all([1, 2, 3, 4].map(() => run(folder)));
  expect(await applied('d%')).toEqual(['d1_make.sql', 'd2_fill.sql']);
  expect(await scratch.db.many(z.object({ id: z.int() }), sql`select id from d`)).toHaveLength(1);
});

test('a database migration that waits for a table lock retries, without blocking later queries meanwhile', async () => {
  const folder = givenFolder();
  folder.write('e1_column.sql', 'alter table notes add column e int');
  const reader = await openSession(connection());
  await reader.execute('begin; select from notes');
  const migrated = run(folder);
  await eventually(async () => (await waitingFor('alter table notes')) > 0);
  // Later statements wait behind the migration only briefly, although the reader still holds its
  // lock.
  await scratch.db.transaction((tx) => writeNote(tx, 'meanwhile'));
  expect(await applied('e%')).toEqual([]);
  await reader.close();
  await migrated;
  expect(await applied('e%')).toEqual(['e1_column.sql']);
});

describe('online migrations', () => {
  test('an online migration runs each statement outside a transaction, as CREATE INDEX CONCURRENTLY requires', async () => {
    const folder = givenFolder();
    folder.write(
      'f1_index.online.sql',
      'create index concurrently f on notes (amount)\n-- next\nalter table notes add column f int',
    );
    await run(folder);
    await run(folder);
    expect(await applied('f%')).toEqual(['f1_index.online.sql']);
  });

  test('an online migration resumes at the failed step and rebuilds an invalid index', async () => {
    const folder = givenFolder();
    const index = 'create unique index concurrently g on notes ((amount % 2))';
    folder.write('g1.online.sql', `create table g_first (id int)\n-- next\n${index}`);
    await scratch.db.transaction(async (tx) => {
      await writeNote(tx, 'one', 1n);
      await writeNote(tx, 'three', 3n);
    });
    await expect(run(folder)).rejects.toThrow('could not create unique index');
    expect(await applied('g%')).toEqual([]);
    await scratch.executor.executeSql(`delete from notes`);
    await run(folder);
    expect(await applied('g%')).toEqual(['g1.online.sql']);
    const { rows } = await scratch.executor.executeSql(
      `select indisvalid from pg_index where indexrelid = 'g'::regclass`,
    );
    expect(rows).toEqual([{ indisvalid: true }]);
  });

  test('an online migration is refused when one of its steps was edited after it ran', async () => {
    const folder = givenFolder();
    folder.write('h1.online.sql', 'create table h (id int)\n-- next\nselect 1 / 0');
    await expect(run(folder)).rejects.toThrow('division by zero');
    folder.write('h1.online.sql', 'create table h (id bigint)\n-- next\nselect 1');
    await expect(run(folder)).rejects.toThrow('step 1 of h1.online.sql was edited');
  });
});

test('a database migration in batches is repeated and committed batch by batch until no rows are left to change', async () => {
  const folder = givenFolder();
  await scratch.executor.executeSql(`
    create table i (id int primary key, is_done boolean not null default false);
    insert into i select generate_series(1, 25);
    create table i_commits (id xid8 default pg_current_xact_id(), rows int)`);
  folder.write(
    'i1_fill.batch.sql',
    `with batch as (select id from i where not is_done order by id limit 10),
       changed as (update i set is_done = true from batch where i.id = batch.id returning i.id)
     insert into i_commits (rows) select count(*) from changed having count(*) > 0`,
  );
  await run(folder);
  expect(await applied('i%')).toEqual(['i1_fill.batch.sql']);
  const { rows } = await scratch.executor.executeSql('select rows from i_commits order by id');
  expect(rows).toEqual([{ rows: 10 }, { rows: 10 }, { rows: 5 }]);
});

/** The number of sessions that wait for a lock with a statement that begins like this. */
async function waitingFor(start: string): Promise<number> {
  const { rows } = await scratch.executor.executeSql(
    `select from pg_stat_activity where wait_event_type = 'Lock' and query like $1`,
    [`${start}%`],
  );
  return rows.length;
}
