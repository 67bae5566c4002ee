import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openScratch, type Scratch } from '../../test/scratch.ts';
import { sql } from './db.ts';
import { log } from './log.ts';

let scratch: Scratch;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
});
afterAll(() => scratch.close());

const ForeignKey = z.object({ name: z.string(), is_indexed: z.boolean() });

/**
 * An index serves a foreign key if it is not partial and begins with the columns of the key, in any
 * order.
 */
async function foreignKeys() {
  return await scratch.db.many(
    ForeignKey,
    sql`
      select conrelid::regclass || ' ' || conname as name,
             exists (
               select from pg_index
               where indrelid = conrelid and indisvalid and indpred is null
                 and (string_to_array(indkey::text, ' ')::int2[])[1:cardinality(conkey)] @> conkey
             ) as is_indexed
      from pg_constraint join pg_class on pg_class.oid = conrelid
      where contype = 'f' and connamespace = 'public'::regnamespace
      order by 1`,
  );
}

test('every foreign key of the database has an index on its columns', async () => {
  const keys = await foreignKeys();
  expect(keys.length).toBeGreaterThan(20);
  expect(keys.filter(({ is_indexed }) => !is_indexed)).toEqual([]);
});

test('the test of foreign key indexes detects a foreign key without an index and one with only a partial index', async () => {
  await scratch.executor.executeSql(`
    create table parents (a int, b int, primary key (a, b));
    create table children (a int, b int, c int,
      constraint bare foreign key (a, b) references parents);
    create index on children (a, c, b);
    create index on children (a, b) where c > 0`);
  const found = (await foreignKeys()).filter(({ is_indexed }) => !is_indexed);
  expect(found).toEqual([{ name: 'children bare', is_indexed: false }]);
  await scratch.executor.executeSql('create index on children (b, a, c)');
  expect((await foreignKeys()).filter(({ is_indexed }) => !is_indexed)).toEqual([]);
});

test('every database column for an amount of money or a quantity is a bigint', async () => {
  const columns = await scratch.db.many(
    z.object({ name: z.string(), type: z.string() }),
    sql`
      select table_name || '.' || column_name as name, data_type as type
      from information_schema.columns
      where table_schema = 'public' and (column_name like '%\\_minor' or column_name like '%quantity')`,
  );
  expect(columns.length).toBeGreaterThan(5);
  expect(columns.filter(({ type }) => type !== 'bigint')).toEqual([]);
});

test('docs/data.md lists the retention time of every database table and names no other table', async () => {
  const tables = await scratch.db.many(
    z.object({ name: z.string() }),
    sql`
      select oid::regclass::text as name from pg_class
      where relkind in ('r', 'p') and not relispartition and relname not in ('notes', 'parents', 'children')
        and relnamespace in ('public'::regnamespace, 'analytics'::regnamespace)
      order by 1`,
  );
  const text = readFileSync(new URL('../../../docs/data.md', import.meta.url), 'utf8');
  const cells = [...text.matchAll(/^\| (`.*?) \|/gm)].map(([, cell = '']) => cell);
  const named = cells.flatMap((cell) => [...cell.matchAll(/`([\w.]+)`/g)].map(([, name]) => name));
  expect(tables.length).toBeGreaterThan(60);
  expect(named.filter((name) => name !== 'pgboss').toSorted()).toEqual(
    tables.map(({ name }) => name).toSorted(),
  );
});
