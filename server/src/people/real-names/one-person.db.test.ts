import { setBudget } from '@pointgate/contract/people.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createOrder, givenItem, givenOrder, openPage, pay } from '../../../test/buying.ts';
import { givenBuyerOfAge, givenRules, newIdentityNumber } from '../../../test/limits.ts';
import { askRefund, attemptOf, givenPaidOrder, runJob } from '../../../test/money-back.ts';
import { letExpire, type OrderKey, recordsOf } from '../../../test/orders.ts';
import { givenPerson, personEnvironment } from '../../../test/people.ts';
import { eventually, openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { shredPerson } from './real-names.ts';
import { lockAndCheckSpending } from './spending.ts';

// Several accounts of one person share one spending limit.

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({
    LOG_LEVEL: 'silent',
    DATABASE_CONNECTIONS: '30',
    ...personEnvironment(),
  });
  for (const yuan of [1n, 50n]) {
    await givenItem(shop, `yuan_${yuan}`, { currency: 'CNY', priceMinor: yuan * 100n });
  }
  await givenRules(shop, { pack: 'china', currency: 'CNY' });
});
afterAll(() => shop.closeAll());
afterEach(() => {
  shop.people.now = Date.now;
});

const refused = (code: string) => ({ isSuccess: false, code, data: null, httpStatus: 200 });
const taken = { isSuccess: true, code: null };
const fifty = { itemId: 'yuan_50' };
const one = { itemId: 'yuan_1' };

/** Accounts of one child, who may pay 50 yuan at once and 200 a month. */
async function givenChild({ accounts = 2, age = 10 } = {}) {
  const identityNumber = newIdentityNumber();
  const [first, second, ...more] = await Promise.all(
    Array.from({ length: accounts }, () => givenBuyerOfAge(shop, age, { identityNumber })),
  );
  if (first === undefined || second === undefined)
    throw new Error('a child needs at least two accounts');
  return { identityNumber, first, second, all: [first, second, ...more] };
}

describe('spending limits of a person with two accounts', () => {
  test('two accounts of one person share one monthly spending limit exactly to the last fen', async () => {
    const { first, second } = await givenChild();
    const waiting = await givenOrder(shop, second, one);
    for (const buyer of [first, second, first, second]) {
      await openPage(shop, buyer, await givenOrder(shop, buyer, fifty));
    }
    expect(await pay(shop, second, waiting)).toMatchObject(refused('SpendingLimitReached'));
    for (const buyer of [first, second]) {
      expect(await createOrder(shop, buyer, one)).toMatchObject(refused('SpendingLimitReached'));
    }
  });

  test('accounts of one person are matched by identity number even if it is written with spaces', async () => {
    const { first, second, identityNumber } = await givenChild();
    const written = `${identityNumber.slice(0, 6)} ${identityNumber.slice(6)}`;
    const birthday = `${new Date().getUTCFullYear() - 10}-01-01`;
    await givenPerson(shop, second.accountId, { identityNumber: written, birthday });
    for (let count = 0; count < 4; count += 1) {
      await openPage(shop, first, await givenOrder(shop, first, fifty));
    }
    expect(await createOrder(shop, second, one)).toMatchObject(refused('SpendingLimitReached'));
  });

  test('an expired or refunded payment frees room in the spending limit that the accounts of a person share', async () => {
    const { first, second } = await givenChild();
    const paid = await givenPaidOrder(shop, first, fifty);
    const open = await givenOrder(shop, first, fifty);
    await openPage(shop, first, open);
    for (let count = 0; count < 2; count += 1) await givenPaidOrder(shop, second, fifty);
    expect(await createOrder(shop, second, one)).toMatchObject(refused('SpendingLimitReached'));

    await letExpire(shop.db, open);
    await runJob(shop, 'expire_order', open);
    await openPage(shop, second, await givenOrder(shop, second, fifty));
    expect(await createOrder(shop, second, one)).toMatchObject(refused('SpendingLimitReached'));

    const { refundId } = await askRefund(shop, paid, { amountMinor: 100n });
    await runJob(shop, 'refund_payment', { ...paid, refundId });
    await runJob(shop, 'ask_provider', await attemptOf(shop, paid));
    expect(await createOrder(shop, second, { ...one, quantity: 2 })).toMatchObject(
      refused('SpendingLimitReached'),
    );
    expect(await createOrder(shop, second, one)).toMatchObject(taken);
  });

  test('a spending budget counts only payments of its own account, not of other accounts of the person', async () => {
    const { first, second } = await givenChild({ age: 30 });
    const body = { amountMinor: '5000', currency: 'CNY' };
    await send(shop, setBudget.path, { cookie: second.cookie, body });
    for (let count = 0; count < 2; count += 1) {
      await openPage(shop, first, await givenOrder(shop, first, fifty));
    }
    expect(await createOrder(shop, second, fifty)).toMatchObject(taken);
    await openPage(shop, second, await givenOrder(shop, second, fifty));
    expect(await createOrder(shop, second, one)).toMatchObject(refused('BudgetReached'));
    expect(await createOrder(shop, first, one)).toMatchObject(taken);
  });

  test("an account whose identity number changes or whose real-name data is shredded no longer shares its former person's limit", async () => {
    const { first, second } = await givenChild();
    for (let count = 0; count < 4; count += 1) {
      await openPage(shop, first, await givenOrder(shop, first, fifty));
    }
    const birthday = `${new Date().getUTCFullYear() - 10}-01-01`;
    const identityNumber = newIdentityNumber();
    await givenPerson(shop, second.accountId, { identityNumber, birthday });
    expect(await createOrder(shop, second, fifty)).toMatchObject(taken);

    const { first: third, second: fourth } = await givenChild();
    await givenPaidOrder(shop, third, fifty);
    await shop.db.transaction((tx) => shredPerson(tx, { accountId: third.accountId, by: 'ines' }));
    for (let count = 0; count < 4; count += 1) {
      await openPage(shop, fourth, await givenOrder(shop, fourth, fifty));
    }
    expect(await createOrder(shop, third, one)).toMatchObject(refused('RealNameNeeded'));
  });
});

test('accounts without an identity number do not share a spending limit', async () => {
  await givenRules(shop, { pack: 'korea', currency: 'KRW' });
  await givenItem(shop, 'won_70000', { currency: 'KRW', priceMinor: 70_000n });
  const nameless = { identityNumber: null };
  const [first, second] = [
    await givenBuyerOfAge(shop, 10, nameless),
    await givenBuyerOfAge(shop, 10, nameless),
  ];
  const all = { itemId: 'won_70000' };
  // The catalogue is cached for two seconds.
  await eventually(async () => (await createOrder(shop, first, all)).isSuccess === true);
  await openPage(shop, first, await givenOrder(shop, first, all));
  expect(await createOrder(shop, first, all)).toMatchObject(refused('SpendingLimitReached'));
  expect(await createOrder(shop, second, all)).toMatchObject(taken);
  await givenRules(shop, { pack: 'china', currency: 'CNY' });
});

describe('concurrent payments of one person', () => {
  // Guards the lock on the person. With a lock on each account alone both would get through.
  test('only one of two concurrent payments from two accounts of a person gets the last room in their spending limit', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { first, second } = await givenChild();
      for (let count = 0; count < 3; count += 1) {
        await openPage(shop, first, await givenOrder(shop, first, fifty));
      }
      const orders = [await givenOrder(shop, first, fifty), await givenOrder(shop, second, fifty)];
      const [left, right] = orders;
      if (left === undefined || right === undefined) throw new Error('two orders were expected');

      const replies = await Promise.all([pay(shop, first, left), pay(shop, second, right)]);

      const codes = replies.map(({ code }) => code).toSorted();
      expect(codes).toEqual(['SpendingLimitReached', null].toSorted());
      expect(await attemptsOf(orders)).toBe(1);
    }
  });

  test('only one of twenty concurrent payments from five accounts of a person opens when their spending limit has room for one', async () => {
    const { all, first } = await givenChild({ accounts: 5 });
    for (let count = 0; count < 3; count += 1) {
      await openPage(shop, first, await givenOrder(shop, first, fifty));
    }
    const placed = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        const buyer = all[index % all.length];
        if (buyer === undefined) throw new Error('five accounts were expected');
        return { buyer, order: await givenOrder(shop, buyer, fifty) };
      }),
    );

    const replies = await Promise.all(placed.map(({ buyer, order }) => pay(shop, buyer, order)));

    const codes = replies.map(({ code }) => code);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === 'SpendingLimitReached')).toHaveLength(19);
    expect(await attemptsOf(placed.map(({ order }) => order))).toBe(1);
  });

  // Concurrent payments are serialized by the lock of their person, so an account must not be
  // assigned to another person while one of its payments is being opened.
  test("an import that changes an account's identity number waits until a payment being opened by the account is stored", async () => {
    const { first, identityNumber } = await givenChild();
    const other = await givenBuyerOfAge(shop, 10);
    const purchase = { siteId: 'solmere', currency: 'CNY', amountMinor: 50_00n };
    const [held, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const paying = shop.db.transaction(async (tx) => {
      await lockAndCheckSpending(tx, shop.people, { ...purchase, accountId: other.accountId });
      held.resolve();
      await released.promise;
    });
    await held.promise;
    let isImported = false;
    const importing = givenPerson(shop, other.accountId, { identityNumber }).then(() => {
      isImported = true;
    });
    await eventually(async () => (await waiters()) === 1);
    expect(isImported).toBe(false);
    // The other account of that person is not blocked.
    await openPage(shop, first, await givenOrder(shop, first, fifty));
    released.resolve();
    await Promise.all([paying, importing]);
    expect(isImported).toBe(true);
  });
});

async function waiters(): Promise<number> {
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`,
  );
  return count;
}

async function attemptsOf(orders: readonly OrderKey[]): Promise<number> {
  const records = await Promise.all(orders.map((order) => recordsOf(shop.db, order)));
  return records.flatMap(({ attempts }) => attempts).length;
}
