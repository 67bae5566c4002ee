import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  detailOf,
  givenBuyer,
  givenOrder,
  grantsOf,
  openPage,
  payAtProvider,
  untilShown,
} from '../../test/buying.ts';
import { casesOf } from '../../test/money-back.ts';
import {
  booksOf,
  brokenLinks,
  forgetDelivery,
  jobsOf,
  loseHeartbeat,
  type OrderKey,
  recordsOf,
  setTries,
} from '../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';
import { lockOrder } from '../money/orders/orders.ts';
import { paymentWorks } from '../money/payments/payments.jobs.ts';
import { sql } from '../platform/db.ts';
import { jobWork, type Settle } from '../platform/jobs.ts';
import { openShop, type Shop } from '../wiring/app.ts';
import { startWork } from '../wiring/work.ts';
import { deliveryWorks, sweepDeliveries } from './delivery.jobs.ts';
import { deliverOrderJob, queueDelivery } from './delivery.ts';
import { waitAfterTries } from './retry-schedule.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => shop.game.tell('/__sandbox/reset', {}));
afterAll(() => shop.closeAll());

const fault = (kind: string, more: object = {}) =>
  shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind, ...more });

const settle = (write: Settle) => shop.db.transaction(write);

/** Runs the job up to its commit; the returned function writes the outcome. */
async function startDelivery(order: OrderKey): Promise<Settle> {
  const [work] = deliveryWorks(shop);
  if (work === undefined) throw new Error('there is no delivery work');
  return await work.run(order);
}

/** A paid order whose delivery job no worker has taken yet. */
async function givenPaidOrder(): Promise<OrderKey> {
  const order = await givenOrder(shop, buyer);
  const sessionId = await openPage(shop, buyer, order);
  await payAtProvider(shop, sessionId);
  const stop = shop.jobs.work(shop.db, paymentWorks(shop.payments));
  await untilShown(shop, buyer, order, 'Paid');
  await stop();
  return order;
}

async function arrivedOnce(order: OrderKey, { tries }: { tries: number }) {
  const records = await recordsOf(shop.db, order);
  expect(records.order.state).toBe('arrived');
  expect(records.delivery).toMatchObject({ state: 'delivered', tries });
  expect(records.events.filter(({ fact }) => fact.type === 'delivered')).toHaveLength(1);
  expect(brokenLinks(records)).toEqual([]);
  expect(await grantsOf(shop, order)).toHaveLength(1);
  expect(await booksOf(shop.db, order)).toEqual({
    'house:psp USD': -499n,
    'player:deposit USD': 0n,
    'house:sales USD': 499n,
  });
}

describe('duplicate deliveries', () => {
  test('a delivery queued twice is made once, and the second job finds the order delivered', async () => {
    const key = await givenPaidOrder();
    await shop.db.transaction(async (tx) => {
      const order = await lockOrder(tx, key);
      if (order === undefined) throw new Error('there is no order');
      await queueDelivery(tx, shop.jobs, order, { isLate: false });
    });
    expect((await jobsOf(shop.db, key)).filter(isDelivery)).toHaveLength(2);
    await settle(await startDelivery(key));
    await settle(await startDelivery(key));
    await arrivedOnce(key, { tries: 1 });
  });

  test('a delivery job that a second worker repeats after the delivery succeeded does not call the game again', async () => {
    const order = await givenPaidOrder();
    await settle(await startDelivery(order));
    await shop.game.tell('/__sandbox/dedupe', { enabled: false }); // a second call would grant again
    await settle(await startDelivery(order));
    await arrivedOnce(order, { tries: 1 });
  });

  test('a delivery made by three workers at once is granted by the game once', async () => {
    const order = await givenPaidOrder();
    const writes = await Promise.all([1, 2, 3].map(() => startDelivery(order)));
    await Promise.all(writes.map(settle));
    await arrivedOnce(order, { tries: 1 });
  });

  test('a delivery that fails for two workers at once counts one failed try and queues one retry', async () => {
    await fault('http500_before', { times: 2 });
    const order = await givenPaidOrder();
    const writes = await Promise.all([startDelivery(order), startDelivery(order)]);
    await Promise.all(writes.map(settle));

    const { delivery, events } = await recordsOf(shop.db, order);
    expect(delivery).toMatchObject({ state: 'queued', tries: 1 });
    expect(events.filter(({ fact }) => fact.type === 'delivery_failed')).toHaveLength(1);
    expect((await jobsOf(shop.db, order)).filter(isDelivery)).toHaveLength(2); // the first job and its retry
  });

  test.each(['the failed worker', 'the successful worker'])(
    'an order whose delivery fails in one worker and succeeds in another ends as delivered when %s writes first',
    async (first) => {
      await fault('http500_after_commit');
      const order = await givenPaidOrder();
      const failed = await startDelivery(order);
      const delivered = await startDelivery(order);
      const writes = first === 'the failed worker' ? [failed, delivered] : [delivered, failed];
      for (const write of writes) await settle(write);

      await arrivedOnce(order, { tries: first === 'the failed worker' ? 2 : 1 });
    },
  );
});

describe('delivery retries', () => {
  /** Makes a delivery with so many failed tries fail once more. */
  async function failAfter(tries: number) {
    const order = await givenPaidOrder();
    await setTries(shop.db, order, tries);
    await fault('http500_before');
    const before = Date.now();
    await settle(await startDelivery(order));
    const after = Date.now();
    const { order: row, delivery, events } = await recordsOf(shop.db, order);
    return { order, state: row.state, delivery, events, before, after };
  }

  test.each([1, 2, 5, 11])(
    'a delivery that failed %d times is retried after the wait that the retry schedule sets for that number of failures',
    async (tries) => {
      const failed = await failAfter(tries - 1);

      expect(failed.delivery).toMatchObject({ state: 'queued', tries });
      const leastMs = waitAfterTries(tries, 0) ?? 0;
      const nextTryMs = failed.delivery?.next_try_at?.getTime() ?? 0;
      expect(nextTryMs).toBeGreaterThanOrEqual(failed.before + leastMs);
      expect(nextTryMs).toBeLessThanOrEqual(failed.after + leastMs * 1.1);
      expect(failed.events.at(-1)?.fact).toEqual({
        type: 'delivery_failed',
        tries,
        cause: 'HTTP 500',
        nextTryAt: new Date(nextTryMs).toISOString(),
      });
      const next = (await jobsOf(shop.db, failed.order)).filter(isDelivery).at(-1);
      expect(next).toMatchObject({ state: 'created', start_after: new Date(nextTryMs) });
    },
  );

  test('a delivery that failed through the whole retry schedule opens an operator case and grants nothing', async () => {
    const { order, ...failed } = await failAfter(11);

    expect(failed.state).toBe('stuck');
    expect(failed.delivery).toMatchObject({ state: 'exhausted', tries: 12, next_try_at: null });
    expect(failed.events.at(-1)?.fact).toEqual({
      type: 'delivery_stuck',
      round: 1,
      reason: 'exhausted',
    });
    expect(await casesOf(shop.db, order)).toMatchObject([
      { kind: 'delivery_stuck', details: { reason: 'exhausted', tries: 12 } },
    ]);
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Paid',
      isDeliveryDelayed: true,
      nextDeliveryAt: null,
    });
    expect(await grantsOf(shop, order)).toEqual([]);
    expect((await jobsOf(shop.db, order)).filter(isDelivery)).toHaveLength(1); // no retry is queued
  });
});

describe('dead workers', () => {
  let other: Shop;
  beforeAll(async () => {
    other = await openShop(shop.config, 'worker');
  });
  afterAll(() => other.close());

  /** Takes the order's job, runs `meanwhile`, and then never finishes the job. */
  async function dieWith(order: OrderKey, meanwhile: () => Promise<unknown>) {
    const isDead = Promise.withResolvers<void>();
    const hang = Promise.withResolvers<never>();
    const stop = shop.jobs.work(shop.db, [
      jobWork(deliverOrderJob, async (key) => {
        if (key.paymentId !== order.paymentId) return async () => {};
        await meanwhile();
        isDead.resolve();
        return await hang.promise;
      }),
    ]);
    await isDead.promise;
    const stopped = stop(); // takes no other job, and still holds this one
    return {
      release: async () => {
        hang.reject(new Error('dead'));
        await stopped;
      },
    };
  }

  /** The job engine gives the job to another worker once the heartbeat is lost. */
  async function untilAnotherFinishes(order: OrderKey): Promise<void> {
    const stop = startWork(other);
    await eventually(async () => {
      await loseHeartbeat(shop.db, order);
      return (await recordsOf(shop.db, order)).order.state === 'arrived';
    });
    await stop();
  }

  test("a delivery whose worker dies between the game's grant and its own commit is completed by another worker without a second grant", async () => {
    const order = await givenPaidOrder();
    const dead = await dieWith(order, () => startDelivery(order));
    expect(await grantsOf(shop, order)).toHaveLength(1);
    expect((await recordsOf(shop.db, order)).order.state).toBe('paid');

    await untilAnotherFinishes(order);
    await arrivedOnce(order, { tries: 1 });
    await dead.release();
    await arrivedOnce(order, { tries: 1 });
  });

  test('a delivery whose worker dies before calling the game is made by another worker', async () => {
    const order = await givenPaidOrder();
    const dead = await dieWith(order, async () => {});
    expect(await grantsOf(shop, order)).toEqual([]);

    await untilAnotherFinishes(order);
    await dead.release();
    await arrivedOnce(order, { tries: 1 });
  });
});

function isDelivery({ name }: { name: string }): boolean {
  return name === deliverOrderJob.name;
}

describe('abandoned delivery jobs', () => {
  const deliveriesQueued = async (order: OrderKey) =>
    (await jobsOf(shop.db, order)).filter(({ name }) => name === deliverOrderJob.name).length;

  test('a delivery whose job was abandoned is queued again once and then made', async () => {
    const order = await givenPaidOrder();
    await forgetDelivery(shop.db, order, 121);
    await Promise.all([sweepDeliveries(shop), sweepDeliveries(shop)]);
    await sweepDeliveries(shop);
    expect(await deliveriesQueued(order)).toBe(1);

    const stop = shop.jobs.work(shop.db, deliveryWorks(shop));
    await untilShown(shop, buyer, order, 'Fulfilled');
    await stop();
    expect(await grantsOf(shop, order)).toHaveLength(1);
  });

  test('a delivery that is queued again stays in the job group of its game server', async () => {
    const order = await givenPaidOrder();
    await fault('http500_before');
    await settle(await startDelivery(order));
    await forgetDelivery(shop.db, order, 121);
    expect(await groupsOf(order)).toEqual([]);
    await sweepDeliveries(shop);
    await fault('http500_before');
    await settle(await startDelivery(order));
    expect(await groupsOf(order)).toEqual(['solmere/s12', 'solmere/s12']); // by the sweep and by the retry
  });

  test('a delivery whose job the job engine may still retry is not queued again', async () => {
    const order = await givenPaidOrder();
    await forgetDelivery(shop.db, order, 119);
    await sweepDeliveries(shop);
    expect(await deliveriesQueued(order)).toBe(0);
  });
});

async function groupsOf({ paymentId }: OrderKey): Promise<(string | null)[]> {
  const rows = await shop.db.many(
    z.object({ group_id: z.string().nullable() }),
    sql`
      select group_id from pgboss.job
      where name = 'deliver_order' and data->>'paymentId' = ${paymentId}`,
  );
  return rows.map(({ group_id }) => group_id);
}
