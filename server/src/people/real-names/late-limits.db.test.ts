import { setBudget } from '@pointgate/contract/people.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { checkBooks } from '../../../../tools/books/check-books.ts';
import {
  type Buyer,
  detailOf,
  givenItem,
  givenOrder,
  grantsOf,
  openPage,
  pay,
  payAtProvider,
  sessionsOf,
} from '../../../test/buying.ts';
import { givenBuyerOfAge, givenRules, newIdentityNumber } from '../../../test/limits.ts';
import {
  askRefund,
  attemptOf,
  casesOf,
  givenPaidOrder,
  planRefunds,
  refundRowsOf,
  refundsAt,
  runJob,
} from '../../../test/money-back.ts';
import {
  booksOf,
  brokenLinks,
  letExpire,
  letPageExpire,
  type OrderKey,
  recordsOf,
} from '../../../test/orders.ts';
import { personEnvironment } from '../../../test/people.ts';
import { balanceOf, givenPointsOrder } from '../../../test/point-buying.ts';
import { openTestShop, resetWorld, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { shredPerson } from './real-names.ts';

// A late payment, whose order no longer holds room in the limit, must not exceed the legal limit.

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...personEnvironment() });
  await givenItem(shop, 'yuan_50', { currency: 'CNY', priceMinor: 50_00n });
  await shop.db.transaction((tx) =>
    tx.run(sql`
      insert into point_pack_prices (pack_id, currency, amount_minor)
      values ('epoint_500', 'CNY', 5000)`),
  );
  await givenRules(shop, { pack: 'china', currency: 'CNY' });
});
beforeEach(() => resetWorld(shop));
afterAll(() => shop.closeAll());

const fifty = { itemId: 'yuan_50' };

/** An order without an open payment attempt, whose page at the provider still accepts payment. */
async function givenOpenPage(
  buyer: Buyer,
  place: () => Promise<OrderKey> = () => givenOrder(shop, buyer, fifty),
): Promise<OrderKey> {
  // The only way to such a page: the provider creates it, but its response is lost.
  const match = 'POST /v1/checkout/sessions';
  await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_after_commit' });
  const order = await place();
  await pay(shop, buyer, order);
  await letPageExpire(shop.db, order);
  await runJob(shop, 'check_attempt', await attemptOf(shop, order));
  expect((await detailOf(shop, buyer, order)).shown).toBe('Unpaid');
  return order;
}

async function givenClosed(buyer: Buyer, place?: () => Promise<OrderKey>): Promise<OrderKey> {
  const order = await givenOpenPage(buyer, place);
  await letExpire(shop.db, order);
  await runJob(shop, 'expire_order', order);
  expect((await detailOf(shop, buyer, order)).shown).toBe('PaymentFailed');
  return order;
}

/** Uses up what a child may pay in a month, or all but one payment of it. */
async function spend(buyer: Buyer, { times = 4 } = {}): Promise<void> {
  for (let count = 0; count < times; count += 1) {
    await openPage(shop, buyer, await givenOrder(shop, buyer, fifty));
  }
}

async function payLate(order: OrderKey): Promise<void> {
  const [session] = await sessionsOf(shop, order);
  await payAtProvider(shop, session?.id ?? '');
}

/** Runs the job that the provider's webhook enqueues. */
async function processWebhook(order: OrderKey): Promise<void> {
  const reference = await attemptOf(shop, order);
  const [session] = await sessionsOf(shop, order);
  const pspRef = session?.id ?? '';
  const event = { psp: 'stripe', eventId: `evt_${pspRef}`, subject: { pspRef, reference } };
  await runJob(shop, 'process_webhook', event);
}

async function runRefund(order: OrderKey): Promise<void> {
  const [refund] = await refundRowsOf(shop.db, order);
  expect(refund).toMatchObject({
    reason: 'over_limit',
    requested_by: 'shop',
    amount_minor: 5000n,
    currency: 'CNY',
  });
  await runJob(shop, 'refund_payment', { ...order, refundId: refund?.refund_id });
}

async function countDeliveries({ accountId, paymentId }: OrderKey): Promise<number> {
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`
      select count(*)::int as count from deliveries
      where account_id = ${accountId} and payment_id = ${paymentId}`,
  );
  return count;
}

async function expectRefunded(buyer: Buyer, order: OrderKey): Promise<void> {
  expect(await refundsAt(shop, order)).toMatchObject([{ amount: 5000, status: 'succeeded' }]);
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Refunded',
    refunds: [{ reason: 'over_limit', state: 'done', amountMinor: 5000n }],
  });
  expect(await countDeliveries(order)).toBe(0);
  expect(await grantsOf(shop, order)).toEqual([]);
  expect(await booksOf(shop.db, order)).toEqual({ 'house:psp CNY': 0n, 'player:deposit CNY': 0n });
  expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  expect(await violationsOf(order)).toEqual([]);
}

describe('late payments of a child', () => {
  test('a payment after order expiry above the monthly limit of a child is refunded automatically, and the player sees why', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenClosed(buyer);
    await spend(buyer);
    await payLate(order);
    await processWebhook(order);
    const detail = await detailOf(shop, buyer, order);
    expect(detail).toMatchObject({
      shown: 'Processing',
      refunds: [{ reason: 'over_limit', state: 'pending' }],
    });
    await runRefund(order);
    await expectRefunded(buyer, order);
    expect(await casesOf(shop.db, order)).toEqual([]);
    const { timeline } = await detailOf(shop, buyer, order);
    expect(timeline.map(({ step }) => step)).toEqual([
      'created',
      'payment_opened',
      'expired',
      'paid',
      'refunding',
      'refunded',
    ]);
  });

  test('a payment after order expiry within the monthly limit of a child is delivered', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenClosed(buyer);
    await spend(buyer, { times: 3 });
    await payLate(order);
    await processWebhook(order);
    await runJob(shop, 'deliver_order', order);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    expect(await refundRowsOf(shop.db, order)).toEqual([]);
  });

  test('a payment after order expiry is refunded when another account of the same person has used up the monthly limit', async () => {
    const identityNumber = newIdentityNumber();
    const buyer = await givenBuyerOfAge(shop, 10, { identityNumber });
    const order = await givenClosed(buyer);
    await spend(await givenBuyerOfAge(shop, 10, { identityNumber }));
    await payLate(order);
    await processWebhook(order);
    await runRefund(order);
    await expectRefunded(buyer, order);
  });

  test("a late payment is refunded when the player's real-name data was shredded (made unreadable) meanwhile", async () => {
    const buyer = await givenBuyerOfAge(shop, 30);
    const order = await givenClosed(buyer);
    await shop.db.transaction((tx) => shredPerson(tx, { accountId: buyer.accountId, by: 'ines' }));
    await payLate(order);
    await processWebhook(order);
    await runRefund(order);
    await expectRefunded(buyer, order);
  });

  // The shop considers the page closed and has freed its room, but the provider still accepts payment.
  test('an order of a child whose payment arrives after its expiry is refunded if the monthly limit has been used up meanwhile', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenOpenPage(buyer);
    await spend(buyer);
    await payLate(order);
    await processWebhook(order);
    await runRefund(order);
    await expectRefunded(buyer, order);
  });

  test('a payment after order expiry for E Points above the spending limit of a child is refunded and credits no E Points', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenClosed(buyer, () => givenPointsOrder(shop, buyer));
    await spend(buyer);
    await payLate(order);
    await processWebhook(order);
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 0 });
    await runRefund(order);
    await expectRefunded(buyer, order);
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 0 });
  });

  test("a payment after order expiry above a child's spending limit is refunded once, although its webhook is processed five times", async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenClosed(buyer);
    await spend(buyer);
    await payLate(order);
    await Promise.all([processWebhook(order), processWebhook(order), processWebhook(order)]);
    await processWebhook(order);
    expect(await refundRowsOf(shop.db, order)).toHaveLength(1);
    await runRefund(order);
    await processWebhook(order);
    expect(await refundRowsOf(shop.db, order)).toHaveLength(1);
    await expectRefunded(buyer, order);
  });

  test('either a payment after order expiry or a payment opened at the same moment gets the last room in the spending limit', async () => {
    for (let round = 0; round < 5; round += 1) {
      const buyer = await givenBuyerOfAge(shop, 10);
      const late = await givenClosed(buyer);
      await spend(buyer, { times: 3 });
      const next = await givenOrder(shop, buyer, fifty);
      await payLate(late);

      const [reply] = await Promise.all([pay(shop, buyer, next), processWebhook(late)]);

      const [refund] = await refundRowsOf(shop.db, late);
      const isOpened = reply.code === null;
      expect(reply.code).toBe(isOpened ? null : 'SpendingLimitReached');
      expect(refund?.reason).toBe(isOpened ? 'over_limit' : undefined);
    }
  });
});

test("an order paid after its expiry is delivered even if the player's own spending budget is used up", async () => {
  const buyer = await givenBuyerOfAge(shop, 30);
  const order = await givenClosed(buyer);
  const body = { amountMinor: '0', currency: 'CNY' };
  await send(shop, setBudget.path, { cookie: buyer.cookie, body });
  await payLate(order);
  await processWebhook(order);
  await runJob(shop, 'deliver_order', order);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
});

test('an order of a child that is paid in time and exactly fills the monthly spending limit is not refunded', async () => {
  const buyer = await givenBuyerOfAge(shop, 10);
  await spend(buyer, { times: 3 });
  const order = await givenPaidOrder(shop, buyer, fifty);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Paid');
  expect(await refundRowsOf(shop.db, order)).toEqual([]);
});

describe.each([
  ['an item', undefined],
  ['points', (buyer: Buyer) => () => givenPointsOrder(shop, buyer)],
])('payments for %s after order expiry, above a spending limit, whose refund fails', (_, place) => {
  test("an order paid after its expiry above a child's spending limit, whose refund fails, is not delivered and opens an operator case", async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenClosed(buyer, place?.(buyer));
    await spend(buyer);
    await payLate(order);
    await processWebhook(order);
    await planRefunds(shop, 'failed');
    await runRefund(order);
    await processWebhook(order);

    expect((await recordsOf(shop.db, order)).order.state).toBe('stuck');
    expect(await countDeliveries(order)).toBe(0);
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 0 });
    expect(await casesOf(shop.db, order)).toMatchObject([{ kind: 'refund_failed' }]);
    expect(await violationsOf(order)).toEqual([]);

    const { refundId } = await askRefund(shop, order);
    await runJob(shop, 'refund_payment', { ...order, refundId });
    expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp CNY': 0n,
      'player:deposit CNY': 0n,
    });
    expect(await violationsOf(order)).toEqual([]);
  });
});

/** Violations that the check of the books reports for an order. */
async function violationsOf({ paymentId }: OrderKey): Promise<string[]> {
  const { databaseUrl, stripe, game } = shop;
  const sandbox = { stripe: stripe.url, game: game.url };
  const findings = await checkBooks({ databaseUrl, sandbox });
  expect(findings.length).toBeGreaterThan(10);
  return findings
    .flatMap(({ violations }) => violations)
    .filter((violation) => violation.includes(paymentId));
}
