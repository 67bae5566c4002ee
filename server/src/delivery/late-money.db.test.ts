import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, detailOf, givenBuyer, givenOrder, grantsOf, pay } from '../../test/buying.ts';
import {
  attemptOf,
  casesOf,
  deliveryOf,
  givenPaidOrder,
  payLate,
  planRefunds,
  refundRowsOf,
  refundsAt,
  runJob,
  startJob,
} from '../../test/money-back.ts';
import {
  booksOf,
  brokenLinks,
  letExpire,
  letPageExpire,
  type OrderKey,
  recordsOf,
} from '../../test/orders.ts';
import { openTestShop, resetWorld, type TestShop } from '../../test/shop.ts';
import { eraseAccount } from '../people/privacy/privacy.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => resetWorld(shop));
afterAll(() => shop.closeAll());

const fault = (call: string, kind: string, more: object = {}) =>
  shop.game.tell('/__sandbox/faults', { call: `recharge.${call}`, kind, ...more });

/**
 * An order that was paid after it was closed. That takes a payment page that outlives its order: the
 * provider created it, and the answer was lost.
 */
async function givenLatePayment(): Promise<OrderKey> {
  const order = await givenClosedOrder(buyer);
  expect((await detailOf(shop, buyer, order)).shown).toBe('PaymentFailed');
  await payLate(shop, order);
  expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Paid', closedReason: null });
  return order;
}

async function givenClosedOrder(by: Buyer): Promise<OrderKey> {
  const match = 'POST /v1/checkout/sessions';
  await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_after_commit' });
  const order = await givenOrder(shop, by);
  await pay(shop, by, order);
  const reference = await attemptOf(shop, order);
  await letPageExpire(shop.db, order);
  await runJob(shop, 'check_attempt', reference);
  await letExpire(shop.db, order);
  await runJob(shop, 'expire_order', order);
  return order;
}

const Calls = z.object({
  calls: z.array(z.object({ call: z.string(), paymentId: z.string().nullable() })),
});

/** The game calls about an order, oldest first. */
async function askedOf({ paymentId }: OrderKey): Promise<string[]> {
  const { calls } = Calls.parse(await shop.game.ask('/__sandbox/records?limit=50'));
  return calls
    .filter((call) => call.paymentId === paymentId)
    .map(({ call }) => call)
    .toReversed();
}

async function isSentBack(order: OrderKey): Promise<void> {
  const [refund] = await refundRowsOf(shop.db, order);
  expect(refund).toMatchObject({ reason: 'late_and_gone', requested_by: 'shop' });
  await runJob(shop, 'refund_payment', { ...order, refundId: refund?.refund_id });
  expect(await refundsAt(shop, order)).toMatchObject([{ amount: 499, status: 'succeeded' }]);
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Refunded',
    refunds: [{ reason: 'late_and_gone', state: 'done' }],
  });
  expect(await grantsOf(shop, order)).toEqual([]);
  expect(await booksOf(shop.db, order)).toEqual({
    'house:psp USD': 0n,
    'player:deposit USD': 0n,
  });
  expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
}

test('an order paid after its expiry is delivered when the game validates the order again', async () => {
  const order = await givenLatePayment();
  await runJob(shop, 'deliver_order', order);
  expect(await askedOf(order)).toEqual(['recharge.validate', 'recharge.deliver']);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
  expect(await grantsOf(shop, order)).toHaveLength(1);
  expect(await refundRowsOf(shop.db, order)).toEqual([]);
});

test('an order paid after its expiry is refunded automatically when the game no longer accepts the order', async () => {
  const order = await givenLatePayment();
  await fault('validate', 'refuse', { reason: 'item_unavailable' });
  await runJob(shop, 'deliver_order', order);
  expect(await askedOf(order)).toEqual(['recharge.validate']);
  await isSentBack(order);
});

test('an order of an erased account that is paid after its expiry is refunded, because the game does not know the character', async () => {
  const leaving = await givenBuyer(shop);
  const order = await givenClosedOrder(leaving);
  const erasure = { accountId: leaving.accountId, by: 'ines', reason: 'asked for' };
  expect(await eraseAccount(shop.db, erasure)).toBe('erased');
  await payLate(shop, order);
  await runJob(shop, 'deliver_order', order);
  expect(await askedOf(order)).toEqual(['recharge.validate']);
  const [refund] = await refundRowsOf(shop.db, order);
  await runJob(shop, 'refund_payment', { ...order, refundId: refund?.refund_id });
  expect(await refundsAt(shop, order)).toMatchObject([{ amount: 499, status: 'succeeded' }]);
  expect(await grantsOf(shop, order)).toEqual([]);
});

test('an order paid after its expiry is refunded once when two workers find that the game refuses the order', async () => {
  const order = await givenLatePayment();
  await fault('validate', 'refuse', { times: 2 });
  const writes = await Promise.all([1, 2].map(() => startJob(shop, 'deliver_order', order)));
  await Promise.all(writes.map((write) => shop.db.transaction(write)));
  expect(await refundRowsOf(shop.db, order)).toHaveLength(1);
  await isSentBack(order);
});

test('an order paid after its expiry waits while the game gives no clear validation answer, and is validated later', async () => {
  const order = await givenLatePayment();
  await fault('validate', 'http500_before');
  await runJob(shop, 'deliver_order', order);
  expect(await deliveryOf(shop.db, order)).toMatchObject({ state: 'queued', tries: 1 });
  expect((await detailOf(shop, buyer, order)).nextDeliveryAt).not.toBeNull();

  await fault('validate', 'refuse');
  await runJob(shop, 'deliver_order', order);
  expect(await askedOf(order)).toEqual(['recharge.validate', 'recharge.validate']);
  await isSentBack(order);
});

// A game may refuse to validate an order that it has just granted; the grant must stand.
test('an order paid after its expiry is not validated by the game again once its delivery call was made', async () => {
  const order = await givenLatePayment();
  await fault('deliver', 'cut_after_commit');
  await startJob(shop, 'deliver_order', order); // the game grants, and the worker never commits
  expect(await grantsOf(shop, order)).toHaveLength(1);
  await fault('validate', 'refuse', { reason: 'limit_reached', times: 10 });

  await runJob(shop, 'deliver_order', order);

  expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
  expect(await grantsOf(shop, order)).toHaveLength(1);
  expect(await refundRowsOf(shop.db, order)).toEqual([]);
});

test('an order paid after its expiry that one worker delivers is not refunded by another', async () => {
  const order = await givenLatePayment();
  await fault('validate', 'refuse');
  const write = await startJob(shop, 'deliver_order', order);
  await runJob(shop, 'deliver_order', order); // this time the game accepts the order
  await shop.db.transaction(write);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
  expect(await refundRowsOf(shop.db, order)).toEqual([]);
});

test('an order paid after its expiry whose automatic refund fails opens an operator case', async () => {
  const order = await givenLatePayment();
  await planRefunds(shop, 'failed');
  await fault('validate', 'refuse', { times: 10 });
  await runJob(shop, 'deliver_order', order);
  const [refund] = await refundRowsOf(shop.db, order);
  await runJob(shop, 'refund_payment', { ...order, refundId: refund?.refund_id });
  await runJob(shop, 'deliver_order', order);

  expect(await refundRowsOf(shop.db, order)).toHaveLength(1); // not requested again automatically
  expect(await grantsOf(shop, order)).toEqual([]);
  expect(await casesOf(shop.db, order)).toMatchObject([{ kind: 'refund_failed' }]);
});

test('an order paid before its expiry is delivered without a second validation by the game', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await runJob(shop, 'deliver_order', order);
  expect(await askedOf(order)).toEqual(['recharge.deliver']);
});
