import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Buyer,
  chargesOf,
  detailOf,
  givenBuyer,
  givenOrder,
  grantsOf,
  openPage,
  pay,
  payAtProvider,
  sessionsOf,
  untilShown,
} from '../../../test/buying.ts';
import {
  askRefund,
  attemptOf,
  captureOf,
  casesOf,
  planRefunds,
  refundRowsOf,
  refundsAt,
  revocationOf,
  runJob,
  sendRefunds,
  settleAtBank,
} from '../../../test/money-back.ts';
import {
  booksOf,
  brokenLinks,
  letPageExpire,
  type OrderKey,
  recordsOf,
} from '../../../test/orders.ts';
import { balanceOf, givenPointsOrder } from '../../../test/point-buying.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => shop.stripe.tell('/__sandbox/reset', {}));
afterAll(() => shop.closeAll());

/**
 * Opens two pages at the provider for one order. This happens when the provider made the first
 * page, answered with an error, and the shop gave up on that page.
 */
async function givenTwoPages(order: OrderKey) {
  const match = 'POST /v1/checkout/sessions';
  await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_after_commit' });
  await pay(shop, buyer, order);
  const [lost] = await sessionsOf(shop, order);
  if (lost === undefined) throw new Error('the provider made no page');
  await letPageExpire(shop.db, order);
  await runJob(shop, 'check_attempt', await attemptOf(shop, order));
  return { order, lost: lost.id, known: await openPage(shop, buyer, order) };
}

const givenTwice = async () => await givenTwoPages(await givenOrder(shop, buyer));

/** Pays a page and processes the webhook about it. */
async function hear(order: OrderKey, sessionId: string, index: number) {
  await payAtProvider(shop, sessionId);
  const reference = await attemptOf(shop, order, index);
  await runJob(shop, 'process_webhook', {
    psp: 'stripe',
    eventId: `evt_${sessionId}`,
    subject: { pspRef: sessionId, reference },
  });
}

/** Expects an order that was delivered once and paid once. */
async function isUnharmed(order: OrderKey) {
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Fulfilled',
    refundedMinor: 0n,
    isInReview: false,
  });
  expect(await grantsOf(shop, order)).toHaveLength(1);
  expect(await booksOf(shop.db, order)).toEqual({
    'house:psp USD': -499n,
    'player:deposit USD': 0n,
    'house:sales USD': 499n,
  });
  expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  expect(await revocationOf(shop.db, order)).toBeUndefined();
}

describe('orders paid twice', () => {
  test.each(['before', 'after'])(
    'an order that is paid a second time %s its delivery has the second payment refunded',
    async (when) => {
      const { order, lost, known } = await givenTwice();
      await hear(order, known, 1);
      if (when === 'after') await runJob(shop, 'deliver_order', order);
      await hear(order, lost, 0);
      const second = await captureOf(shop, order, 1);
      expect(await refundRowsOf(shop.db, order)).toMatchObject([
        { reason: 'duplicate', amount_minor: 499n, capture_id: second, requested_by: 'shop' },
      ]);
      if (when === 'before') await runJob(shop, 'deliver_order', order);

      await sendRefunds(shop, order);

      expect(await chargesOf(shop, order)).toHaveLength(2);
      expect(await refundsAt(shop, order)).toMatchObject([
        { amount: 499, payment_intent: second, reason: 'duplicate', status: 'succeeded' },
      ]);
      await isUnharmed(order);
      const { timeline, refunds } = await detailOf(shop, buyer, order);
      expect(timeline.map(({ step }) => step)).not.toContain('refunded');
      expect(refunds).toMatchObject([{ reason: 'duplicate', state: 'done' }]);
      expect(await casesOf(shop.db, order)).toEqual([]);
    },
  );

  test('an order paid twice has one payment refunded, however often the provider reports both', async () => {
    const { order, lost, known } = await givenTwice();
    for (let times = 0; times < 3; times += 1) {
      await hear(order, lost, 0);
      await hear(order, known, 1);
    }
    await sendRefunds(shop, order);
    await runJob(shop, 'deliver_order', order);
    await hear(order, lost, 0);

    expect(await refundsAt(shop, order)).toMatchObject([
      { payment_intent: await captureOf(shop, order, 1) }, // the capture that was recorded last
    ]);
    await isUnharmed(order);
  });

  test('an order paid twice has one payment refunded when the provider reports both at the same time', async () => {
    const { order, lost, known } = await givenTwice();
    const stop = shop.startWorker();
    await Promise.all([payAtProvider(shop, lost), payAtProvider(shop, known)]);
    await untilShown(shop, buyer, order, 'Fulfilled');
    await eventually(async () => (await refundRowsOf(shop.db, order))[0]?.state === 'done');
    await stop();
    expect(await refundsAt(shop, order)).toHaveLength(1);
    await isUnharmed(order);
  });

  test('an order paid twice stays delivered while the refund of the second payment is pending and when that refund fails', async () => {
    const { order, lost, known } = await givenTwice();
    await planRefunds(shop, 'pending');
    await hear(order, known, 1);
    await runJob(shop, 'deliver_order', order);
    await hear(order, lost, 0);
    await sendRefunds(shop, order);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');

    await settleAtBank(shop, order, 'failed');
    await hear(order, lost, 0);

    expect(await casesOf(shop.db, order)).toMatchObject([{ kind: 'refund_failed' }]);
    expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'failed' }]); // no automatic retry
    expect(await booksOf(shop.db, order)).toMatchObject({ 'player:deposit USD': 499n });
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    await expect(askRefund(shop, order, { amountMinor: 499n })).resolves.toBeDefined();
  });

  test('an order that is paid again after its full refund has the new payment refunded and is not delivered', async () => {
    const { order, lost, known } = await givenTwice();
    await hear(order, known, 1);
    await askRefund(shop, order);
    await sendRefunds(shop, order);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');

    await hear(order, lost, 0);
    await sendRefunds(shop, order);
    await runJob(shop, 'deliver_order', order);

    expect((await refundsAt(shop, order)).map(({ amount }) => amount)).toEqual([499, 499]);
    expect(
      new Set((await refundsAt(shop, order)).map((refund) => refund.payment_intent)).size,
    ).toBe(2);
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Refunded',
      refundedMinor: 499n,
    });
    expect(await grantsOf(shop, order)).toEqual([]);
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'player:deposit USD': 0n,
    });
  });
});

test('an order that buys E Points and is paid twice credits the points once, and one payment is refunded', async () => {
  const order = await givenPointsOrder(shop, buyer);
  const { lost, known } = await givenTwoPages(order);
  await hear(order, lost, 0);
  await hear(order, known, 1);
  await sendRefunds(shop, order);

  expect(await balanceOf(shop, buyer)).toMatchObject({ basicNum: 500, presentNum: 25 });
  expect(await refundsAt(shop, order)).toMatchObject([
    { payment_intent: await captureOf(shop, order, 1) },
  ]);
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Fulfilled',
    refundedMinor: 0n,
  });
});

test('an order paid once in a wrong and once in the right amount is delivered, and the wrong payment waits for an operator', async () => {
  const { order, lost, known } = await givenTwice();
  await payAtProvider(shop, lost, { amount: 498 });
  await hear(order, lost, 0); // already paid above, so this only processes the webhook
  await hear(order, known, 1);
  await runJob(shop, 'deliver_order', order);

  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Fulfilled',
    isInReview: true,
  });
  expect(await refundRowsOf(shop.db, order)).toEqual([]);
  expect(await casesOf(shop.db, order)).toMatchObject([{ kind: 'misfit_money' }]);

  const captureId = await captureOf(shop, order, 0);
  await askRefund(shop, order, { captureId, reason: 'misfit' });
  await sendRefunds(shop, order);
  await isUnharmed(order);
});
