import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openScratch, type Scratch } from '../../test/scratch.ts';
import { openDb, sql } from './db.ts';
import { log } from './log.ts';
import { migrate } from './migrations.ts';

let scratch: Scratch;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
});
afterAll(() => scratch.close());

/** A folder of migrations, and how to write one into it. */
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

test('files run in the order of their numbers, several statements each, and only once', async () => {
  const folder = givenFolder();
  folder.write(
    'a2_fill.sql',
    `insert into steps values ('second'); insert into steps values ('third');`,
  );
  folder.write('a1_make.sql', 'create table steps (step text primary key);');
  folder.write('notes.txt', 'not a migration');
  await migrate(scratch.db, folder.url);
  await migrate(scratch.db, folder.url);
  expect(await applied('a%')).toEqual(['a1_make.sql', 'a2_fill.sql']);
  const steps = await scratch.db.many(z.object({ step: z.string() }), sql`select * from steps`);
  expect(steps).toEqual([{ step: 'second' }, { step: 'third' }]);

  folder.write('a3_more.sql', `insert into steps values ('fourth')`);
  await migrate(scratch.db, folder.url);
  expect(await applied('a%')).toEqual(['a1_make.sql', 'a2_fill.sql', 'a3_more.sql']);
});

test('a file that was edited after it ran is refused, and nothing after it runs', async () => {
  const folder = givenFolder();
  folder.write('b1_make.sql', 'create table b (id int)');
  await migrate(scratch.db, folder.url);
  folder.write('b1_make.sql', 'create table b (id bigint)');
  folder.write('b2_more.sql', 'create table b_more (id int)');
  await expect(migrate(scratch.db, folder.url)).rejects.toThrow('b1_make.sql was edited');
  expect(await applied('b%')).toEqual(['b1_make.sql']);
});

test('a file that fails in its middle leaves nothing behind and runs again when it is mended', async () => {
  const folder = givenFolder();
  folder.write('c1_broken.sql', 'create table c (id int); insert into c values (1), (1/0)');
  await expect(migrate(scratch.db, folder.url)).rejects.toThrow('division by zero');
  expect(await applied('c%')).toEqual([]);
  folder.write('c1_broken.sql', 'create table c (id int); insert into c values (1)');
  await migrate(scratch.db, folder.url);
  expect(await applied('c%')).toEqual(['c1_broken.sql']);
});

test('two processes that migrate at once wait for each other, also on an empty database', async () => {
  const folder = givenFolder();
  folder.write('d1_make.sql', 'create table d (id int)');
  folder.write('d2_fill.sql', 'insert into d values (1)');
  await scratch.executor.executeSql('drop table schema_migrations');
  const options = { url: scratch.url, connectionsMax: 1, applicationName: 'migrate' };
  const processes = Array.from({ length: 4 }, () => openDb(options));
  await Promise.all(processes.map((db) => migrate(db, folder.url)));
  await Promise.all(processes.map((db) => db.close()));
  expect(await applied('d%')).toEqual(['d1_make.sql', 'd2_fill.sql']);
  expect(await scratch.db.many(z.object({ id: z.int() }), sql`select id from d`)).toHaveLength(1);
});
