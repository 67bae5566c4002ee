import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { cloneDatabase, createEmptyDatabase, type TestDatabase } from '../../test/database.ts';
import { openDemo } from '../../test/demo.ts';
import { shopEnvironment } from '../../test/processes.ts';
import { openTestShop, type TestShop } from '../../test/shop.ts';
import { givenStage } from '../../test/stage.ts';
import { createAccount } from '../people/accounts/accounts.ts';
import { bindGameAccount } from '../people/accounts/game-accounts.ts';
import { sql } from '../platform/db.ts';
import { openSealing } from '../platform/sealing.ts';
import { seedSettingNames } from './config.ts';
import { readConfigToStart } from './start.ts';

let shop: TestShop;
let empty: TestDatabase;
let behind: TestDatabase;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' }, { ownUsers: true });
  [empty, behind] = await Promise.all([createEmptyDatabase(), cloneDatabase()]);
});
afterAll(async () => {
  await Promise.all([empty.drop(), behind.drop()]);
  await shop.closeAll();
});

/** The errors reported at start, without those caused by the test's own settings. */
async function complaints(environment: NodeJS.ProcessEnv): Promise<string[]> {
  const { STRIPE_API_BASE: _sandbox, ...settings } = shopEnvironment(shop);
  try {
    await readConfigToStart({ ...settings, ...environment });
  } catch (error) {
    const { message } = error as Error; // as: it throws nothing else
    return message
      .split('\n')
      .filter((line) => /^ {2}(DATABASE_URL|MASTER_KEYS|PERSON_KEYS|sites|TRUST_PROXY)/.test(line));
  }
  return [];
}

test('a server start on a database that was not migrated is refused with that reason', async () => {
  expect(await complaints({ DATABASE_URL: empty.url })).toEqual([
    '  DATABASE_URL: the database was not migrated: run migrate first',
  ]);
});

test('a server start on a database that lacks the last migration is refused with the name of that migration', async () => {
  const db = behind.open(1);
  await db.transaction((tx) =>
    tx.run(sql`delete from schema_migrations where name = '0056_roles.sql'`),
  );
  await db.close();
  expect(await complaints({ DATABASE_URL: behind.url })).toEqual([
    expect.stringMatching(/lacks 1 migrations, from 0056_roles.sql on: run migrate first/),
  ]);
});

test('a server start on a database with newer migrations than the program is accepted', async () => {
  await shop.db.transaction((tx) =>
    tx.run(sql`insert into schema_migrations (name, checksum) values ('9999_later.sql', '')`),
  );
  expect(await complaints({})).toEqual([]);
});

test('a server start reports an unreachable database together with all other configuration errors', async () => {
  const environment = { DATABASE_URL: 'postgres://shop@127.0.0.1:1/shop', GAME_SECRETS: 'none' };
  await expect(readConfigToStart({ ...shopEnvironment(shop), ...environment })).rejects.toThrow(
    /GAME_SECRETS[\s\S]*DATABASE_URL: the database cannot be asked/,
  );
});

test('a rehearsal start is accepted with a portal URL without https on localhost, and nowhere else', async () => {
  await givenStage(shop.databaseUrl, 'rehearsal');
  const own = { APP_ENV: 'rehearsal', DATABASE_URL: shop.workerShop.config.DATABASE_URL };
  const moveTo = (url: string) =>
    shop.db.transaction((tx) => tx.run(sql`update sites set portal_url = ${url}`));
  const [site] = await shop.sites.all();
  expect(await complaints(own)).toEqual([]);
  await moveTo('http://lantern-court.localhost:8080');
  expect(await complaints(own)).toEqual([]);
  await moveTo('http://localhost.example');
  expect(await complaints(own)).toEqual([
    expect.stringMatching(/sites.solmere: http:.* is not an https address/),
  ]);
  await moveTo(site?.portalUrl ?? '');
});

test('a production start is refused if the database user is a superuser or a portal URL has no https', async () => {
  await givenStage(shop.databaseUrl, 'production');
  expect(await complaints({ APP_ENV: 'production', TRUST_PROXY: '1' })).toEqual([
    expect.stringMatching(/DATABASE_URL: \w+ is a superuser/),
    expect.stringMatching(/sites.solmere: http:.* is not an https address/),
  ]);
  await givenStage(shop.databaseUrl, 'development');
  expect(await complaints({ APP_ENV: 'development' })).toEqual([]);
  await givenStage(shop.databaseUrl, 'production');
});

test('a production start of a shop with https portal URLs is refused without the setting TRUST_PROXY', async () => {
  await shop.db.transaction((tx) =>
    tx.run(sql`update sites set portal_url = 'https://shop.example'`),
  );
  const own = { APP_ENV: 'production', DATABASE_URL: shop.workerShop.config.DATABASE_URL };
  expect(await complaints(own)).toEqual([expect.stringMatching(/^ {2}TRUST_PROXY: is missing/)]);
  expect(await complaints({ ...own, TRUST_PROXY: '1' })).toEqual([]);
});

test('a production start is refused on a database with demo players, whose passwords are public', async () => {
  const demoPlayers = openDemo().demo.players;
  for (const { loginName, gameAccounts } of demoPlayers) {
    await shop.db.transaction(async (tx) => {
      const accountId = await createAccount(tx, {
        loginName,
        displayName: loginName,
        passwordHash: 'x',
      });
      const own = gameAccounts.filter(({ gameId }) => gameId === 'solmere');
      for (const account of own) await bindGameAccount(tx, { accountId, ...account });
    });
  }
  const own = { APP_ENV: 'production', DATABASE_URL: shop.workerShop.config.DATABASE_URL };
  const told = (await complaints(own)).filter((line) => line.includes('demo'));
  expect(told).toHaveLength(demoPlayers.length);
  for (const { loginName } of demoPlayers) {
    expect(told.join()).toContain(`the demo's player ${loginName}`);
  }
  expect(seedSettingNames).toContain('APP_ENV');
});

test('a production start is refused on a database whose sealed secrets the master keys do not open', async () => {
  const own = {
    APP_ENV: 'production',
    DATABASE_URL: shop.workerShop.config.DATABASE_URL,
    TRUST_PROXY: '1',
  };
  const complaintsWith = async (...masterKeys: { id: string; key: Buffer }[]) => {
    const named = masterKeys.map(({ id, key: bytes }) => ({ id, key: bytes.toString('base64') }));
    const setting = named.length === 0 ? {} : { MASTER_KEYS: JSON.stringify(named) };
    const all = await complaints({ ...own, ...setting });
    return all.filter((line) => line.includes('MASTER_KEYS'));
  };
  const right = { id: 'k1', key: randomBytes(32) };
  expect(await complaintsWith()).toEqual([]);
  const { keyId, sealed } = openSealing([right]).seal(
    ['secrets', 'game:solmere', 'signing', '1'],
    'a secret that is not said',
  );
  await shop.db.transaction((tx) =>
    tx.run(sql`
      insert into secrets (owner, name, version, state, key_id, sealed, set_by, set_at)
      values ('game:solmere', 'signing', 1, 'current', ${keyId}, ${sealed}, 'ines', now())`),
  );
  const line = '  MASTER_KEYS: does not open the secret game:solmere signing 1 of the database: ';
  expect(await complaintsWith()).toEqual([`${line}MASTER_KEYS is missing`]);
  const wrong = { id: 'k1', key: randomBytes(32) };
  expect(await complaintsWith(wrong)).toEqual([`${line}the key k1 does not open it`]);
  const other = { id: 'k2', key: randomBytes(32) };
  expect(await complaintsWith(other)).toEqual([`${line}there is no key k1`]);
  expect(await complaintsWith(other, right)).toEqual([]);
});

test.each([
  [
    "a person's real-name data",
    sql`
      insert into person_keys (account_id, key_id, wrapped_key)
      select id, 'left', decode(repeat('00', 61), 'hex') from accounts limit 1`,
    sql`update person_keys set key_id = 'kept'`,
  ],
  [
    'the address of an account',
    sql`
      insert into account_addresses (id, account_id, account_type, subject, key_id, wrapped_key, sealed_address, locale)
      select uuidv7(), id, 'EMAIL', repeat('a', 43), 'left', decode(repeat('00', 61), 'hex'), '', 'en-US'
      from accounts limit 1`,
    sql`update account_addresses set key_id = 'kept'`,
  ],
])(
  'a production start is refused without the key that encrypts %s',
  async (_what, seal, rewrap) => {
    await shop.db.transaction(async (tx) => {
      await tx.run(
        sql`insert into accounts (id, account_type, display_name) values (uuidv7(), 'ACCOUNT', 'somebody')`,
      );
      await tx.run(seal);
    });
    const key = (id: string) => ({ id, key: randomBytes(32).toString('base64') });
    const own = {
      APP_ENV: 'production',
      DATABASE_URL: shop.workerShop.config.DATABASE_URL,
      PERSON_KEYS: JSON.stringify([key('new'), key('kept')]),
    };
    const told = async () => (await complaints(own)).filter((line) => line.includes('lacks left'));
    expect(await told()).toHaveLength(1);
    await shop.db.transaction((tx) => tx.run(rewrap));
    expect(await told()).toEqual([]);
  },
);
