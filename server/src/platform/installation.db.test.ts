import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, createEmptyDatabase, type TestDatabase } from '../../test/database.ts';
import { givenStage } from '../../test/stage.ts';
import { openSession, type Session } from './connections.ts';
import { OtherStage, type Stage } from './installation.ts';
import { log } from './log.ts';
import { migrate } from './migrations.ts';
import { groups } from './table-rights.ts';

let database: TestDatabase;
let session: Session;
beforeAll(async () => {
  log.level = 'silent';
  database = await cloneDatabase();
  session = await openSession({ url: database.url, applicationName: 'test' });
});
afterAll(async () => {
  await session.close();
  await database.drop();
});

const migrations = new URL('../../migrations/', import.meta.url);

/** A folder with one migration, which must not run where the stage is refused. */
function givenMigration(text: string): URL {
  const path = mkdtempSync(join(tmpdir(), 'pointgate-test-'));
  writeFileSync(join(path, '9999_later.sql'), text);
  return pathToFileURL(`${path}/`);
}

const migrateAs = (stage: Stage, folder = migrations, url = database.url) =>
  migrate({ url, applicationName: 'migrate' }, folder, stage);

const stamped = async (of = session) => (await of.execute('select stage from installation')).rows;

test('migrate writes its stage into a database that has none, and again changes nothing', async () => {
  await givenStage(database.url, null);
  await migrateAs('production');
  await migrateAs('production');
  expect(await stamped()).toEqual([{ stage: 'production' }]);
});

test.each(['development', 'rehearsal'] as const)(
  'migrate of the stage %s refuses a production database with the way out, and runs no migration there',
  async (stage) => {
    await givenStage(database.url, 'production');
    const later = givenMigration('create table made_by_another_stage ()');
    const refused = migrateAs(stage, later);
    await expect(refused).rejects.toThrow(OtherStage);
    await expect(refused).rejects.toThrow(
      /belongs to production, for good, but APP_ENV is \w+: set APP_ENV=production, or name a database of/,
    );
    const { rows } = await session.execute(`select to_regclass('made_by_another_stage') as made`);
    expect(rows).toEqual([{ made: null }]);
    expect(await stamped()).toEqual([{ stage: 'production' }]);
  },
);

test('an empty database takes the stage of exactly one of two migrates of different stages that begin together', async () => {
  const empty = await createEmptyDatabase();
  const both = ['rehearsal', 'production'] as const;
  const ends = await Promise.allSettled(
    both.map((stage) => migrateAs(stage, migrations, empty.url)),
  );
  const winner = both[ends.findIndex(({ status }) => status === 'fulfilled')];
  const refusals = ends.filter((end) => end.status === 'rejected');
  expect(refusals.map(({ reason }) => reason)).toEqual([expect.any(OtherStage)]);
  const own = await openSession({ url: empty.url, applicationName: 'test' });
  expect(await stamped(own)).toEqual([{ stage: winner }]);
  await own.close();
  await empty.drop();
});

test('a database with orders of a shop from before stages does not become a rehearsal', async () => {
  await givenStage(database.url, null);
  await session.execute(`
    insert into orders (account_id, payment_id, site_id, game_id, server_id, role_id, game_account_id,
      item_id, pack_count, order_type, method, system, currency, amount_minor, snapshot, expire_at)
    values (gen_random_uuid(), uuidv7(), 'solmere', 'demo', 's1', 'r1', 'g1', 'shards_60', 1, 'foreign',
      'card', 'android', 'USD', 99, '{}', now())`);
  await expect(migrateAs('rehearsal')).rejects.toThrow(/begins with an empty database/);
  expect(await stamped()).toEqual([]);
  await migrateAs('production');
  expect(await stamped()).toEqual([{ stage: 'production' }]);
});

test.each([
  ['update', `update installation set stage = 'development'`],
  ['delete', 'delete from installation'],
  ['truncate', 'truncate installation'],
  ['insert', `insert into installation (stage) values ('development')`],
  ['insert', `insert into installation (is_only, stage) values (false, 'development')`],
])(
  'the database refuses to %s the stage of an installation (case %#)',
  async (_what, statement) => {
    await givenStage(database.url, 'production');
    await expect(session.execute(statement)).rejects.toThrow(/append-only|installation/);
    expect(await stamped()).toEqual([{ stage: 'production' }]);
  },
);

test.each(Object.values(groups))(
  'the database group %s may read the stage and not write it',
  async (group) => {
    const { rows } = await session.execute(
      `select has_table_privilege($1, 'installation', 'select') as reads,
       has_table_privilege($1, 'installation', 'insert, update, delete, truncate') as writes`,
      [group],
    );
    expect(rows).toEqual([{ reads: true, writes: false }]);
  },
);
