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
  brokenLinks,
  jobsOf,
  letBeAsked,
  letExpire,
  letLive,
  letPageExpire,
  type OrderKey,
  recordsOf,
} from '../../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import type { Settle } from '../../platform/jobs.ts';
import { firstSweptId } from '../../platform/partitions.ts';
import { takeExpiredOrders } from '../orders/orders.ts';
import {
  checkAttemptJob,
  expireOrderJob,
  paymentWorks,
  sweepAttempts,
  sweepExpired,
} from './payments.jobs.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => shop.stripe.tell('/__sandbox/reset', {}));
afterAll(() => shop.closeAll());

/** Runs the job up to its database transaction, which the returned function executes. */
const startExpiry = (order: OrderKey) => startJob(expireOrderJob.name, order);

async function startJob(name: string, payload: object): Promise<Settle> {
  const work = paymentWorks(shop.payments).find(({ kind }) => kind.name === name);
  if (work === undefined) throw new Error(`no work is registered for ${name}`);
  return await work.run(payload);
}

const settle = (write: Settle) => shop.db.transaction(write);

const statusOfPage = async (order: OrderKey) => (await sessionsOf(shop, order))[0]?.status;

describe('expiry steps without a worker', () => {
  test('an expired order that three workers close concurrently is closed once', async () => {
    const order = await givenOrder(shop, buyer);
    await letExpire(shop.db, order);
    const writes = await Promise.all([1, 2, 3].map(() => startExpiry(order)));
    await Promise.all(writes.map(settle));
    await settle(await startExpiry(order));

    const records = await recordsOf(shop.db, order);
    expect(records.events).toMatchObject([{ state_before: 'created', state_after: 'closed' }]);
    expect(brokenLinks(records)).toEqual([]);
  });

  test('repeated sweeps queue an expired order for closing once, and again after an hour if it is still open', async () => {
    const order = await givenOrder(shop, buyer);
    await letExpire(shop.db, order);
    const { db } = shop;
    await Promise.all([sweepExpired(shop.payments), sweepExpired(shop.payments)]);
    await sweepExpired(shop.payments);
    expect(await jobsOf(db, order)).toHaveLength(1);

    const age = (minutes: number) =>
      db.transaction((tx) =>
        tx.run(sql`
          update orders set close_again_at = close_again_at - make_interval(mins => ${minutes})
          where payment_id = ${order.paymentId}`),
      );
    await age(59);
    await sweepExpired(shop.payments);
    expect(await jobsOf(db, order)).toHaveLength(1);
    // The order is still open an hour later, so the first job did not close it.
    await age(2);
    await sweepExpired(shop.payments);
    expect(await jobsOf(db, order)).toHaveLength(2);
  });

  test('expired orders whose closing fails do not keep the sweep from closing other expired orders', async () => {
    const stuck = await Promise.all(Array.from({ length: 3 }, () => givenOrder(shop, buyer)));
    const other = await givenOrder(shop, buyer);
    for (const order of [...stuck, other]) await letExpire(shop.db, order);
    const takeTwo = () =>
      shop.db.transaction((tx) =>
        takeExpiredOrders(tx, { againMinutes: 60, rowsMax: 2, fromId: firstSweptId('recent') }),
      );
    const taken = [...(await takeTwo()), ...(await takeTwo())].map(({ key }) => key.paymentId);
    expect(taken).toContain(other.paymentId);
    expect(await takeTwo()).toEqual([]);
  });

  test('concurrent sweeps query the provider about an unfinished payment once at each step of the polling schedule', async () => {
    const order = await givenOrder(shop, buyer);
    await openPage(shop, buyer, order);
    const context = { ...shop.payments, checkSeconds: [30, 120, 600] };
    const waits: number[] = [];
    for (let times = 1; times <= 3; times += 1) {
      await letBeAsked(shop.db, order);
      await Promise.all([sweepAttempts(context), sweepAttempts(context), sweepAttempts(context)]);
      const [attempt] = (await recordsOf(shop.db, order)).attempts;
      const waitMs = (attempt?.next_check_at.getTime() ?? 0) - Date.now();
      waits.push(Math.round(waitMs / 60_000));
    }
    expect(waits).toEqual([2, 10, 10]);
    expect((await jobsOf(shop.db, order)).map(({ name }) => name)).toEqual(
      Array(3).fill(checkAttemptJob.name),
    );
  });

  test('an expired order is not closed while it is unknown whether its payment page was made, because the provider did not confirm it', async () => {
    const match = 'POST /v1/checkout/sessions';
    await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_after_commit' });
    const order = await givenOrder(shop, buyer);
    expect(await pay(shop, buyer, order)).toMatchObject({ code: 'PaymentUnconfirmed' });
    await letExpire(shop.db, order);

    await settle(await startExpiry(order));

    expect(await recordsOf(shop.db, order)).toMatchObject({
      order: { state: 'paying' },
      attempts: [{ state: 'opening' }],
    });
    expect(await jobsOf(shop.db, order)).toMatchObject([
      { name: 'expire_order', state: 'created' },
    ]);

    await letPageExpire(shop.db, order);
    const attemptId = (await recordsOf(shop.db, order)).attempts[0]?.attempt_id;
    await settle(await startJob(checkAttemptJob.name, { ...order, attemptId }));
    await settle(await startExpiry(order));
    expect((await recordsOf(shop.db, order)).order.state).toBe('closed');
  });

  test('an order paid just before its expiry becomes paid instead of closed, even without a webhook', async () => {
    await shop.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
    const order = await givenOrder(shop, buyer);
    await payAtProvider(shop, await openPage(shop, buyer, order));
    await letExpire(shop.db, order);

    await settle(await startExpiry(order));

    const records = await recordsOf(shop.db, order);
    expect(records.events.map(({ state_after }) => state_after)).toEqual(['paying', 'paid']);
    expect(records.order.closed_reason).toBeNull();
    expect(await statusOfPage(order)).toBe('complete');
  });

  // The clocks of two servers differ, so one may open a page while the other closes the order.
  test('a payment page that is opened while a worker closes the expired order can still be paid', async () => {
    const order = await givenOrder(shop, buyer);
    await letExpire(shop.db, order);
    const write = await startExpiry(order);
    await letLive(shop.db, order);
    const sessionId = await openPage(shop, buyer, order);
    await settle(write);
    expect((await recordsOf(shop.db, order)).order.state).toBe('paying');

    await payAtProvider(shop, sessionId);
    await letExpire(shop.db, order);
    await settle(await startExpiry(order));
    expect((await recordsOf(shop.db, order)).order.state).toBe('paid');
  });

  test('an expired order is closed when the provider closes its payment page although it answers with an error', async () => {
    const order = await givenOrder(shop, buyer);
    const sessionId = await openPage(shop, buyer, order);
    const match = `POST /v1/checkout/sessions/${sessionId}/expire`;
    await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_after_commit' });
    await letExpire(shop.db, order);

    await settle(await startExpiry(order));

    expect(await recordsOf(shop.db, order)).toMatchObject({
      order: { state: 'closed', closed_reason: 'expired' },
      attempts: [{ state: 'closed' }],
    });
  });

  test('an expired order whose payment page the provider does not know stays open until that page must have expired', async () => {
    const order = await givenOrder(shop, buyer);
    await openPage(shop, buyer, order);
    await forgetPage(order);
    await letExpire(shop.db, order);
    // The page may exist under an API key that the shop no longer has.
    await expect(startExpiry(order)).rejects.toThrow('could not close');
    expect(await recordsOf(shop.db, order)).toMatchObject({ order: { state: 'paying' } });

    await letPageExpire(shop.db, order);
    await settle(await startExpiry(order));
    expect(await recordsOf(shop.db, order)).toMatchObject({
      order: { state: 'closed' },
      attempts: [{ state: 'closed' }],
    });
  });
});

describe('unpaid orders', () => {
  beforeAll(() => {
    shop.startWorker();
  });

  test('an order that stays unpaid is closed with the reason expired after its expiry and can no longer be paid', async () => {
    const order = await givenOrder(shop, buyer);
    await letExpire(shop.db, order);
    expect(await untilShown(shop, buyer, order, 'PaymentFailed')).toMatchObject({
      status: 'Created',
      record: 3,
      closedReason: 'expired',
      expireAt: null,
    });
    expect(await pay(shop, buyer, order)).toMatchObject({ code: 'OrderNotPayable' });
  });

  test('an expired order stays open until its payment page is closed at the provider', async () => {
    const order = await givenOrder(shop, buyer);
    const sessionId = await openPage(shop, buyer, order);
    const match = `POST /v1/checkout/sessions/${sessionId}/expire`;
    const fault = { match, kind: 'http500_before', stored: false, times: 1000 };
    await shop.stripe.tell('/__sandbox/faults', fault);
    await letExpire(shop.db, order);
    await eventually(async () => (await jobsOf(shop.db, order)).some(isRetried));
    expect((await recordsOf(shop.db, order)).order.state).toBe('paying');
    expect(await statusOfPage(order)).toBe('open');

    await shop.stripe.tell('/__sandbox/reset', {});
    const closed = await untilShown(shop, buyer, order, 'PaymentFailed');
    expect(closed).toMatchObject({ status: 'Pending', record: 3, closedReason: 'expired' });
    expect(await statusOfPage(order)).toBe('expired');
    expect((await recordsOf(shop.db, order)).attempts).toMatchObject([{ state: 'closed' }]);
  });

  test('an order whose payment page expires at the provider before the order does can be paid on a new page', async () => {
    const order = await givenOrder(shop, buyer);
    const sessionId = await openPage(shop, buyer, order);
    await fetch(`${shop.stripe.url}/c/pay/${sessionId}/expire`, { method: 'POST' });
    await untilShown(shop, buyer, order, 'Unpaid');

    await payAtProvider(shop, await openPage(shop, buyer, order));
    await untilShown(shop, buyer, order, 'Fulfilled');
    expect((await recordsOf(shop.db, order)).attempts).toMatchObject([
      { state: 'closed' },
      { state: 'captured' },
    ]);
  });
});

describe('late payments', () => {
  test('an order that is paid after it was closed is delivered', async () => {
    // A page outlives its order only if the provider made the page but answered with an error.
    const match = 'POST /v1/checkout/sessions';
    await shop.stripe.tell('/__sandbox/faults', { match, kind: 'http500_after_commit' });
    const order = await givenOrder(shop, buyer);
    await pay(shop, buyer, order);
    await letPageExpire(shop.db, order);
    await untilShown(shop, buyer, order, 'Unpaid');
    await letExpire(shop.db, order);
    await untilShown(shop, buyer, order, 'PaymentFailed');

    const [session] = await sessionsOf(shop, order);
    await payAtProvider(shop, session?.id ?? '');

    expect(await untilShown(shop, buyer, order, 'Fulfilled')).toMatchObject({ closedReason: null });
    expect(await grantsOf(shop, order)).toHaveLength(1);
    expect(await chargesOf(shop, order)).toHaveLength(1);
    const records = await recordsOf(shop.db, order);
    expect(records.attempts).toMatchObject([{ state: 'captured', psp_ref: session?.id }]);
    expect(brokenLinks(records)).toEqual([]);
  });

  test('a payment whose webhooks are all lost is found by polling the provider, and its order is delivered', async () => {
    await shop.stripe.tell('/__sandbox/webhooks', { plan: { drop: 'all' } });
    const order = await givenOrder(shop, buyer);
    await payAtProvider(shop, await openPage(shop, buyer, order));
    await untilShown(shop, buyer, order, 'Fulfilled');
    expect((await detailOf(shop, buyer, order)).timeline.map(({ step }) => step)).toEqual([
      'created',
      'payment_opened',
      'paid',
      'accepted',
      'arrived',
    ]);
    expect((await jobsOf(shop.db, order)).some(({ name }) => name === 'process_webhook')).toBe(
      false,
    );
  });
});

function isRetried({ name, state }: { name: string; state: string }): boolean {
  return name === expireOrderJob.name && state === 'retry';
}

async function forgetPage({ accountId, paymentId }: OrderKey): Promise<void> {
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update payment_attempts set psp_ref = 'cs_test_gone'
      where account_id = ${accountId} and payment_id = ${paymentId}`),
  );
}
