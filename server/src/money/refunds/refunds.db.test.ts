import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  type Buyer,
  detailOf,
  givenBuyer,
  givenOrder,
  grantsOf,
  openPage,
  payAtProvider,
} from '../../../test/buying.ts';
import {
  askRefund,
  attemptOf,
  captureOf,
  deliveryOf,
  givenArrivedOrder,
  givenPaidOrder,
  refundRowsOf,
  refundsAt,
  revocationOf,
  runJob,
  startJob,
} from '../../../test/money-back.ts';
import { booksOf, brokenLinks, jobsOf, type OrderKey, recordsOf } from '../../../test/orders.ts';
import {
  balanceOf,
  givenOrderInPoints,
  givenPaidInPoints,
  givenPoints,
  givenPointsOrder,
  payWithPoints,
} from '../../../test/point-buying.ts';
import { openTestShop, resetWorld, type TestShop } from '../../../test/shop.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => resetWorld(shop));
afterAll(() => shop.closeAll());

const send = (order: OrderKey, { refundId }: { refundId: string }) =>
  runJob(shop, 'refund_payment', { ...order, refundId });

const stepsOf = async (order: OrderKey) =>
  (await detailOf(shop, buyer, order)).timeline.map(({ step }) => step);

const jobNames = async (order: OrderKey) => (await jobsOf(shop.db, order)).map(({ name }) => name);

describe('full refunds', () => {
  test('a full refund is sent to the provider once and the game is asked to revoke the goods', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const asked = await askRefund(shop, order, { reason: 'goodwill' });
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      status: 'FullyPaid',
      record: 4,
      shown: 'Processing',
      refundedMinor: 0n,
      refunds: [{ ...asked, amountMinor: 499n, reason: 'goodwill', state: 'pending' }],
    });
    expect(await jobNames(order)).toEqual(['deliver_order', 'refund_payment']);

    await send(order, asked);

    expect(await detailOf(shop, buyer, order)).toMatchObject({
      status: 'Refunded',
      record: 5,
      shown: 'Refunded',
      refundedMinor: 499n,
      refunds: [{ ...asked, state: 'done' }],
    });
    expect(await refundsAt(shop, order)).toMatchObject([
      {
        amount: 499,
        currency: 'usd',
        status: 'succeeded',
        payment_intent: await captureOf(shop, order),
        metadata: { ...order, ...asked },
      },
    ]);
    expect(await refundRowsOf(shop.db, order)).toMatchObject([
      { state: 'done', amount_minor: 499n, reason: 'goodwill', requested_by: 'operator' },
    ]);
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'player:deposit USD': 0n,
      'house:sales USD': 0n,
    });
    expect(await stepsOf(order)).toEqual([
      'created',
      'payment_opened',
      'paid',
      'accepted',
      'arrived',
      'refunding',
      'refunded',
    ]);
    expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);

    await runJob(shop, 'revoke_order', order);
    expect(await revocationOf(shop.db, order)).toMatchObject({
      state: 'answered',
      result: 'revoked',
    });
    expect(
      await shop.game.ask(`/__sandbox/revocations?paymentId=${order.paymentId}`),
    ).toMatchObject({ revocations: [{ result: 'revoked', times: 1 }] });
  });

  test('a full refund before the delivery cancels the delivery', async () => {
    const order = await givenPaidOrder(shop, buyer);
    const asked = await askRefund(shop, order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ record: 2, shown: 'Processing' });
    await runJob(shop, 'deliver_order', order); // the queued job finds nothing to do
    await send(order, asked);
    await runJob(shop, 'deliver_order', order);

    expect(await grantsOf(shop, order)).toEqual([]);
    expect(await deliveryOf(shop.db, order)).toMatchObject({
      state: 'cancelled',
      tries: 0,
      next_try_at: null,
      promise_at: null,
    });
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'player:deposit USD': 0n,
    });
  });

  test('a full refund requested concurrently under one refund id is made once', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const refundId = randomUUID();
    await Promise.all(Array.from({ length: 50 }, () => askRefund(shop, order, { refundId })));
    await send(order, { refundId });
    await askRefund(shop, order, { refundId });

    expect(await refundRowsOf(shop.db, order)).toHaveLength(1);
    expect(await refundsAt(shop, order)).toHaveLength(1);
    expect((await jobNames(order)).filter((name) => name === 'refund_payment')).toHaveLength(1);
  });

  test('a second full refund is refused with RefundTooLarge', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const asked = await askRefund(shop, order);
    await expect(askRefund(shop, order)).rejects.toMatchObject({ code: 'RefundTooLarge' });
    await send(order, asked);
    await expect(askRefund(shop, order)).rejects.toMatchObject({ code: 'RefundTooLarge' });
    expect(await refundRowsOf(shop.db, order)).toHaveLength(1);
  });
});

describe('partial refunds', () => {
  test('a partial refund leaves the order delivered and shows the refunded amount', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const asked = await askRefund(shop, order, { amountMinor: 200n });
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    await send(order, asked);

    expect(await detailOf(shop, buyer, order)).toMatchObject({
      status: 'FullyPaid',
      shown: 'Fulfilled',
      refundedMinor: 200n,
    });
    expect((await stepsOf(order)).at(-1)).toBe('partly_refunded');
    expect(await refundsAt(shop, order)).toMatchObject([{ amount: 200, status: 'succeeded' }]);
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': -299n,
      'player:deposit USD': 0n,
      'house:sales USD': 299n,
    });
    expect(await revocationOf(shop.db, order)).toBeUndefined();
  });

  test('a partial refund before the delivery does not stop the delivery', async () => {
    const order = await givenPaidOrder(shop, buyer);
    await send(order, await askRefund(shop, order, { amountMinor: 1n }));
    await runJob(shop, 'deliver_order', order);
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Fulfilled',
      refundedMinor: 1n,
    });
    expect(await booksOf(shop.db, order)).toMatchObject({ 'house:sales USD': 498n });
  });

  test('partial refunds and a refund of the rest add up to the price', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await send(order, await askRefund(shop, order, { amountMinor: 100n }));
    await send(order, await askRefund(shop, order, { amountMinor: 200n }));
    expect((await detailOf(shop, buyer, order)).refundedMinor).toBe(300n);
    await send(order, await askRefund(shop, order)); // whatever is left

    expect((await refundsAt(shop, order)).map(({ amount }) => amount).toSorted()).toEqual([
      100, 199, 200,
    ]);
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Refunded',
      refundedMinor: 499n,
    });
    expect((await stepsOf(order)).slice(-4)).toEqual([
      'partly_refunded',
      'partly_refunded',
      'refunding',
      'refunded',
    ]);
    expect(await revocationOf(shop.db, order)).toMatchObject({ state: 'queued' });
  });
});

describe('refused refunds', () => {
  const refuses = async (order: OrderKey, changes: object, code = 'RefundTooLarge') => {
    const before = await recordsOf(shop.db, order);
    const rows = (await refundRowsOf(shop.db, order)).length;
    await expect(askRefund(shop, order, changes)).rejects.toMatchObject({ code });
    expect(await recordsOf(shop.db, order)).toEqual(before);
    expect(await refundRowsOf(shop.db, order)).toHaveLength(rows);
  };

  test('a refund of zero, a negative amount or more than is left is refused and changes nothing', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await refuses(order, { amountMinor: 500n });
    await refuses(order, { amountMinor: 0n });
    await refuses(order, { amountMinor: -1n });
    const asked = await askRefund(shop, order, { amountMinor: 300n });
    await refuses(order, { amountMinor: 200n }); // 300 are pending
    await send(order, asked);
    await refuses(order, { amountMinor: 200n }); // and are refunded by now
    await send(order, await askRefund(shop, order, { amountMinor: 199n }));
    expect(await refundsAt(shop, order)).toHaveLength(2);
  });

  test('a refund of an unpaid order or an unknown capture is refused and changes nothing', async () => {
    await refuses(await givenOrder(shop, buyer), {});
    await refuses(await givenPaidOrder(shop, buyer), { captureId: 'pi_other' });
  });

  test('a refund of an unknown order is refused with PaymentIdWrong', async () => {
    const { accountId } = buyer;
    await expect(askRefund(shop, { accountId, paymentId: randomUUID() })).rejects.toMatchObject({
      code: 'PaymentIdWrong',
    });
  });
});

test('fifty concurrent refund requests for one order never refund more than was paid', async () => {
  const order = await givenArrivedOrder(shop, buyer);
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, () => askRefund(shop, order, { amountMinor: 100n })),
  );
  const taken = results.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []));
  expect(taken).toHaveLength(4);
  const refused = results.filter((result) => result.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(Array(46).fill('RefundTooLarge'));

  await Promise.all(taken.map((asked) => send(order, asked)));

  expect((await refundsAt(shop, order)).map(({ amount }) => amount)).toEqual([100, 100, 100, 100]);
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Fulfilled',
    refundedMinor: 400n,
  });
});

describe('refund jobs', () => {
  test('a refund job run concurrently and again later sends the refund once', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const payload = { ...order, ...(await askRefund(shop, order)) };
    const writes = await Promise.all(
      [1, 2, 3].map(() => startJob(shop, 'refund_payment', payload)),
    );
    await Promise.all(writes.map((write) => shop.db.transaction(write)));
    await runJob(shop, 'refund_payment', payload);

    expect(await refundsAt(shop, order)).toHaveLength(1);
    const { events } = await recordsOf(shop.db, order);
    expect(events.filter(({ fact }) => fact.type === 'refund_settled')).toHaveLength(1);
  });

  test('a refund job whose worker dies after the provider made the refund is completed by another worker without a second refund', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const payload = { ...order, ...(await askRefund(shop, order)) };
    await startJob(shop, 'refund_payment', payload); // the worker dies before it writes
    expect(await refundsAt(shop, order)).toHaveLength(1);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Processing');

    await runJob(shop, 'refund_payment', payload);

    expect(await refundsAt(shop, order)).toHaveLength(1);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
  });

  test('a refund job for an unknown refund fails', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await expect(
      startJob(shop, 'refund_payment', { ...order, refundId: randomUUID() }),
    ).rejects.toThrow('there is no refund');
  });

  test.each([
    ['duplicate', 'duplicate'],
    ['fraud', 'fraudulent'],
    ['misfit', 'requested_by_customer'],
    ['player_request', 'requested_by_customer'],
  ] as const)(
    'a refund with reason %s is sent to the provider with reason %s',
    async (reason, there) => {
      const order = await givenArrivedOrder(shop, buyer);
      await send(order, await askRefund(shop, order, { reason }));
      expect(await refundsAt(shop, order)).toMatchObject([{ reason: there }]);
    },
  );
});

describe('points of refunded orders', () => {
  test('a refund of an order paid with points returns them at once, as bought and gift points in the numbers spent', async () => {
    const player = await givenBuyer(shop);
    await givenPoints(shop, player, { basic: 450n, present: 60n });
    const order = await givenPaidInPoints(shop, player);
    await runJob(shop, 'deliver_order', order);
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 10, presentNum: 0 });

    await askRefund(shop, order, { amountMinor: 100n });
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 110, presentNum: 0 });
    await askRefund(shop, order);

    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 450, presentNum: 60 });
    expect(await detailOf(shop, player, order)).toMatchObject({
      shown: 'Refunded',
      refundedMinor: 500n,
    });
    expect(await refundRowsOf(shop.db, order)).toEqual([]); // no refund at a provider is needed
    expect(await revocationOf(shop.db, order)).toMatchObject({ state: 'queued' });
    expect(await booksOf(shop.db, order)).toEqual({
      'player:basic EPOINT': 0n,
      'player:present EPOINT': 0n,
      'player:deposit EPOINT': 0n,
      'house:sales EPOINT': 0n,
    });
  });

  test('points spent before their top-up was refunded make the balance negative and block spending until it is positive again', async () => {
    const player = await givenBuyer(shop);
    const order = await givenPointsOrder(shop, player);
    await payAtProvider(shop, await openPage(shop, player, order));
    await runJob(shop, 'check_attempt', await attemptOf(shop, order));
    await givenPaidInPoints(shop, player);
    await send(order, await askRefund(shop, order));
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: -500, presentNum: 0 });
    await givenPoints(shop, player, { present: 500n });
    const wanted = await givenOrderInPoints(shop, player);
    expect(await payWithPoints(shop, player, wanted)).toMatchObject({ code: 'EPointDebt' });
    await givenPoints(shop, player, { basic: 500n });
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 0, presentNum: 500 });
    expect(await payWithPoints(shop, player, wanted)).toMatchObject({ isSuccess: true });
  });

  test('points of a top-up are taken back when its refund is requested, not when it is done', async () => {
    const player = await givenBuyer(shop);
    const order = await givenPointsOrder(shop, player);
    await payAtProvider(shop, await openPage(shop, player, order));
    await runJob(shop, 'check_attempt', await attemptOf(shop, order));
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 500, presentNum: 25 });

    const half = await askRefund(shop, order, { amountMinor: 250n });
    // 249 of 499 cents stay: 249.49 and 12.47 points, rounded down to whole points.
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 249, presentNum: 12 });
    await send(order, half);
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 249, presentNum: 12 });
    await send(order, await askRefund(shop, order));

    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 0, presentNum: 0 });
    expect((await detailOf(shop, player, order)).shown).toBe('Refunded');
    expect(await revocationOf(shop.db, order)).toBeUndefined(); // a top-up has nothing to revoke in a game
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'player:deposit USD': 0n,
      'house:sales USD': 0n,
      'house:points EPOINT': 0n,
      'player:basic EPOINT': 0n,
      'player:present EPOINT': 0n,
    });
  });
});
