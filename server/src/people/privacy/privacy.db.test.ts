import { accountExportPath, leaveShop } from '@pointgate/contract/privacy.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openAuthenticator } from '../../../test/authenticator.ts';
import {
  type Buyer,
  givenBuyer,
  givenOrder,
  openPage,
  payAtProvider,
  untilShown,
} from '../../../test/buying.ts';
import { askRefund, givenArrivedOrder, givenDispute } from '../../../test/money-back.ts';
import { operate } from '../../../test/operate.ts';
import { addPasskey, stepUpWithPasskey } from '../../../test/passkeys.ts';
import { givenPerson, personEnvironment, realName } from '../../../test/people.ts';
import { givenTopUp } from '../../../test/point-buying.ts';
import { eventually, openTestShop, send, signIn, type TestShop } from '../../../test/shop.ts';
import { openRawExecutor, type RawExecutor, sql } from '../../platform/db.ts';
import { eraseWhoLeft } from './privacy.ts';

const keys = personEnvironment();
const roleName = 'Lantern of the North';
const payerAddress = 'payer-of-the-card@example.com';
const why = ['--by', 'ines', '--reason', 'asked for by letter'];

let shop: TestShop;
let owner: RawExecutor;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...keys });
  owner = openRawExecutor({ url: shop.databaseUrl, connectionsMax: 1, applicationName: 'test' });
});
afterAll(async () => {
  await owner.close();
  await shop.closeAll();
});

const rowsOf = async (text: string, values: unknown[] = []) =>
  z.array(z.record(z.string(), z.unknown())).parse((await owner.executeSql(text, values)).rows);

const command = (name: string, accountId: string, more: readonly string[] = why) =>
  operate(shop, [name, accountId, ...more], { environment: keys });

/** A customer with data in as many tables as possible and without an unfinished order. */
async function givenCustomer(): Promise<Buyer> {
  const buyer = await givenBuyer(shop);
  await givenPerson(shop, buyer.accountId);
  const stop = shop.startWorker();
  const order = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  await untilShown(shop, buyer, order, 'Fulfilled');
  await givenTopUp(shop, buyer);
  const refunded = await givenOrder(shop, buyer);
  await payAtProvider(shop, await openPage(shop, buyer, refunded));
  await untilShown(shop, buyer, refunded, 'Fulfilled');
  await askRefund(shop, refunded);
  await untilShown(shop, buyer, refunded, 'Refunded');
  const { move } = await givenDispute(shop, order);
  await eventually(async () => (await shownOf(order.paymentId)).is_disputed === true);
  await move('won');
  await eventually(async () => (await shownOf(order.paymentId)).is_disputed === false);
  await eventually(async () => (await unprocessed()) === 0);
  await stop();
  await addPasskey(shop, { cookie: buyer.cookie, device: openAuthenticator({ origin: shop.url }) });
  await owner.executeSql(
    `update orders set snapshot = jsonb_set(snapshot, '{roleName}', to_jsonb($2::text))
     where account_id = $1 and kind = 'item'`,
    [buyer.accountId, roleName],
  );
  await owner.executeSql(
    `update provider_inbox set raw_body = raw_body || convert_to($2, 'UTF8')
     where subject -> 'reference' ->> 'accountId' = $1`,
    [buyer.accountId, payerAddress],
  );
  return buyer;
}
const shownOf = async (paymentId: string) =>
  (await rowsOf('select is_disputed from orders where payment_id = $1', [paymentId]))[0] ?? {};
const unprocessed = async () =>
  (await rowsOf('select from provider_inbox where processed_at is null')).length;

/** Every row of every table as text, with bytes in hexadecimal. */
async function dump(): Promise<string> {
  const tables = await rowsOf(`
    select format('%I.%I', relnamespace::regnamespace, relname) as name from pg_class
    where relkind = 'r' and relnamespace::regnamespace::text in ('public', 'analytics', 'pgboss')`);
  const texts = await Promise.all(
    tables.map(({ name }) => rowsOf(`select string_agg(t::text, e'\\n') as text from ${name} t`)),
  );
  return texts.map(([row]) => row?.text ?? '').join('\n');
}
const hex = (text: string) => Buffer.from(text).toString('hex');

describe('account erasure by an operator', () => {
  test('an erased account leaves no personal data in the database, and the audit of the books still passes', async () => {
    const other = await givenCustomer();
    const buyer = await givenCustomer();
    const { roleId } = z.object({ roleId: z.string() }).parse(buyer.body);
    const names = [buyer.loginName, buyer.gameAccountId, roleId, ...Object.values(realName)];
    const before = await dump();
    expect(
      [roleName, hex(payerAddress), buyer.loginName].filter((name) => !before.includes(name)),
    ).toEqual([]);
    await command('erase-account', other.accountId);

    expect(await command('erase-account', buyer.accountId)).toMatchObject({ status: 0 });

    const after = await dump();
    const found = [...names, roleName, payerAddress].filter(
      (name) => after.includes(name) || after.includes(hex(name)),
    );
    expect(found).toEqual([]);
    const { status, out } = await operate(shop, ['audit', '--by', 'ines']);
    expect(out).toContain('The books are in order');
    expect(status).toBe(0);
  });

  test('an erased account keeps its orders, ledger transfers and points, and cannot be signed in to', async () => {
    const buyer = await givenCustomer();
    const key = [buyer.accountId];
    const kept = () =>
      Promise.all([
        rowsOf(
          `select payment_id, item_id, amount_minor, currency, state, paid_at from orders
           where account_id = $1 order by payment_id`,
          key,
        ),
        rowsOf(
          'select * from ledger_transfers where account_id = $1 order by origin_id, posting',
          key,
        ),
        rowsOf('select * from point_entries where account_id = $1 order by seq', key),
        rowsOf('select * from order_events where account_id = $1 order by payment_id, seq', key),
      ]);
    const before = await kept();
    expect(before.map(({ length }) => length > 0)).toEqual([true, true, true, true]);
    const roles = () =>
      rowsOf(
        `select count(distinct role_id) as roles, count(distinct game_account_id) as accounts
         from orders where account_id = $1 and kind = 'item'`,
        key,
      );
    expect(await roles()).toEqual([{ roles: 1n, accounts: 1n }]);

    await command('erase-account', buyer.accountId);

    expect(await kept()).toEqual(before);
    expect(await roles()).toEqual([{ roles: 1n, accounts: 1n }]);
    expect(await send(shop, '/api/user/info', { cookie: buyer.cookie })).toMatchObject({
      httpStatus: 203,
    });
    await expect(signIn(shop, buyer)).rejects.toThrow('LoginNameAccountNotFound');
  });

  test('an operator cannot erase an account with an unfinished order', async () => {
    const buyer = await givenBuyer(shop);
    await givenOrder(shop, buyer);
    expect(await command('erase-account', buyer.accountId)).toMatchObject({
      status: 1,
      complaint: 'an order of the account is not over: refund it, or wait\n',
    });
    expect(await send(shop, '/api/user/info', { cookie: buyer.cookie })).toMatchObject({
      httpStatus: 200,
      data: { login: true },
    });
  });

  test("an operator's erasure of an account is refused without a reason and for an erased or unknown account", async () => {
    const buyer = await givenBuyer(shop);
    const nobody = '01970000-0000-7000-8000-000000000000';
    expect(await command('erase-account', buyer.accountId)).toMatchObject({ status: 0 });
    for (const accountId of [buyer.accountId, nobody]) {
      expect(await command('erase-account', accountId)).toMatchObject({
        status: 1,
        complaint: `there is no account ${accountId} that is not erased\n`,
      });
    }
    const reason = await command('erase-account', nobody, ['--by', 'ines']);
    expect(reason.complaint).toBe('--reason is missing\n');
  });
});

describe('players who leave the shop', () => {
  const leave = (cookie: string) => send(shop, leaveShop.path, { cookie });
  const letDaysPass = (accountId: string, days: number) =>
    owner.executeSql(
      `alter table account_changes disable trigger append_only;
       update account_changes set at = at - interval '${days} days' where account_id = '${accountId}';
       alter table account_changes enable trigger append_only`,
    );
  const stateOf = async (accountId: string) =>
    (await rowsOf('select state from accounts where id = $1', [accountId]))[0]?.state;
  const sweep = () => eraseWhoLeft(shop.db, { now: Date.now });

  test('a player who leaves the shop is signed out at once and erased after two weeks', async () => {
    const buyer = await givenBuyer(shop);
    const { accountId } = buyer;
    const { data } = await leave(buyer.cookie);
    const { erasedAt } = leaveShop.reply.parse(data);
    expect((Date.parse(erasedAt) - Date.now()) / 86_400_000).toBeCloseTo(14, 1);
    expect(await send(shop, '/api/user/info', { cookie: buyer.cookie })).toMatchObject({
      httpStatus: 203,
    });

    await letDaysPass(accountId, 13);
    await sweep();
    expect(await stateOf(accountId)).toBe('leaving');
    await letDaysPass(accountId, 1);
    await sweep();
    expect(await stateOf(accountId)).toBe('erased');
  });

  test('a leaving player who signs in again before the erasure keeps the account', async () => {
    const buyer = await givenBuyer(shop);
    await leave(buyer.cookie);
    await letDaysPass(buyer.accountId, 15);
    const cookie = await signIn(shop, buyer);
    await sweep();
    expect(await send(shop, '/api/user/info', { cookie })).toMatchObject({ data: { login: true } });
    const { out } = await operate(shop, ['account', buyer.accountId]);
    expect(JSON.parse(out).changes).toMatchObject([
      { change: 'leaving', by: 'player', reason: null },
      { change: 'kept', by: 'player', reason: null },
    ]);
  });

  test('a leaving player with an unfinished order is not erased and does not delay other erasures', async () => {
    const [waiting, done] = [await givenBuyer(shop), await givenBuyer(shop)];
    await givenOrder(shop, waiting);
    for (const { cookie, accountId } of [waiting, done]) {
      await leave(cookie);
      await letDaysPass(accountId, 15);
    }
    await sweep();
    expect(await stateOf(waiting.accountId)).toBe('leaving');
    expect(await stateOf(done.accountId)).toBe('erased');
  });

  test('a player with a passkey must step up with it before leaving the shop', async () => {
    const buyer = await givenBuyer(shop);
    const device = openAuthenticator({ origin: shop.url });
    await addPasskey(shop, { cookie: buyer.cookie, device });
    expect(await leave(buyer.cookie)).toMatchObject({ code: 'StepUpNeeded' });
    await stepUpWithPasskey(shop, { cookie: buyer.cookie, device });
    expect(await leave(buyer.cookie)).toMatchObject({ isSuccess: true });
  });

  test('a player who leaves the shop or exports data must have signed in within the last ten minutes', async () => {
    const buyer = await givenBuyer(shop);
    await shop.db.transaction((tx) =>
      tx.run(sql`update sessions set proven_at = proven_at - interval '11 minutes'`),
    );
    expect(await leave(buyer.cookie)).toMatchObject({ code: 'StepUpNeeded' });
    expect(await download(buyer.cookie)).toMatchObject({ code: 'StepUpNeeded' });
  });
});

const download = async (cookie: string | undefined) => {
  const headers = { ...(cookie !== undefined && { cookie }), 'sec-fetch-site': 'same-origin' };
  const response = await fetch(shop.url + accountExportPath, { headers });
  return z.record(z.string(), z.unknown()).parse(await response.json());
};

describe('data export', () => {
  const Export = z.object({
    realName: z.record(z.string(), z.string().nullable()),
    tables: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
  });

  test("a player's data export has every row of the account and neither secrets nor data of other accounts", async () => {
    const [buyer, other] = [await givenCustomer(), await givenCustomer()];
    const device = openAuthenticator({ origin: shop.url });
    const cookie = await signIn(shop, buyer);
    await owner.executeSql('delete from passkeys where account_id = $1', [buyer.accountId]);
    await addPasskey(shop, { cookie, device, name: 'A blue phone' });
    await stepUpWithPasskey(shop, { cookie, device });

    const { realName: person, tables } = Export.parse(await download(cookie));

    const counted = await Promise.all(
      Object.keys(tables).map(async (table) => {
        const id = table === 'accounts' ? 'id' : 'account_id';
        const rows = await rowsOf(`select from ${table} where ${id} = $1`, [buyer.accountId]);
        return [table, rows.length];
      }),
    );
    expect(Object.entries(tables).map(([table, rows]) => [table, rows.length])).toEqual(counted);
    expect(Object.values(tables).filter((rows) => rows.length > 0).length).toBeGreaterThan(12);
    expect(tables.passkeys?.[0]?.name).toBe('A blue phone');
    expect(person.phone).toContain('***');
    const text = JSON.stringify(tables);
    for (const strange of [other.loginName, other.accountId]) expect(text).not.toContain(strange);
    const secrets = ['hash', 'password', 'public_key', 'credential_id'];
    expect(secrets.filter((name) => text.includes(`${name}"`))).toEqual([]);
  });

  test('a data export by an operator shows real-name data in full and is recorded in the audit log', async () => {
    const buyer = await givenBuyer(shop);
    await givenPerson(shop, buyer.accountId);
    const { out } = await command('export-account', buyer.accountId, ['--by', 'ines']);
    const { realName: person } = Export.parse(JSON.parse(out));
    expect(person).toEqual(realName);
    const audits = await rowsOf(
      `select action, by from person_audits where account_id = $1 order by id`,
      [buyer.accountId],
    );
    expect(audits.at(-1)).toEqual({ action: 'read', by: 'ines' });
  });

  test("a player's data export includes all 2,500 rows of a large table", async () => {
    const buyer = await givenBuyer(shop);
    await givenArrivedOrder(shop, buyer);
    await owner.executeSql(
      `insert into payment_attempts
       select (jsonb_populate_record(attempt, jsonb_build_object(
         'attempt_id', uuidv7(), 'state', 'declined', 'psp_ref', null, 'capture_id', null))).*
       from payment_attempts as attempt, generate_series(1, 2499) where account_id = $1`,
      [buyer.accountId],
    );
    const { out } = await command('export-account', buyer.accountId, ['--by', 'ines']);
    const { tables } = Export.parse(JSON.parse(out));
    const ids = tables.payment_attempts?.map(({ attempt_id }) => attempt_id);
    expect(new Set(ids).size).toBe(2_500);
  });

  test("a player's data export is refused without a session", async () => {
    expect(await download(undefined)).toMatchObject({ code: 'InvalidToken' });
  });

  test("a player's data export has every database table with an account id, except those on the list of exceptions", async () => {
    const buyer = await givenBuyer(shop);
    const { out } = await command('export-account', buyer.accountId, ['--by', 'ines']);
    const { tables } = Export.parse(JSON.parse(out));
    const found = await rowsOf(`
      select table_name from information_schema.columns
      where table_schema = 'public' and column_name = 'account_id'
        and table_name not in (select relname from pg_class where relispartition)`);
    const left = found.map(({ table_name: name }) => `${name}`).filter((name) => !(name in tables));
    expect(left.toSorted()).toEqual(notExported.toSorted());
  });
});

// Not exported: tables whose data another exported table has, or whose rows live for minutes.
const notExported = [
  'arrival_tickets',
  'deferrals',
  'deliveries',
  'gift_rule_accounts',
  'known_devices', // a hash of a cookie
  'ledger_transfers',
  'order_keys',
  'passkey_reviews',
  'people', // exported decrypted, as realName
  'person_keys',
  'point_draws',
  'purchase_holds',
  'rebate_counts',
  'rebate_credit_steps',
  'revocations',
  'sign_in_handoffs',
  'top_up_steps',
];
