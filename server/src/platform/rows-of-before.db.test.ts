import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts';
import { openSession, type Session } from './connections.ts';
import { log } from './log.ts';
import { migrate } from './migrations.ts';

const folder = new URL('../../migrations/', import.meta.url);

let database: TestDatabase;
let session: Session;
beforeEach(async () => {
  log.level = 'silent';
  database = await createEmptyDatabase();
  session = await openSession({ url: database.url, applicationName: 'test' });
});
afterEach(async () => {
  await session.close();
  await database.drop();
});

const connection = () => ({ url: database.url, applicationName: 'migrate' });

/** Runs the migrations before this one. */
async function migrateUntil(file: string): Promise<void> {
  const before = mkdtempSync(join(tmpdir(), 'pointgate-test-'));
  cpSync(fileURLToPath(folder), before, {
    recursive: true,
    filter: (path) => !path.endsWith('.sql') || basename(path) < file,
  });
  await migrate(connection(), pathToFileURL(`${before}/`));
  rmSync(before, { recursive: true });
}

test('a migration that adds a database constraint succeeds despite older rows that violate it, and new rows that do are refused', async () => {
  await migrateUntil('0055_operators_rows.sql');
  const insertSite = (id: string, timeZone: string, locale: string) =>
    session.execute(
      `insert into sites (id, domain_type, title, brand_id, portal_url, currency, locales, methods, time_zone)
       values ($1, 1, 'Old', 'omni', 'https://old.example', 'EUR', array[$3], '{card}', $2)`,
      [id, timeZone, locale],
    );
  await insertSite('old', 'Mars/Base', 'fr-FR');

  await migrate(connection(), folder);

  const { rows } = await session.execute(
    `select conname as name, convalidated as is_validated from pg_constraint
     where conname in ('site_locales_are_known', 'site_time_zone_is_known', 'site_methods_are_known')
     order by 1`,
  );
  const Rules = z.array(z.object({ name: z.string(), is_validated: z.boolean() }));
  expect(Rules.parse(rows)).toEqual([
    { name: 'site_locales_are_known', is_validated: false },
    { name: 'site_methods_are_known', is_validated: true },
    { name: 'site_time_zone_is_known', is_validated: false },
  ]);
  await expect(insertSite('new', 'Mars/Base', 'en-US')).rejects.toThrow('not recognized');
  await expect(insertSite('new', 'UTC', 'fr-FR')).rejects.toThrow('site_locales_are_known');
  await insertSite('new', 'UTC', 'en-US');
});

test('a database in which two accounts own one game account is not migrated, and the error names the game account', async () => {
  await migrateUntil('0064_one_owner.online.sql');
  await session.execute(`
    insert into games (id, name, subtitle, api_url)
      values ('solmere', '{"en-US": "Solmere"}', '{"en-US": "Tides"}', 'https://game.example');
    insert into accounts (id, account_type, display_name)
      values ('01970000-0000-7000-8000-000000000001', 'ACCOUNT', 'one'),
             ('01970000-0000-7000-8000-000000000002', 'ACCOUNT', 'two');
    insert into game_accounts (account_id, game_id, game_account_id)
      select id, 'solmere', 'p-shared' from accounts`);
  await expect(migrate(connection(), folder)).rejects.toThrow(
    'Several accounts own the same game account: solmere p-shared',
  );
  await session.execute(`delete from game_accounts where account_id::text like '%1'`);
  await migrate(connection(), folder);
});
