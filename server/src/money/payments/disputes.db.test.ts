import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Buyer,
  detailOf,
  givenBuyer,
  grantsOf,
  openPage,
  payAtProvider,
  untilShown,
} from '../../../test/buying.ts';
import {
  askProvider,
  askRefund,
  attemptOf,
  breakPromise,
  casesOf,
  deliveryOf,
  givenArrivedOrder,
  givenDispute,
  givenPaidOrder,
  refundsAt,
  revocationOf,
  runJob,
  type TestDispute,
  withWorkerFor,
} from '../../../test/money-back.ts';
import { booksOf, brokenLinks, hurryJobs, type OrderKey, recordsOf } from '../../../test/orders.ts';
import {
  balanceOf,
  givenOrderInPoints,
  givenPaidInPoints,
  givenPoints,
  givenPointsOrder,
  payWithPoints,
} from '../../../test/point-buying.ts';
import { eventually, openTestShop, resetWorld, type TestShop } from '../../../test/shop.ts';
import { sweepPromises } from '../../delivery/delivery.jobs.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => resetWorld(shop));
afterAll(() => shop.closeAll());

/** The stage of an order's dispute that was recorded last. */
async function stageOf(order: OrderKey): Promise<unknown> {
  const { events } = await recordsOf(shop.db, order);
  return events.findLast(({ fact }) => fact.type === 'disputed')?.fact.stage;
}

/** How the shop learns of a dispute: from a webhook, or by polling while every webhook is lost. */
const ways = ['webhook', 'polling'] as const;

async function hear(way: (typeof ways)[number], order: OrderKey, stage: string): Promise<void> {
  if (way === 'polling') await askProvider(shop, order);
  else {
    await withWorkerFor(shop, ['process_webhook'], () =>
      eventually(async () => (await stageOf(order)) === stage),
    );
  }
  expect(await stageOf(order)).toBe(stage);
}

const loseWebhooks = (way: (typeof ways)[number]) =>
  shop.stripe.tell('/__sandbox/webhooks', {
    plan: way === 'polling' ? { drop: 'all' } : {},
  });

const casesKnown = async (order: OrderKey) =>
  (await casesOf(shop.db, order)).map(({ kind, subject }) => `${kind} ${subject}`);

const stepsOf = async (order: OrderKey) =>
  (await detailOf(shop, buyer, order)).timeline.map(({ step }) => step);

describe.each(ways)('disputes learned of by %s', (way) => {
  beforeEach(() => loseWebhooks(way));

  test('a dispute warning opens an operator case and does not stop the delivery', async () => {
    const order = await givenPaidOrder(shop, buyer);
    const { disputeId, move } = await givenDispute(shop, order, { stage: 'warning' });
    await hear(way, order, 'warning');
    expect(await detailOf(shop, buyer, order)).toMatchObject({ isDisputed: false, shown: 'Paid' });
    expect(await casesKnown(order)).toEqual([`dispute ${disputeId}:warning`]);

    await runJob(shop, 'deliver_order', order);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    await move('warning_closed');
    await hear(way, order, 'won');
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    expect(await booksOf(shop.db, order)).toMatchObject({ 'house:sales USD': 499n });
  });

  test('an open dispute holds an undelivered order until the dispute is won', async () => {
    const order = await givenPaidOrder(shop, buyer);
    const { disputeId, move } = await givenDispute(shop, order);
    await hear(way, order, 'open');
    const before = Date.now();
    await runJob(shop, 'deliver_order', order);

    expect(await grantsOf(shop, order)).toEqual([]);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ isDisputed: true, shown: 'Paid' });
    const waiting = await deliveryOf(shop.db, order);
    expect(waiting).toMatchObject({ state: 'queued', tries: 0 }); // no delivery attempt is counted
    expect(waiting.next_try_at?.getTime()).toBeGreaterThanOrEqual(before + 10 * 60_000);
    expect(await casesKnown(order)).toEqual([`dispute ${disputeId}:open`]);
    expect((await stepsOf(order)).at(-1)).toBe('disputed');
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'house:disputed USD': -499n,
      'player:deposit USD': 499n,
    });
    await expect(askRefund(shop, order)).rejects.toMatchObject({ code: 'RefundTooLarge' });

    await move('won');
    await hear(way, order, 'won');
    await hurryJobs(shop.db, order);
    await withWorkerFor(shop, ['deliver_order'], () => untilShown(shop, buyer, order, 'Fulfilled'));
    expect(await grantsOf(shop, order)).toHaveLength(1);
    expect(await deliveryOf(shop.db, order)).toMatchObject({ state: 'delivered', tries: 1 });
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': -499n,
      'house:disputed USD': 0n,
      'player:deposit USD': 0n,
      'house:sales USD': 499n,
    });
    expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  });

  test('a lost dispute refunds the order and asks the game to revoke the goods', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const { disputeId, move } = await givenDispute(shop, order);
    await hear(way, order, 'open');
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      isDisputed: true,
      shown: 'Fulfilled',
    });
    expect(await revocationOf(shop.db, order)).toBeUndefined();
    await move('lost');
    await hear(way, order, 'lost');

    expect(await detailOf(shop, buyer, order)).toMatchObject({
      isDisputed: false,
      status: 'Refunded',
      record: 5,
      refundedMinor: 499n,
      refunds: [{ refundId: disputeId, reason: 'chargeback', state: 'done' }],
    });
    expect((await stepsOf(order)).slice(-2)).toEqual(['disputed', 'refunded']);
    await runJob(shop, 'revoke_order', order);
    expect(await revocationOf(shop.db, order)).toMatchObject({ result: 'revoked' });
    expect(
      await shop.game.ask(`/__sandbox/revocations?paymentId=${order.paymentId}`),
    ).toMatchObject({ revocations: [{ reason: 'dispute' }] });
    expect(await refundsAt(shop, order)).toEqual([]);
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'house:disputed USD': 0n,
      'player:deposit USD': 0n,
      'house:sales USD': 0n,
    });
  });

  test('a dispute lost before the delivery cancels the delivery', async () => {
    const order = await givenPaidOrder(shop, buyer);
    const { move } = await givenDispute(shop, order);
    await move('lost'); // the shop hears of both stages at once
    await hear(way, order, 'lost');
    await runJob(shop, 'deliver_order', order);
    expect(await grantsOf(shop, order)).toEqual([]);
    expect(await deliveryOf(shop.db, order)).toMatchObject({ state: 'cancelled' });
    expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
    expect(await booksOf(shop.db, order)).toMatchObject({
      'house:psp USD': 0n,
      'player:deposit USD': 0n,
    });
  });

  test('a lost dispute that the bank reverses after the goods were revoked leaves the order undelivered and opens an operator case', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const { move } = await givenDispute(shop, order);
    await move('lost');
    await hear(way, order, 'lost');
    await runJob(shop, 'revoke_order', order);
    await move('won');
    await hear(way, order, 'reinstated');

    // The goods are revoked and not delivered again automatically, so the shop owes the money.
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Processing',
      refundedMinor: 0n,
      refunds: [],
    });
    expect((await casesOf(shop.db, order)).map(({ kind }) => kind)).toContain('reinstated');
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': -499n,
      'player:deposit USD': 499n,
      'house:sales USD': 0n,
    });
    expect(await grantsOf(shop, order)).toHaveLength(1);
  });

  test('a lost dispute about a part of the price of an order refunds only that part of the order', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const { move } = await givenDispute(shop, order, { amount: 200 });
    await hear(way, order, 'open');
    await move('lost');
    await hear(way, order, 'lost');
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Fulfilled',
      refundedMinor: 200n,
    });
    expect(await revocationOf(shop.db, order)).toBeUndefined();
    expect(await booksOf(shop.db, order)).toMatchObject({
      'house:psp USD': -299n,
      'house:sales USD': 299n,
    });
  });
});

test('an order that was not delivered when its dispute was lost stays undelivered when the bank then decides for the shop', async () => {
  const order = await givenPaidOrder(shop, buyer);
  const { move } = await givenDispute(shop, order);
  await move('lost');
  await askProvider(shop, order);
  await move('won');
  await askProvider(shop, order);
  await runJob(shop, 'deliver_order', order);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Paid');
  expect(await grantsOf(shop, order)).toEqual([]);
  expect((await casesOf(shop.db, order)).map(({ kind }) => kind)).toContain('reinstated');
});

describe('points of a disputed top-up', () => {
  let player: Buyer;
  let order: OrderKey;
  let dispute: TestDispute;
  beforeEach(async () => {
    player = await givenBuyer(shop);
    order = await givenPointsOrder(shop, player);
    await payAtProvider(shop, await openPage(shop, player, order));
    await runJob(shop, 'check_attempt', await attemptOf(shop, order));
  });

  const open = async () => {
    dispute = await givenDispute(shop, order);
    await askProvider(shop, order);
  };
  const move = async (stage: 'won' | 'lost') => {
    await dispute.move(stage);
    await askProvider(shop, order);
  };

  test('points of a disputed top-up cannot be spent until the dispute is won', async () => {
    const wanted = await givenOrderInPoints(shop, player);
    await open();
    expect(await balanceOf(shop, player)).toMatchObject({
      basicNum: 500,
      presentNum: 25,
      frozenNum: 525,
    });
    expect(await payWithPoints(shop, player, wanted)).toMatchObject({ code: 'EPointInsufficient' });

    await move('won');
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 500, frozenNum: 0 });
    expect(await payWithPoints(shop, player, wanted)).toMatchObject({ isSuccess: true });
  });

  test('points of other top-ups can be spent while one top-up is disputed', async () => {
    await givenPoints(shop, player, { basic: 500n });
    await open();
    await givenPaidInPoints(shop, player);
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 500, frozenNum: 525 });
  });

  test('points of a top-up are removed when its dispute is lost', async () => {
    await open();
    await move('lost');
    expect(await balanceOf(shop, player)).toMatchObject({
      basicNum: 0,
      presentNum: 0,
      frozenNum: 0,
    });
    expect((await detailOf(shop, player, order)).shown).toBe('Refunded');
  });

  test("points spent before their top-up's dispute is lost make the balance negative until the next top-up", async () => {
    await givenPaidInPoints(shop, player);
    await open();
    await move('lost');
    // 25 given and 475 bought points were spent; 25 are left of 500.
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: -475 - 25, presentNum: 0 });
    await givenPoints(shop, player, { present: 1000n });
    const wanted = await givenOrderInPoints(shop, player);
    expect(await payWithPoints(shop, player, wanted)).toMatchObject({ code: 'EPointDebt' });

    const next = await givenPointsOrder(shop, player, { itemId: 'epoint_1000' });
    await payAtProvider(shop, await openPage(shop, player, next));
    await runJob(shop, 'check_attempt', await attemptOf(shop, next));

    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 500, presentNum: 1080 });
    expect(await payWithPoints(shop, player, wanted)).toMatchObject({ isSuccess: true });
  });

  test('points of a top-up are restored when the bank reverses its lost dispute, and an operator case opens', async () => {
    await open();
    await move('lost');
    await move('won');
    expect(await balanceOf(shop, player)).toMatchObject({
      basicNum: 500,
      presentNum: 25,
      frozenNum: 0,
    });
    expect((await casesOf(shop.db, order)).map(({ kind }) => kind)).toContain('reinstated');
  });
});

test('points of a payment whose dispute began before the shop knew of the payment are credited only once the dispute is won', async () => {
  const player = await givenBuyer(shop);
  const order = await givenPointsOrder(shop, player);
  await payAtProvider(shop, await openPage(shop, player, order));
  const { move } = await givenDispute(shop, order);
  await runJob(shop, 'check_attempt', await attemptOf(shop, order));
  expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 0, presentNum: 0 });
  expect(await detailOf(shop, player, order)).toMatchObject({ shown: 'Paid', isDisputed: true });

  await move('won');
  await askProvider(shop, order);
  expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 500, presentNum: 25 });
  expect((await detailOf(shop, player, order)).shown).toBe('Fulfilled');
});

test('an order whose delivery promise ends during a dispute is not refunded; the promise is postponed', async () => {
  const order = await givenPaidOrder(shop, buyer);
  const { move } = await givenDispute(shop, order);
  await askProvider(shop, order);
  await breakPromise(shop.db, order);
  const before = Date.now();

  await sweepPromises(shop);

  const { promise_at: promiseAt } = await deliveryOf(shop.db, order);
  expect(promiseAt?.getTime()).toBeGreaterThanOrEqual(before + 60 * 60_000);
  expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Paid', refunds: [] });

  await move('won');
  await askProvider(shop, order);
  await breakPromise(shop.db, order);
  await sweepPromises(shop);
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Processing',
    refunds: [{ reason: 'not_delivered_in_time' }],
  });
});
