import { z } from 'zod';
import { type Db, sql } from '../platform/db.ts';

/** Queries about a database that run before a program starts. */
export async function selectMigrations(db: Db): Promise<string[] | undefined> {
  const there = await db.one(
    z.object({ is_there: z.boolean() }),
    sql`select to_regclass('public.schema_migrations') is not null as is_there`,
  );
  if (!there.is_there) return undefined;
  const rows = await db.many(
    z.object({ name: z.string() }),
    sql`select name from schema_migrations`,
  );
  return rows.map(({ name }) => name);
}

export async function selectUser(db: Db) {
  return await db.one(
    z.object({ name: z.string(), is_superuser: z.boolean() }),
    sql`select rolname as name, rolsuper as is_superuser from pg_roles where rolname = current_user`,
  );
}

export async function selectPortals(db: Db) {
  return await db.many(
    z.object({ id: z.string(), portal_url: z.string() }),
    sql`select id, portal_url from sites order by id`,
  );
}

/** Demo players, recognised by the game accounts that only the seed creates. */
export async function selectDemoPlayers(db: Db): Promise<string[]> {
  const rows = await db.many(
    z.object({ subject: z.string() }),
    sql`
      select distinct subject from identities join game_accounts using (account_id)
      where account_type = 'ACCOUNT' and subject = any(${['aveline', 'kaito']})
        and game_account_id like '%\\_' || subject
      order by subject`,
  );
  return rows.map(({ subject }) => subject);
}

/**
 * The ids of the keys of `PERSON_KEYS` that wrap stored data keys. There are few, each found by an
 * index.
 */
export async function selectWrappingKeys(db: Db): Promise<string[]> {
  const rows = await db.many(
    z.object({ key_id: z.string() }),
    sql`
      with recursive
      of_people (key_id) as (
        select min(key_id) from person_keys
        union all
        select (select min(key_id) from person_keys where key_id > of_people.key_id)
        from of_people where key_id is not null),
      of_addresses (key_id) as (
        select min(key_id) from account_addresses
        union all
        select (select min(key_id) from account_addresses where key_id > of_addresses.key_id)
        from of_addresses where key_id is not null)
      select key_id from of_people where key_id is not null
      union select key_id from of_addresses where key_id is not null
      order by key_id`,
  );
  return rows.map(({ key_id }) => key_id);
}

export async function selectJobEngine(db: Db): Promise<boolean> {
  const row = await db.one(
    z.object({ is_there: z.boolean() }),
    sql`select to_regclass('pgboss.job') is not null as is_there`,
  );
  return row.is_there;
}
