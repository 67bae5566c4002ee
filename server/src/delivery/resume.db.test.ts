import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Buyer, detailOf, givenBuyer, givenOrder, grantsOf } from '../../test/buying.ts';
import {
  askRefund,
  casesOf,
  deliveryOf,
  forgetJobs,
  givenArrivedOrder,
  givenPaidOrder,
  planRefunds,
  runJob,
  untilState,
  withWorkerFor,
} from '../../test/money-back.ts';
import { brokenLinks, type OrderKey, recordsOf, setTries } from '../../test/orders.ts';
import { openTestShop, resetWorld, type TestShop } from '../../test/shop.ts';
import { resumeDelivery } from './delivery.ts';
import { waitAfterTries } from './retry-schedule.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => resetWorld(shop));
afterAll(() => shop.closeAll());

const fault = (kind: string, more: object = {}) =>
  shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind, ...more });

const deliver = (order: OrderKey) => runJob(shop, 'deliver_order', order);
const resume = (order: OrderKey) =>
  shop.db.transaction((tx) => resumeDelivery(tx, shop.effects, order, 'mira'));

/** An order whose delivery failed on every try of the schedule. */
async function givenStuck(): Promise<OrderKey> {
  const order = await givenPaidOrder(shop, buyer);
  await setTries(shop.db, order, 11);
  await fault('http500_before');
  await deliver(order);
  await forgetJobs(shop.db, order); // they have ended
  expect((await detailOf(shop, buyer, order)).isDeliveryDelayed).toBe(true);
  return order;
}

describe('resumed deliveries', () => {
  test('a stuck order is delivered after an operator resumes it', async () => {
    const order = await givenStuck();
    expect(await casesOf(shop.db, order)).toMatchObject([{ subject: `${order.paymentId}:1` }]);

    expect(await resume(order)).toBe(true);

    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Paid',
      isDeliveryDelayed: false,
    });
    await withWorkerFor(shop, ['deliver_order'], () => untilState(shop.db, order, 'arrived'));
    expect(await grantsOf(shop, order)).toHaveLength(1);
    const records = await recordsOf(shop.db, order);
    expect(brokenLinks(records)).toEqual([]);
    expect(records.events.find(({ fact }) => fact.type === 'delivery_resumed')?.fact).toEqual({
      type: 'delivery_resumed',
      round: 1,
      by: 'mira',
    });
  });

  test('a delivery that an operator resumes restarts the retry schedule and opens a second operator case at its end', async () => {
    const order = await givenStuck();
    await resume(order);
    expect(await deliveryOf(shop.db, order)).toMatchObject({
      state: 'queued',
      round: 2,
      tries: 12,
      tries_before_round: 12,
    });
    await fault('http500_before');
    const before = Date.now();
    await deliver(order);
    const after = Date.now();
    const failed = await deliveryOf(shop.db, order);
    expect(failed).toMatchObject({ state: 'queued', tries: 13 });
    const leastMs = waitAfterTries(1, 0) ?? 0;
    expect(failed.next_try_at?.getTime()).toBeGreaterThanOrEqual(before + leastMs);
    expect(failed.next_try_at?.getTime()).toBeLessThanOrEqual(after + leastMs * 1.1);

    await setTries(shop.db, order, 23);
    await fault('http500_before');
    await deliver(order);
    expect(await deliveryOf(shop.db, order)).toMatchObject({ state: 'exhausted', tries: 24 });
    expect(await casesOf(shop.db, order)).toMatchObject([
      { subject: `${order.paymentId}:1` },
      { subject: `${order.paymentId}:2` },
    ]);
    expect((await detailOf(shop, buyer, order)).isDeliveryDelayed).toBe(true);
    expect(await resume(order)).toBe(true);
    await deliver(order);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
  });

  test('a stuck delivery that an operator resumes several times at once is resumed once', async () => {
    const order = await givenStuck();
    const answers = await Promise.all([1, 2, 3, 4].map(() => resume(order)));
    expect(answers.filter(Boolean)).toHaveLength(1);
    expect(await resume(order)).toBe(false);
    expect(await deliveryOf(shop.db, order)).toMatchObject({ round: 2 });
  });

  test('the delivery of an order that is not stuck cannot be resumed by an operator', async () => {
    expect(await resume(await givenPaidOrder(shop, buyer))).toBe(false); // still being tried
    expect(await resume(await givenArrivedOrder(shop, buyer))).toBe(false);
    expect(await resume(await givenOrder(shop, buyer))).toBe(false);
    const { accountId } = buyer;
    expect(await resume({ accountId, paymentId: randomUUID() })).toBe(false);
  });

  test('the delivery of a refunded order cannot be resumed by an operator, and the order is not delivered', async () => {
    const order = await givenStuck();
    const { refundId } = await askRefund(shop, order);
    await runJob(shop, 'refund_payment', { ...order, refundId });
    expect(await resume(order)).toBe(false);
    await deliver(order);
    expect(await grantsOf(shop, order)).toEqual([]);
  });

  test('a delivery that an operator resumes during a refund goes on when the refund fails', async () => {
    const order = await givenStuck();
    const { refundId } = await askRefund(shop, order);
    expect(await resume(order)).toBe(false);
    await deliver(order);
    expect(await grantsOf(shop, order)).toEqual([]);

    await planRefunds(shop, 'failed');
    await runJob(shop, 'refund_payment', { ...order, refundId });
    await withWorkerFor(shop, ['deliver_order'], () => untilState(shop.db, order, 'arrived'));
    expect(await grantsOf(shop, order)).toHaveLength(1);
  });
});
