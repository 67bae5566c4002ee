import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { givenBuyer, givenOrder } from '../../../test/buying.ts';
import { operate } from '../../../test/operate.ts';
import { openTestShop, type TestShop } from '../../../test/shop.ts';
import { openRawExecutor, type RawExecutor } from '../../platform/db.ts';

let shop: TestShop;
let owner: RawExecutor;
let order: { accountId: string; paymentId: string };
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  owner = openRawExecutor({ url: shop.databaseUrl, connectionsMax: 1, applicationName: 'test' });
  order = await givenOrder(shop, await givenBuyer(shop));
});
afterAll(async () => {
  await owner.close();
  await shop.closeAll();
});

const audit = (...args: string[]) => operate(shop, ['audit', '--by', 'ana', ...args]);
const audits = async () =>
  z
    .array(z.looseObject({ database: z.string() }))
    .parse(JSON.parse((await operate(shop, ['audits'])).out));
const cases = async () =>
  z
    .array(z.looseObject({ kind: z.string() }))
    .parse(JSON.parse((await operate(shop, ['cases'])).out))
    .filter(({ kind }) => kind === 'audit');
const path = () => new URL(shop.databaseUrl).pathname;
const thisMonth = () => new Date().toISOString().slice(0, 7);

test("an audit of the shop's books (orders and ledger) without violations reports that all checks hold and is stored", async () => {
  const { status, out, complaint } = await audit();
  expect({ status, out }).toEqual({
    status: 0,
    out: expect.stringMatching(
      /^I10 holds +every order has one intent, and every intent one order \(1\)$/m,
    ),
  });
  expect(out).toContain('The books are in order');
  expect(complaint).toMatch(/^Kept as audit [-0-9a-f]{36}\.$/m);
  expect((await audits())[0]).toMatchObject({
    verdict: 'in_order',
    by: 'ana',
    failure: null,
    orders: 1,
    broken: [],
    database: expect.stringContaining(path()),
    checked: { I8: 0, I10: 1 },
    months: expect.arrayContaining([`${thisMonth()} present`]),
  });
  expect(await cases()).toEqual([]);
});

test('an audit of the books that finds a violated check stores the violation and opens an operator case', async () => {
  await owner.executeSql(
    `insert into ledger_transfers
       (account_id, origin_id, posting, debit_book, credit_book, unit, amount_minor)
     values ($1, $2, 'manual', 'house:psp', 'house:sales', 'USD', 100000)`,
    [order.accountId, order.paymentId],
  );
  const { status, out } = await audit('--month', thisMonth());
  await owner.executeSql(
    `set session_replication_role = replica; delete from ledger_transfers;
     reset session_replication_role`,
  );
  const line = `transfer manual of order ${order.paymentId} moves 100000 USD from house:psp to house:sales`;
  expect(status).toBe(1);
  expect(out).toContain(line);
  const broken = [{ id: 'I1', broken: 1, violations: [expect.stringContaining(line)] }];
  const [last] = await audits();
  expect(last).toMatchObject({
    verdict: 'not_in_order',
    months: [`${thisMonth()} present`],
    broken,
  });
  expect(await cases()).toMatchObject([{ details: { broken }, subject: last?.auditId }]);
});

test('an audit of the books in an unreachable database ends without a verdict and stores no database password', async () => {
  const { status, out, complaint } = await audit(
    ...['--database', 'postgres://auditor:hunter2@127.0.0.1:1/gone'],
  );
  expect({ status, out }).toEqual({ status: 2, out: '' });
  expect(complaint).toMatch(/^Could not be read: .*ECONNREFUSED/m);
  const [last] = await audits();
  expect(last).toMatchObject({ verdict: 'unreadable', database: '127.0.0.1:1/gone' });
  expect(JSON.stringify(last) + complaint).not.toContain('hunter2');
  expect(await cases()).toHaveLength(1);
});

test.each([
  [['--database', 'nowhere'], '--database nowhere is no address of PostgreSQL'],
  [['--month', 'October'], '--month October is no month as 2026-10 is'],
  [['--month', '1999-12'], 'Could not be read: the shop has no month 1999-12'],
])(
  'an audit of the books with the invalid options %j is refused with exit status 2 and an explanation',
  async (args, why) => {
    expect(await audit(...args)).toMatchObject({ status: 2, complaint: `${why}\n` });
  },
);

test('an audit of the books without the name of the operator who starts it is refused', async () => {
  expect(await operate(shop, ['audit'])).toEqual({
    status: 2,
    out: '',
    complaint: '--by is missing\n',
  });
});

test('an audit of the books runs as a database user with read access only', async () => {
  const reader = `reader_${randomUUID().slice(0, 8)}`;
  await owner.executeSql(`
    create role ${reader} login password 'reads' in role pg_read_all_data`);
  try {
    const url = new URL(shop.databaseUrl);
    url.username = reader;
    url.password = 'reads';
    expect((await audit('--database', url.href)).status).toBe(0);
    expect((await audits())[0]).toMatchObject({ verdict: 'in_order' });
  } finally {
    await owner.executeSql(`drop role ${reader}`);
  }
});

describe('audits that ask the games', () => {
  const asking = (environment: Record<string, string>) =>
    operate(shop, ['audit', '--by', 'ana', '--ask-games'], { environment });

  test('an audit of the books that asks the games compares their lists of deliveries with the orders', async () => {
    const { status, out } = await asking({ GAMES_WITH_LIST: 'solmere' });
    expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/^I6 +empty /m) });
    expect((await audits())[0]).toMatchObject({ verdict: 'in_order', notAsked: [] });
  });

  test('an audit of the books that a game does not answer is reported as unreadable; an operator case names the game', async () => {
    const before = (await cases()).length;
    const { status, out, complaint } = await asking({
      GAMES_WITH_LIST: 'solmere',
      GAME_SECRETS: JSON.stringify({ solmere: ['a-key-that-is-wrong'] }),
    });
    expect(status).toBe(2);
    expect(out).toContain('not asked: game solmere: HTTP 401');
    expect(out).toMatch(/^I10 holds /m);
    const notAsked = [{ party: 'game solmere', reason: 'HTTP 401' }];
    const [last] = await audits();
    expect(last).toMatchObject({ verdict: 'unreadable', notAsked, broken: [], orders: 1 });
    expect(await cases()).toHaveLength(before + 1);
    expect(await cases()).toContainEqual(
      expect.objectContaining({
        subject: last?.auditId,
        details: expect.objectContaining({ notAsked }),
      }),
    );
    expect(out + complaint + JSON.stringify([last, await cases()])).not.toContain('a-key-that');
  });

  test.each([
    [{}, 'GAMES_WITH_LIST names no game that could be asked'],
    [
      { GAMES_WITH_LIST: 'gone', GAME_SECRETS: '{"gone":["a-secret-of-it"]}' },
      'there is no game gone',
    ],
  ])(
    'an audit of the books that asks the games does not start with the invalid environment %j',
    async (environment, why) => {
      expect(await asking(environment)).toMatchObject({ status: 2, complaint: `${why}\n` });
    },
  );
});

describe('audits that ask the providers', () => {
  const asking = (environment: Record<string, string>) =>
    operate(shop, ['audit', '--by', 'ana', '--ask-providers'], { environment });

  test('an audit of the books that asks the payment providers compares their captures and refunds with the ledger', async () => {
    const { status, out } = await asking({});
    expect({ status, out }).toEqual({ status: 0, out: expect.stringMatching(/^I3 +empty /m) });
  });

  test('an audit of the books names the payment providers that reject the API key, without printing the key', async () => {
    const { status, out, complaint } = await asking({ STRIPE_SECRET_KEY: 'sk_that_is_wrong' });
    expect(status).toBe(2);
    expect(out).toContain('not asked: stripe: HTTP 401');
    const [last] = await audits();
    expect(last).toMatchObject({ notAsked: [{ party: 'stripe', reason: 'HTTP 401' }] });
    expect(out + complaint + JSON.stringify([last, await cases()])).not.toContain('sk_that');
  });

  test('an audit of the books that asks the payment providers skips providers that cannot list their payments', async () => {
    const adyen = {
      apiKey: 'key',
      merchantAccount: 'PublisherECOM',
      environment: 'test',
      hmacKeys: ['a'.repeat(64)],
      apiBase: 'http://127.0.0.1:9',
    };
    expect(await asking({ ADYEN: JSON.stringify(adyen) })).toMatchObject({ status: 0 });
  });
});
