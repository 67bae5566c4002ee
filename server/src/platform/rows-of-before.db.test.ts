import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createEmptyDatabase, type TestDatabase } from '../../test/database.ts';
import { openSession, type Session } from './connections.ts';
import { log } from './log.ts';
import { migrate } from './migrations.ts';

const folder = new URL('../../migrations/', import.meta.url);
const checked = '0055_operators_rows.sql';

let database: TestDatabase;
let session: Session;
beforeAll(async () => {
  log.level = 'silent';
  database = await createEmptyDatabase();
  session = await openSession({ url: database.url, applicationName: 'test' });
});
afterAll(async () => {
  await session.close();
  await database.drop();
});

const connection = () => ({ url: database.url, applicationName: 'migrate' });

test('an old row that violates a new database constraint does not stop the migration; new rows must satisfy it', async () => {
  const before = mkdtempSync(join(tmpdir(), 'pointgate-test-'));
  cpSync(fileURLToPath(folder), before, {
    recursive: true,
    filter: (path) => !path.endsWith('.sql') || basename(path) < checked,
  });
  await migrate(connection(), pathToFileURL(`${before}/`));
  rmSync(before, { recursive: true });
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
