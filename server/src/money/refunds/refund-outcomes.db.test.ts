import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  type Buyer,
  detailOf,
  givenBuyer,
  openPage,
  payAtProvider,
  untilShown,
} from '../../../test/buying.ts';
import {
  askProvider,
  askRefund,
  attemptOf,
  casesOf,
  forgetJobs,
  givenArrivedOrder,
  givenDispute,
  givenPaidOrder,
  letRefundsBeAsked,
  planRefunds,
  refundElsewhere,
  refundRowsOf,
  refundsAt,
  revocationOf,
  runJob,
  settleAtBank,
  startJob,
  withWorkerFor,
} from '../../../test/money-back.ts';
import { booksOf, brokenLinks, jobsOf, type OrderKey, recordsOf } from '../../../test/orders.ts';
import { balanceOf, givenPointsOrder } from '../../../test/point-buying.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { sweepRefunds } from './refunds.jobs.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', PAYMENT_CHECK_SECONDS: '30,120,600' });
  buyer = await givenBuyer(shop);
});
beforeEach(async () => {
  await shop.stripe.tell('/__sandbox/reset', {});
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => shop.closeAll());

const send = (order: OrderKey, { refundId }: { refundId: string }) =>
  runJob(shop, 'refund_payment', { ...order, refundId });

const fault = (match: string, kind: string, more: object = {}) =>
  shop.stripe.tell('/__sandbox/faults', { match, kind, ...more });

const loseWebhooks = () => shop.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });

const jobNames = async (order: OrderKey) => (await jobsOf(shop.db, order)).map(({ name }) => name);

const delivered = {
  'house:psp USD': -499n,
  'player:deposit USD': 0n,
  'house:sales USD': 499n,
};

describe('pending refunds', () => {
  async function givenPending() {
    const order = await givenArrivedOrder(shop, buyer);
    await planRefunds(shop, 'pending');
    const asked = await askRefund(shop, order);
    await send(order, asked);
    expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'pending' }]);
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Processing',
      refunds: [{ state: 'pending' }],
    });
    return { order, asked };
  }

  test('a refund that the provider reports as pending is not sent again, and its money stays in the ledger as revenue', async () => {
    const { order, asked } = await givenPending();
    await send(order, asked);
    await askProvider(shop, order);
    expect(await refundsAt(shop, order)).toMatchObject([{ status: 'pending' }]);
    expect(await booksOf(shop.db, order)).toEqual(delivered);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Processing');
  });

  test('a refund that the provider has reported as done stays done when the worker that sent it stores the state pending later', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await planRefunds(shop, 'pending');
    const asked = await askRefund(shop, order);
    const write = await startJob(shop, 'refund_payment', { ...order, ...asked });
    await settleAtBank(shop, order, 'succeeded');
    await askProvider(shop, order);
    await shop.db.transaction(write);
    expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'done' }]);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
  });

  test('a pending refund becomes done in the shop when a provider webhook reports it as done', async () => {
    const { order } = await givenPending();
    await settleAtBank(shop, order, 'succeeded');
    await withWorkerFor(shop, ['process_webhook'], () =>
      untilShown(shop, buyer, order, 'Refunded'),
    );
    expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'done' }]);
    expect(await revocationOf(shop.db, order)).toMatchObject({ state: 'queued' });
    expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  });

  test('a pending refund becomes done in the shop when polling the provider finds it done, even without any webhook', async () => {
    await loseWebhooks();
    const { order } = await givenPending();
    await settleAtBank(shop, order, 'succeeded');
    await letRefundsBeAsked(shop.db, order);
    await sweepRefunds(shop.payments);
    await withWorkerFor(shop, ['ask_refund'], () => untilShown(shop, buyer, order, 'Refunded'));
    expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'done', checks: 1 }]);
    expect(await jobNames(order)).not.toContain('process_webhook');
  });

  test('a pending refund that the bank refuses leaves the order delivered, counts as failed and opens an operator case', async () => {
    const { order, asked } = await givenPending();
    await settleAtBank(shop, order, 'failed');
    await withWorkerFor(shop, ['process_webhook'], () =>
      untilShown(shop, buyer, order, 'Fulfilled'),
    );

    expect(await detailOf(shop, buyer, order)).toMatchObject({
      status: 'FullyPaid',
      record: 4,
      refundedMinor: 0n,
      refunds: [{ state: 'failed' }],
    });
    expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'failed' }]);
    expect(await casesOf(shop.db, order)).toMatchObject([
      { kind: 'refund_failed', subject: asked.refundId, details: { amountMinor: '499' } },
    ]);
    expect(await booksOf(shop.db, order)).toEqual(delivered);
    expect(await revocationOf(shop.db, order)).toBeUndefined();
    const steps = (await detailOf(shop, buyer, order)).timeline.map(({ step }) => step);
    expect(steps.slice(-2)).toEqual(['refunding', 'refund_failed']);

    // A new refund may succeed.
    await send(order, await askRefund(shop, order));
    expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
  });
});

describe('failed refunds', () => {
  test('an order whose refund fails before its delivery is delivered', async () => {
    const order = await givenPaidOrder(shop, buyer);
    await planRefunds(shop, 'failed');
    const asked = await askRefund(shop, order);
    await forgetJobs(shop.db, order); // the delivery job has found nothing to do and ended
    await send(order, asked);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Paid', record: 2 });
    expect(await casesOf(shop.db, order)).toMatchObject([{ kind: 'refund_failed' }]);

    await withWorkerFor(shop, ['deliver_order'], () => untilShown(shop, buyer, order, 'Fulfilled'));
    expect(await booksOf(shop.db, order)).toEqual(delivered);
  });

  test('a failed refund of a top-up returns the points to the player', async () => {
    const player = await givenBuyer(shop);
    const order = await givenPointsOrder(shop, player);
    await payAtProvider(shop, await openPage(shop, player, order));
    await runJob(shop, 'check_attempt', await attemptOf(shop, order));
    await planRefunds(shop, 'failed');
    const asked = await askRefund(shop, order);
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 0, presentNum: 0 });

    await send(order, asked);

    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 500, presentNum: 25 });
    expect((await detailOf(shop, player, order)).shown).toBe('Fulfilled');
  });

  test('a refund that fails because of a dispute unknown to the shop makes the shop query the provider and learn of the dispute', async () => {
    await loseWebhooks();
    const order = await givenArrivedOrder(shop, buyer);
    await givenDispute(shop, order);
    const asked = await askRefund(shop, order);

    await send(order, asked);

    expect(await refundsAt(shop, order)).toEqual([]);
    expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'failed' }]);
    expect((await casesOf(shop.db, order)).map(({ kind }) => kind)).toEqual(['refund_failed']);
    await withWorkerFor(shop, ['ask_provider'], () =>
      eventually(async () => (await detailOf(shop, buyer, order)).isDisputed),
    );
    // From now on the shop knows of the dispute and refuses the refund itself.
    await expect(askRefund(shop, order)).rejects.toMatchObject({ code: 'RefundTooLarge' });
  });

  test('a refund that failed because of a dispute is not sent by a late job after the dispute was won', async () => {
    await loseWebhooks();
    const order = await givenArrivedOrder(shop, buyer);
    const { move } = await givenDispute(shop, order);
    const asked = await askRefund(shop, order);
    await send(order, asked);
    await move('won');
    await askProvider(shop, order);
    // By then the provider has dropped the idempotency key of the refusal and would send the
    // refund.
    await shop.stripe.tell('/__sandbox/clock', { advanceSeconds: 25 * 3600 });
    await send(order, asked);
    expect(await refundsAt(shop, order)).toEqual([]);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
  });

  test('an order that is refunded in the shop after a refund at the provider unknown to the shop is refunded only once', async () => {
    await loseWebhooks();
    const order = await givenArrivedOrder(shop, buyer);
    await refundElsewhere(shop, order);
    await send(order, await askRefund(shop, order));
    await withWorkerFor(shop, ['ask_provider'], () => untilShown(shop, buyer, order, 'Refunded'));
    expect(await refundsAt(shop, order)).toHaveLength(1);
    expect(await booksOf(shop.db, order)).toMatchObject({ 'house:psp USD': 0n });
  });
});

describe('returned refunds', () => {
  const comesBack = async (order: OrderKey) => {
    await settleAtBank(shop, order, 'failed');
    await withWorkerFor(shop, ['process_webhook'], () =>
      eventually(async () => (await casesOf(shop.db, order)).length > 0),
    );
  };
  const owed = { 'house:psp USD': -499n, 'player:deposit USD': 499n, 'house:sales USD': 0n };

  test('a refund that the bank returns after the goods were revoked is booked as owed to the player until it is sent again', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const asked = await askRefund(shop, order);
    await send(order, asked);
    await withWorkerFor(shop, ['revoke_order'], () =>
      eventually(async () => (await revocationOf(shop.db, order))?.state === 'answered'),
    );

    await comesBack(order);

    expect(await casesOf(shop.db, order)).toMatchObject([
      { kind: 'refund_returned', subject: asked.refundId, details: { amountMinor: '499' } },
    ]);
    expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'failed' }]);
    expect(await booksOf(shop.db, order)).toEqual(owed);
    const detail = await detailOf(shop, buyer, order);
    expect(detail).toMatchObject({
      shown: 'Processing',
      refundedMinor: 0n,
      refunds: [{ state: 'failed' }],
    });
    expect(detail.timeline.slice(-2).map(({ step }) => step)).toEqual([
      'refunded',
      'refund_failed',
    ]);

    await send(order, await askRefund(shop, order));

    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Refunded',
      refundedMinor: 499n,
      refunds: [{ state: 'failed' }, { state: 'done' }],
    });
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'player:deposit USD': 0n,
      'house:sales USD': 0n,
    });
    expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  });

  test('a refund that the bank returns is booked as owed to the player only after the game has revoked the goods', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await send(order, await askRefund(shop, order));
    await comesBack(order);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    expect(await booksOf(shop.db, order)).toEqual(delivered);

    await withWorkerFor(shop, ['revoke_order'], () => untilShown(shop, buyer, order, 'Processing'));
    expect(await booksOf(shop.db, order)).toEqual(owed);
  });

  test('a refund of a top-up returned by the bank restores the points, and the next refund takes them again', async () => {
    const player = await givenBuyer(shop);
    const order = await givenPointsOrder(shop, player);
    await payAtProvider(shop, await openPage(shop, player, order));
    await runJob(shop, 'check_attempt', await attemptOf(shop, order));
    await send(order, await askRefund(shop, order));
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 0, presentNum: 0 });

    await comesBack(order);

    expect((await detailOf(shop, player, order)).shown).toBe('Fulfilled');
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 500, presentNum: 25 });
    await send(order, await askRefund(shop, order));
    expect((await detailOf(shop, player, order)).shown).toBe('Refunded');
    expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 0, presentNum: 0 });
    expect(await booksOf(shop.db, order)).toMatchObject({ 'house:psp USD': 0n });
  });

  test('a refund that the bank returned stays failed when the worker that sent it stores the state done later', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const asked = await askRefund(shop, order);
    const write = await startJob(shop, 'refund_payment', { ...order, ...asked });
    await settleAtBank(shop, order, 'failed');
    await askProvider(shop, order);
    await shop.db.transaction(write); // the worker that got the answer 'done' writes last
    expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'failed' }]);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    expect(await booksOf(shop.db, order)).toEqual(delivered);
  });
});

describe('unconfirmed refunds', () => {
  const create = 'POST /v1/refunds';
  const list = 'GET /v1/refunds';

  /** The first run fails as unconfirmed, the second one succeeds, and the provider refunds once. */
  async function recovers(order: OrderKey, asked: { refundId: string }) {
    await expect(send(order, asked)).rejects.toThrow('the outcome of the refund is unknown');
    expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'requested' }]);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Processing');
    await shop.stripe.tell('/__sandbox/reset', {});

    await send(order, asked);

    expect(await refundsAt(shop, order)).toMatchObject([{ amount: 499, status: 'succeeded' }]);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
    const { events } = await recordsOf(shop.db, order);
    expect(events.filter(({ fact }) => fact.type === 'refund_settled')).toHaveLength(1);
  }

  test.each([
    ['a connection cut after the money was sent', 'cut_after_commit', {}],
    [
      'a 500 (replayed for its idempotency key) after the money was sent',
      'http500_after_commit',
      {},
    ],
    ['a 500 after the money was sent', 'http500_after_commit', { stored: false }],
    ['a 500 before the money was sent', 'http500_before', { stored: false }],
    ['a 404 page of an intermediary', 'json404_without_error', {}],
  ])(
    'a refund whose first request to the provider ends in %s is retried, and the player is refunded once',
    async (_what, kind, more) => {
      const order = await givenArrivedOrder(shop, buyer);
      const asked = await askRefund(shop, order);
      await fault(create, kind, { times: 1000, ...more });
      // Listing the refunds fails as well once the creation was requested.
      await hideAfter(1);
      await recovers(order, asked);
    },
  );

  test('a refund request that timed out although the provider made the refund is not made again on retry', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const asked = await askRefund(shop, order);
    const real = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(1_500));
    await fault(create, 'hang', { times: 1000 });
    await expect(send(order, asked)).rejects.toThrow('the outcome of the refund is unknown');
    await shop.stripe.tell('/__sandbox/release', {});
    await eventually(async () => (await refundsAt(shop, order)).length === 1);
    vi.restoreAllMocks();
    await shop.stripe.tell('/__sandbox/reset', {});

    await send(order, asked);
    expect(await refundsAt(shop, order)).toHaveLength(1);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
  });

  test('a refund whose request the provider keeps answering with HTTP 500 is made on a retry after its idempotency key expires', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const asked = await askRefund(shop, order);
    await fault(create, 'http500_before');
    for (let times = 0; times < 3; times += 1) {
      await expect(send(order, asked)).rejects.toThrow('the outcome of the refund is unknown');
    }
    expect(await refundsAt(shop, order)).toEqual([]);

    await shop.stripe.tell('/__sandbox/clock', { advanceSeconds: 25 * 3600 });
    await send(order, asked);
    expect(await refundsAt(shop, order)).toMatchObject([{ amount: 499 }]);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
  });

  test('a worker retries an unconfirmed refund until its outcome is known', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await fault(create, 'cut_after_commit', { times: 2 });
    await fault(list, 'http500_before', { times: 2 });
    await askRefund(shop, order);
    await withWorkerFor(shop, ['refund_payment'], () => untilShown(shop, buyer, order, 'Refunded'));
    expect(await refundsAt(shop, order)).toHaveLength(1);
  });

  /** Lets the first calls that list refunds succeed and the next two fail. */
  async function hideAfter(answers: number) {
    const callOut = globalThis.fetch;
    let asked = 0;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const isList = (init?.method ?? 'GET') === 'GET' && String(input).includes('/v1/refunds');
      if (isList) asked += 1;
      if (isList && asked > answers && asked <= answers + 2) throw new TypeError('fetch failed');
      return await callOut(input, init);
    });
  }
});

describe('refunds whose job was abandoned', () => {
  test('three concurrent sweeps requeue an abandoned refund job once, at each wait of the refund retry schedule', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await askRefund(shop, order);
    await forgetJobs(shop.db, order);
    const sweep = () => sweepRefunds(shop.payments);
    await sweep();
    expect(await jobNames(order)).toEqual([]); // not yet: the first wait is not over

    const waits: number[] = [];
    for (let times = 1; times <= 3; times += 1) {
      await letRefundsBeAsked(shop.db, order);
      await Promise.all([sweep(), sweep(), sweep()]);
      const [row] = await refundRowsOf(shop.db, order);
      waits.push(Math.round(((row?.next_check_at.getTime() ?? 0) - Date.now()) / 60_000));
    }

    expect(waits).toEqual([2, 10, 10]);
    expect(await jobNames(order)).toEqual(Array(3).fill('refund_payment'));
    await withWorkerFor(shop, ['refund_payment'], () => untilShown(shop, buyer, order, 'Refunded'));
    expect(await refundsAt(shop, order)).toHaveLength(1);
    const before = await jobNames(order);
    await letRefundsBeAsked(shop.db, order);
    await sweep();
    expect(await jobNames(order)).toEqual(before); // a completed refund is not requeued
  });

  test('the shop first queries a new refund at the provider after about half a minute', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    const before = Date.now();
    await askRefund(shop, order);
    const [row] = await refundRowsOf(shop.db, order);
    const waitMs = (row?.next_check_at.getTime() ?? 0) - before;
    expect(waitMs).toBeGreaterThan(29_000);
    expect(waitMs).toBeLessThan(60_000);
  });
});
