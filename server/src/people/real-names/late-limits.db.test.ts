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

// Money that comes when its order has given its room back passes no limit of the law.

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

/** An order that nobody is paying any more, with a page at the provider that is still open. */
async function givenOpenPage(
  buyer: Buyer,
  place: () => Promise<OrderKey> = () => givenOrder(shop, buyer, fifty),
): Promise<OrderKey> {
  // The one way to such a page: the provider made it and never said so.
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

/** What the provider's webhook makes a worker do. */
async function hear(order: OrderKey): Promise<void> {
  const reference = await attemptOf(shop, order);
  const [session] = await sessionsOf(shop, order);
  const pspRef = session?.id ?? '';
  const event = { psp: 'stripe', eventId: `evt_${pspRef}`, subject: { pspRef, reference } };
  await runJob(shop, 'process_webhook', event);
}

async function sendBack(order: OrderKey): Promise<void> {
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

async function isSentBack(buyer: Buyer, order: OrderKey): Promise<void> {
  expect(await refundsAt(shop, order)).toMatchObject([{ amount: 5000, status: 'succeeded' }]);
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Refunded',
    refunds: [{ reason: 'over_limit', state: 'done', amountMinor: 5000n }],
  });
  expect(await countDeliveries(order)).toBe(0);
  expect(await grantsOf(shop, order)).toEqual([]);
  expect(await booksOf(shop.db, order)).toEqual({ 'house:psp CNY': 0n, 'player:deposit CNY': 0n });
  expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  expect(await auditorsWords(order)).toEqual([]);
}

describe('late money of a child', () => {
  test('goes back by itself when the month is used up, and the player sees why', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenClosed(buyer);
    await spend(buyer);
    await payLate(order);
    await hear(order);
    const detail = await detailOf(shop, buyer, order);
    expect(detail).toMatchObject({
      shown: 'Processing',
      refunds: [{ reason: 'over_limit', state: 'pending' }],
    });
    await sendBack(order);
    await isSentBack(buyer, order);
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

  test('is delivered upon when there is room', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenClosed(buyer);
    await spend(buyer, { times: 3 });
    await payLate(order);
    await hear(order);
    await runJob(shop, 'deliver_order', order);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    expect(await refundRowsOf(shop.db, order)).toEqual([]);
  });

  test('goes back when another account of the same person has used the month up', async () => {
    const identityNumber = newIdentityNumber();
    const buyer = await givenBuyerOfAge(shop, 10, { identityNumber });
    const order = await givenClosed(buyer);
    await spend(await givenBuyerOfAge(shop, 10, { identityNumber }));
    await payLate(order);
    await hear(order);
    await sendBack(order);
    await isSentBack(buyer, order);
  });

  test('goes back when nobody knows any more who the player is', async () => {
    const buyer = await givenBuyerOfAge(shop, 30);
    const order = await givenClosed(buyer);
    await shop.db.transaction((tx) => shredPerson(tx, { accountId: buyer.accountId, by: 'ines' }));
    await payLate(order);
    await hear(order);
    await sendBack(order);
    await isSentBack(buyer, order);
  });

  // Its page has closed for us, and the room went to somebody else; only the provider thinks otherwise.
  test('goes back for an order that is still open but held no room', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenOpenPage(buyer);
    await spend(buyer);
    await payLate(order);
    await hear(order);
    await sendBack(order);
    await isSentBack(buyer, order);
  });

  test('buys no points', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenClosed(buyer, () => givenPointsOrder(shop, buyer));
    await spend(buyer);
    await payLate(order);
    await hear(order);
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 0 });
    await sendBack(order);
    await isSentBack(buyer, order);
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 0 });
  });

  test('is sent back once, though it is told of often and at once', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenClosed(buyer);
    await spend(buyer);
    await payLate(order);
    await Promise.all([hear(order), hear(order), hear(order)]);
    await hear(order);
    expect(await refundRowsOf(shop.db, order)).toHaveLength(1);
    await sendBack(order);
    await hear(order);
    expect(await refundRowsOf(shop.db, order)).toHaveLength(1);
    await isSentBack(buyer, order);
  });

  test('and a payment that is opened at the same moment: one of them has the room', async () => {
    for (let round = 0; round < 5; round += 1) {
      const buyer = await givenBuyerOfAge(shop, 10);
      const late = await givenClosed(buyer);
      await spend(buyer, { times: 3 });
      const next = await givenOrder(shop, buyer, fifty);
      await payLate(late);

      const [reply] = await Promise.all([pay(shop, buyer, next), hear(late)]);

      const [refund] = await refundRowsOf(shop.db, late);
      const isOpened = reply.code === null;
      expect(reply.code).toBe(isOpened ? null : 'SpendingLimitReached');
      expect(refund?.reason).toBe(isOpened ? 'over_limit' : undefined);
    }
  });
});

test("late money above the player's own budget is delivered upon: the player has paid it", async () => {
  const buyer = await givenBuyerOfAge(shop, 30);
  const order = await givenClosed(buyer);
  const body = { amountMinor: '0', currency: 'CNY' };
  await send(shop, setBudget.path, { cookie: buyer.cookie, body });
  await payLate(order);
  await hear(order);
  await runJob(shop, 'deliver_order', order);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
});

test('money in time is never asked about again, though the month is full', async () => {
  const buyer = await givenBuyerOfAge(shop, 10);
  await spend(buyer, { times: 3 });
  const order = await givenPaidOrder(shop, buyer, fifty);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Paid');
  expect(await refundRowsOf(shop.db, order)).toEqual([]);
});

describe.each([
  ['an item', undefined],
  ['points', (buyer: Buyer) => () => givenPointsOrder(shop, buyer)],
])('late money for %s that cannot be sent back', (_, place) => {
  test('gives nothing, and is in front of an operator, who sends it back', async () => {
    const buyer = await givenBuyerOfAge(shop, 10);
    const order = await givenClosed(buyer, place?.(buyer));
    await spend(buyer);
    await payLate(order);
    await hear(order);
    await planRefunds(shop, 'failed');
    await sendBack(order);
    await hear(order);

    expect((await recordsOf(shop.db, order)).order.state).toBe('stuck');
    expect(await countDeliveries(order)).toBe(0);
    expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 0, presentNum: 0 });
    expect(await casesOf(shop.db, order)).toMatchObject([{ kind: 'refund_failed' }]);
    expect(await auditorsWords(order)).toEqual([]);

    const { refundId } = await askRefund(shop, order);
    await runJob(shop, 'refund_payment', { ...order, refundId });
    expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp CNY': 0n,
      'player:deposit CNY': 0n,
    });
    expect(await auditorsWords(order)).toEqual([]);
  });
});

/** What the books find wrong with an order. */
async function auditorsWords({ paymentId }: OrderKey): Promise<string[]> {
  const { databaseUrl, stripe, game } = shop;
  const sandbox = { stripe: stripe.url, game: game.url };
  const findings = await checkBooks({ databaseUrl, sandbox });
  expect(findings.length).toBeGreaterThan(10);
  return findings
    .flatMap(({ violations }) => violations)
    .filter((violation) => violation.includes(paymentId));
}
