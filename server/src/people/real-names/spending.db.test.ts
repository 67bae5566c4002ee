import { randomUUID } from 'node:crypto';
import { queryBudget, setBudget } from '@pointgate/contract/people.ts';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import {
  type Buyer,
  countOrders,
  createOrder,
  givenBuyer,
  givenItem,
  givenOrder,
  openPage,
  pay,
} from '../../../test/buying.ts';
import { givenBuyerOfAge, givenRules } from '../../../test/limits.ts';
import { askRefund, attemptOf, givenPaidOrder, runJob } from '../../../test/money-back.ts';
import { letExpire, type OrderKey, recordsOf } from '../../../test/orders.ts';
import { givenPerson, personEnvironment } from '../../../test/people.ts';
import {
  createPointsOrder,
  givenOrderInPoints,
  givenPoints,
  givenPointsOrder,
  payWithPoints,
} from '../../../test/point-buying.ts';
import { eventually, openTestShop, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...personEnvironment() });
  for (const yuan of [1n, 50n, 51n, 100n, 101n]) {
    await givenItem(shop, `yuan_${yuan}`, { currency: 'CNY', priceMinor: yuan * 100n });
  }
  await givenItem(shop, 'fen_5001', { currency: 'CNY', priceMinor: 5001n });
  await change(sql`
    insert into item_prices (item_id, currency, amount_minor) values ('yuan_1', 'USD', 100), ('shards_300', 'CNY', 3000)`);
  await change(sql`
    insert into point_pack_prices (pack_id, currency, amount_minor)
    values ('epoint_500', 'CNY', 5000)`);
  await givenRules(shop, { pack: 'china', currency: 'CNY' });
});
afterAll(() => shop.closeAll());
afterEach(() => {
  shop.people.now = Date.now;
});

const change = (statement: ReturnType<typeof sql>) =>
  shop.db.transaction((tx) => tx.run(statement));

const refused = (code: string) => ({ isSuccess: false, code, data: null, httpStatus: 200 });
const taken = { isSuccess: true, code: null };

const fifty = { itemId: 'yuan_50' };
const one = { itemId: 'yuan_1' };

const paidAt = (order: OrderKey, at: string) =>
  change(sql`
    update orders set paid_at = ${at}
    where account_id = ${order.accountId} and payment_id = ${order.paymentId}`);

describe('spending limits in mainland China', () => {
  test('a player in mainland China without a real name can order neither items nor points', async () => {
    const buyer = await givenBuyer(shop);
    expect(await createOrder(shop, buyer, one)).toMatchObject(refused('RealNameNeeded'));
    expect(await createPointsOrder(shop, buyer)).toMatchObject(refused('RealNameNeeded'));
    expect(await countOrders(shop, buyer)).toBe(0);
  });

  test.each([['fullName'], ['identityNumber'], ['birthday']] as const)(
    'real-name data without the field %s does not meet the real-name requirement for an order',
    async (field) => {
      const buyer = await givenBuyer(shop);
      await givenPerson(shop, buyer.accountId, { [field]: null });
      expect(await createOrder(shop, buyer, one)).toMatchObject(refused('RealNameNeeded'));
    },
  );

  test("an order placed before its player's real-name data was shredded can no longer be paid", async () => {
    const buyer = await givenBuyerOfAge(shop, 30);
    const order = await givenOrder(shop, buyer, fifty);
    await change(sql`delete from person_keys where account_id = ${buyer.accountId}`);
    expect(await pay(shop, buyer, order)).toMatchObject(refused('RealNameNeeded'));
    const records = await recordsOf(shop.db, order);
    expect(records.attempts).toEqual([]);
    expect(records.order.state).toBe('created');
  });

  test('a child under 8 in mainland China cannot place a paid order', async () => {
    const buyer = await givenBuyerOfAge(shop, 7);
    expect(await createOrder(shop, buyer, one)).toMatchObject(refused('SpendingLimitReached'));
  });

  test.each([
    [8, 'yuan_50', 'fen_5001'],
    [15, 'yuan_50', 'yuan_51'],
    [16, 'yuan_100', 'yuan_101'],
    [17, 'yuan_100', 'yuan_101'],
  ])(
    'a player in mainland China aged %i can order %s in one payment but not %s',
    async (age, allowed, tooMuch) => {
      const buyer = await givenBuyerOfAge(shop, age);
      expect(await createOrder(shop, buyer, { itemId: tooMuch })).toMatchObject(
        refused('SpendingLimitReached'),
      );
      expect(await createOrder(shop, buyer, { itemId: allowed })).toMatchObject(taken);
    },
  );

  test('the payment limit applies to the total price of an order, not to the price of one pack', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    expect(await createOrder(shop, buyer, { ...one, quantity: 51 })).toMatchObject(
      refused('SpendingLimitReached'),
    );
    expect(await createOrder(shop, buyer, { ...one, quantity: 50 })).toMatchObject(taken);
  });

  test('an adult in mainland China has no spending limit', async () => {
    const buyer = await givenBuyerOfAge(shop, 18);
    for (let count = 0; count < 5; count += 1) {
      await openPage(shop, buyer, await givenOrder(shop, buyer, { itemId: 'yuan_101' }));
    }
  });

  test('a minor can spend the monthly limit exactly to the last fen and nothing beyond', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const last = await givenOrder(shop, buyer, one);
    const spend: OrderKey[] = [];
    for (let count = 0; count < 4; count += 1) spend.push(await givenOrder(shop, buyer, fifty));
    for (const order of spend) expect(await pay(shop, buyer, order)).toMatchObject(taken);

    expect(await pay(shop, buyer, last)).toMatchObject(refused('SpendingLimitReached'));
    expect(await createOrder(shop, buyer, one)).toMatchObject(refused('SpendingLimitReached'));
    // Reopening the page of an open payment does not count as a second payment.
    const [first] = spend;
    if (first === undefined) throw new Error('at least one order was expected');
    expect(await pay(shop, buyer, first)).toMatchObject(taken);
  });

  test('bought E Points count toward the spending limit when they are bought, not when they are spent', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    for (let count = 0; count < 4; count += 1) {
      await openPage(shop, buyer, await givenPointsOrder(shop, buyer));
    }
    expect(await createPointsOrder(shop, buyer)).toMatchObject(refused('SpendingLimitReached'));
    await givenPoints(shop, buyer, { basic: 10_000n });
    const inPoints = await givenOrderInPoints(shop, buyer);
    expect(await payWithPoints(shop, buyer, inPoints)).toMatchObject(taken);
  });

  test('an expired payment frees its room in the spending limit', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const orders: OrderKey[] = [];
    for (let count = 0; count < 5; count += 1) orders.push(await givenOrder(shop, buyer, fifty));
    const [first, second, third, fourth, fifth] = orders;
    if (!first || !second || !third || !fourth || !fifth)
      throw new Error('five orders were expected');
    for (const order of [first, second, third]) await openPage(shop, buyer, order);
    await openPage(shop, buyer, fourth);
    expect(await pay(shop, buyer, fifth)).toMatchObject(refused('SpendingLimitReached'));
    await letExpire(shop.db, fourth);
    await runJob(shop, 'expire_order', fourth);
    expect(await pay(shop, buyer, fifth)).toMatchObject(taken);
  });

  test('a completed refund frees the refunded amount in the spending limit', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const paid: OrderKey[] = [];
    for (let count = 0; count < 4; count += 1) {
      paid.push(await givenPaidOrder(shop, buyer, fifty));
    }
    expect(await createOrder(shop, buyer, one)).toMatchObject(refused('SpendingLimitReached'));
    const [first] = paid;
    if (first === undefined) throw new Error('at least one paid order was expected');
    const { refundId } = await askRefund(shop, first, { amountMinor: 100n });
    expect(await createOrder(shop, buyer, one)).toMatchObject(refused('SpendingLimitReached'));
    await runJob(shop, 'refund_payment', { ...first, refundId });
    await runJob(shop, 'ask_provider', await attemptOf(shop, first));
    expect(await createOrder(shop, buyer, { ...one, quantity: 2 })).toMatchObject(
      refused('SpendingLimitReached'),
    );
    expect(await createOrder(shop, buyer, one)).toMatchObject(taken);
  });

  test('the monthly spending limit in mainland China resets at midnight Shanghai time', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const orders: OrderKey[] = [];
    for (let count = 0; count < 4; count += 1) {
      orders.push(await givenPaidOrder(shop, buyer, fifty));
    }
    const year = new Date().getUTCFullYear();
    const allPaidAt = async (at: string) => {
      for (const order of orders) await paidAt(order, at);
    };
    shop.people.now = () => Date.parse(`${year}-11-30T16:00:00Z`);
    await allPaidAt(`${year}-11-30T15:59:59.999Z`);
    expect(await createOrder(shop, buyer, fifty)).toMatchObject(taken);
    await allPaidAt(`${year}-11-30T16:00:00Z`);
    expect(await createOrder(shop, buyer, one)).toMatchObject(refused('SpendingLimitReached'));
    shop.people.now = () => Date.parse(`${year}-12-31T15:59:59Z`);
    expect(await createOrder(shop, buyer, one)).toMatchObject(refused('SpendingLimitReached'));
    shop.people.now = () => Date.parse(`${year}-12-31T16:00:00Z`);
    expect(await createOrder(shop, buyer, fifty)).toMatchObject(taken);
  });

  // Guards the row lock. Without it, concurrent payments do not see each other.
  test('only one of twenty concurrent payments opens when the spending limit has room for one', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    for (let count = 0; count < 3; count += 1) {
      await openPage(shop, buyer, await givenOrder(shop, buyer, fifty));
    }
    const orders = await Promise.all(
      Array.from({ length: 20 }, () => givenOrder(shop, buyer, fifty)),
    );

    const replies = await Promise.all(orders.map((order) => pay(shop, buyer, order)));

    const codes = replies.map(({ code }) => code).sort();
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === 'SpendingLimitReached')).toHaveLength(19);
    const records = await Promise.all(orders.map((order) => recordsOf(shop.db, order)));
    expect(records.flatMap(({ attempts }) => attempts)).toHaveLength(1);
  });

  test('the spending of one player does not count toward the limit of another player', async () => {
    const [buyer, other] = [await givenBuyerOfAge(shop, 10), await givenBuyerOfAge(shop, 10)];
    for (let count = 0; count < 4; count += 1) {
      await openPage(shop, buyer, await givenOrder(shop, buyer, fifty));
    }
    expect(await createOrder(shop, other, fifty)).toMatchObject(taken);
  });
});

describe('player budgets', () => {
  const set = (buyer: Buyer, amountMinor: string | null, currency = 'CNY') =>
    send(shop, setBudget.path, { cookie: buyer.cookie, body: { amountMinor, currency } });
  const query = (buyer: Buyer, currency = 'CNY') =>
    send(shop, queryBudget.path, { cookie: buyer.cookie, body: { currency } });
  const budget = (amountMinor: string | null, pending: object | null = null, spentMinor = '0') => ({
    currency: 'CNY',
    amountMinor,
    spentMinor,
    pending,
  });

  test('a player has no spending budget before setting one', async () => {
    expect((await query(await givenBuyer(shop))).data).toEqual(budget(null));
  });

  test('a new spending budget takes effect at once, counts payments in progress and applies to one currency', async () => {
    const buyer = await givenBuyerOfAge(shop, 30);
    const orders = [await givenOrder(shop, buyer, fifty), await givenOrder(shop, buyer, one)];
    expect((await set(buyer, '5000')).data).toEqual(budget('5000'));
    const [first, second] = orders;
    if (!first || !second) throw new Error('two orders were expected');
    expect(await pay(shop, buyer, first)).toMatchObject(taken);
    expect(await pay(shop, buyer, second)).toMatchObject(refused('BudgetReached'));
    expect(await createOrder(shop, buyer, one)).toMatchObject(refused('BudgetReached'));
    expect((await query(buyer)).data).toEqual(budget('5000', null, '5000'));
    // Each currency has its own budget.
    expect((await query(buyer, 'USD')).data).toMatchObject({ amountMinor: null, spentMinor: '0' });
  });

  test('a spending budget of zero refuses every order, and an exceeded legal limit is reported first', async () => {
    const [adult, child] = [await givenBuyerOfAge(shop, 30), await givenBuyerOfAge(shop, 7)];
    for (const buyer of [adult, child]) await set(buyer, '0');
    expect(await createOrder(shop, adult, one)).toMatchObject(refused('BudgetReached'));
    expect(await createOrder(shop, child, one)).toMatchObject(refused('SpendingLimitReached'));
  });

  test.each([['10000'], [null]])(
    'a raise of the spending budget to %s takes effect after 24 hours, and the response states the time',
    async (raised) => {
      const start = Date.now();
      shop.people.now = () => start;
      const buyer = await givenBuyerOfAge(shop, 30);
      await set(buyer, '100');
      const pending = {
        amountMinor: raised,
        from: new Date(start + 24 * 60 * 60_000).toISOString(),
      };
      expect((await set(buyer, raised)).data).toEqual(budget('100', pending));

      shop.people.now = () => start + 24 * 60 * 60_000 - 1;
      expect((await set(buyer, raised)).data).toEqual(budget('100', pending));
      expect(await createOrder(shop, buyer, fifty)).toMatchObject(refused('BudgetReached'));
      expect((await query(buyer)).data).toEqual(budget('100', pending));

      shop.people.now = () => start + 24 * 60 * 60_000;
      expect((await query(buyer)).data).toEqual(budget(raised));
      expect(await createOrder(shop, buyer, fifty)).toMatchObject(taken);
    },
  );

  test('a lowered spending budget takes effect at once and cancels a pending raise', async () => {
    const start = Date.now();
    shop.people.now = () => start;
    const buyer = await givenBuyerOfAge(shop, 30);
    await set(buyer, '5000');
    const order = await givenOrder(shop, buyer, fifty);
    await set(buyer, null);
    expect((await set(buyer, '4999')).data).toEqual(budget('4999'));
    expect(await pay(shop, buyer, order)).toMatchObject(refused('BudgetReached'));
    shop.people.now = () => start + 25 * 60 * 60_000;
    expect((await query(buyer)).data).toEqual(budget('4999'));
  });

  test.each([
    ['-1', 'CNY'],
    ['1.5', 'CNY'],
    ['1', 'EPOINT'],
    ['1', 'XXX'],
  ])('a spending budget of %s %s is refused as malformed', async (amountMinor, currency) => {
    const buyer = await givenBuyer(shop);
    expect(await set(buyer, amountMinor, currency)).toMatchObject({
      httpStatus: 400,
      code: 'InvalidParams',
    });
  });

  test('calls about the spending budget are refused without a session', async () => {
    const body = { amountMinor: '1', currency: 'CNY' };
    expect((await send(shop, setBudget.path, { body })).httpStatus).toBe(203);
    const { currency } = body;
    expect((await send(shop, queryBudget.path, { body: { currency } })).httpStatus).toBe(203);
  });

  // Guards the row lock between a budget and a payment as well as that between payments.
  test("only one of twenty concurrent payments opens when the player's spending budget has room for one", async () => {
    const buyer = await givenBuyerOfAge(shop, 30);
    const orders = await Promise.all(
      Array.from({ length: 20 }, () => givenOrder(shop, buyer, fifty)),
    );
    await set(buyer, '9999');
    const replies = await Promise.all(orders.map((order) => pay(shop, buyer, order)));
    const codes = replies.map(({ code }) => code);
    expect(codes.filter((code) => code === null)).toHaveLength(1);
    expect(codes.filter((code) => code === 'BudgetReached')).toHaveLength(19);
  });
});

// These run last, because they change the rules of the site.
describe('a site whose currency differs from its rules', () => {
  beforeAll(() => givenRules(shop, { pack: 'china', currency: 'USD' }));

  test('a minor cannot order on a site whose currency differs from that of its spending rules, but an adult can', async () => {
    const [minor, adult] = [await givenBuyerOfAge(shop, 17), await givenBuyerOfAge(shop, 18)];
    expect(await createOrder(shop, minor, one)).toMatchObject(refused('SpendingLimitReached'));
    expect(await createOrder(shop, adult, one)).toMatchObject(taken);
  });
});

describe('rules of a site', () => {
  test('a site without spending rules requires no real name and lets a minor pay', async () => {
    await givenRules(shop, { pack: 'none', currency: 'CNY' });
    expect(await createOrder(shop, await givenBuyer(shop), fifty)).toMatchObject(taken);
    expect(await createOrder(shop, await givenBuyerOfAge(shop, 7), fifty)).toMatchObject(taken);
  });

  test('a site with the spending rules of Korea limits minors per month and requires no real name', async () => {
    const itemId = `won_${randomUUID().slice(0, 8)}`;
    await givenItem(shop, itemId, { currency: 'KRW', priceMinor: 70_000n });
    await givenItem(shop, `${itemId}_1`, { currency: 'KRW', priceMinor: 1n });
    await givenRules(shop, { pack: 'korea', currency: 'KRW' });
    const next = { itemId: `${itemId}_1` };
    const nobodyKnown = await givenBuyer(shop);
    // The catalogue is cached for two seconds as well.
    await eventually(async () => (await createOrder(shop, nobodyKnown, next)).isSuccess === true);
    expect(await createOrder(shop, nobodyKnown, { itemId })).toMatchObject(taken);
    const minor = await givenBuyerOfAge(shop, 17);
    await openPage(shop, minor, await givenOrder(shop, minor, { itemId }));
    expect(await createOrder(shop, minor, next)).toMatchObject(refused('SpendingLimitReached'));
  });

  test('a site that is set to an unknown policy pack of spending rules sells nothing', async () => {
    // Simulates a row written by a release that did not check the name.
    await shop.db.transaction((tx) =>
      tx.run(sql`alter table sites drop constraint site_rules_are_known`),
    );
    await givenRules(shop, { pack: 'chian', currency: 'CNY' });
    expect(await createOrder(shop, await givenBuyer(shop), fifty)).toMatchObject({
      httpStatus: 503,
      code: 'SiteUnavailable',
    });
  });
});
