import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Buyer, detailOf, givenBuyer, givenOrder, grantsOf } from '../../test/buying.ts';
import {
  askRefund,
  breakPromise,
  casesOf,
  deliveryOf,
  givenArrivedOrder,
  givenPaidOrder,
  planRefunds,
  refundRowsOf,
  refundsAt,
  revocationOf,
  runJob,
} from '../../test/money-back.ts';
import { brokenLinks, type OrderKey, recordsOf, setTries } from '../../test/orders.ts';
import { balanceOf, givenPaidInPoints, givenPoints } from '../../test/point-buying.ts';
import { eventually, openTestShop, resetWorld, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';
import { sweepPromises } from './delivery.jobs.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => resetWorld(shop));
afterAll(() => shop.closeAll());

const deliver = (order: OrderKey) => runJob(shop, 'deliver_order', order);

const sendRefund = async (order: OrderKey) => {
  const refundId = (await refundRowsOf(shop.db, order)).at(-1)?.refund_id;
  await runJob(shop, 'refund_payment', { ...order, refundId });
};

/** An order whose delivery failed on every try of the schedule. */
async function givenStuck(order: OrderKey): Promise<OrderKey> {
  await setTries(shop.db, order, 11);
  await shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind: 'http500_before' });
  await deliver(order);
  return order;
}

test('a paid order shows the player the promised time by which it is delivered or refunded', async () => {
  const order = await givenOrder(shop, buyer);
  expect((await detailOf(shop, buyer, order)).promisedAt).toBeNull();
  const paid = await givenPaidOrder(shop, buyer);
  const { promisedAt, paidAt } = await detailOf(shop, buyer, paid);
  expect(Date.parse(promisedAt ?? '') - Date.parse(paidAt ?? '')).toBe(24 * 3_600_000);
  const { promise_at: promiseAt } = await deliveryOf(shop.db, paid);
  expect(promiseAt?.toISOString()).toBe(promisedAt);
  await deliver(paid);
  expect((await detailOf(shop, buyer, paid)).promisedAt).toBeNull();
  expect((await deliveryOf(shop.db, paid)).promise_at).toBeNull();
});

test('an order keeps the delivery promise that its site had when the order was placed', async () => {
  const before = await givenOrder(shop, buyer);
  const setHours = async (hours: number) => {
    await shop.db.transaction((tx) => tx.run(sql`update sites set promise_hours = ${hours}`));
    await eventually(async () => (await shop.sites.byId('solmere'))?.promiseHours === hours);
  };
  await setHours(2);
  const order = await givenPaidOrder(shop, buyer);
  await setHours(24);
  const { promisedAt, paidAt } = await detailOf(shop, buyer, order);
  expect(Date.parse(promisedAt ?? '') - Date.parse(paidAt ?? '')).toBe(2 * 3_600_000);
  expect((await detailOf(shop, buyer, before)).shown).toBe('Unpaid');
});

test('an order that is not delivered in time is refunded automatically and not delivered afterwards', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await breakPromise(shop.db, order);

  await sweepPromises(shop);

  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Processing',
    refunds: [{ reason: 'not_delivered_in_time', amountMinor: 499n, state: 'pending' }],
  });
  expect((await deliveryOf(shop.db, order)).promise_at).toBeNull(); // the promise is settled by the refund
  await deliver(order);
  await sendRefund(order);
  await deliver(order);
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Refunded',
    promisedAt: null,
  });
  expect(await refundsAt(shop, order)).toMatchObject([{ amount: 499, status: 'succeeded' }]);
  expect(await grantsOf(shop, order)).toEqual([]);
  expect(await revocationOf(shop.db, order)).toMatchObject({ state: 'queued' });
  expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  expect(await refundRowsOf(shop.db, order)).toMatchObject([{ requested_by: 'shop' }]);
});

test('a stuck order is refunded automatically when its delivery promise expires', async () => {
  const order = await givenStuck(await givenPaidOrder(shop, buyer));
  await breakPromise(shop.db, order);
  await sweepPromises(shop);
  await sendRefund(order);
  expect((await detailOf(shop, buyer, order)).shown).toBe('Refunded');
});

test('an order paid in E Points is refunded in E Points when its delivery promise expires', async () => {
  const player = await givenBuyer(shop);
  await givenPoints(shop, player, { basic: 400n, present: 100n });
  const order = await givenPaidInPoints(shop, player);
  await breakPromise(shop.db, order);
  await sweepPromises(shop);
  expect(await balanceOf(shop, player)).toMatchObject({ basicNum: 400, presentNum: 100 });
  expect((await detailOf(shop, player, order)).shown).toBe('Refunded');
  await deliver(order);
  expect(await grantsOf(shop, order)).toEqual([]);
});

test('an order whose delivery promise has expired is refunded once when six sweeps run at once', async () => {
  const orders = await Promise.all([1, 2, 3].map(() => givenPaidOrder(shop, buyer)));
  for (const order of orders) await breakPromise(shop.db, order);
  await Promise.all(Array.from({ length: 6 }, () => sweepPromises(shop)));
  await sweepPromises(shop);
  for (const order of orders) {
    expect(await refundRowsOf(shop.db, order)).toHaveLength(1);
    await sendRefund(order);
    expect(await refundsAt(shop, order)).toHaveLength(1);
  }
});

test('a partially refunded order is refunded only the rest when its delivery promise expires', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await askRefund(shop, order, { amountMinor: 99n });
  await sendRefund(order);
  await breakPromise(shop.db, order);
  await sweepPromises(shop);
  await sendRefund(order);
  expect((await refundsAt(shop, order)).map(({ amount }) => amount).toSorted()).toEqual([400, 99]);
});

test('the sweep of overdue deliveries refunds no order that is delivered, being refunded or not yet overdue', async () => {
  const arrived = await givenArrivedOrder(shop, buyer);
  const refunding = await givenPaidOrder(shop, buyer);
  await askRefund(shop, refunding);
  const inTime = await givenPaidOrder(shop, buyer);
  await breakPromise(shop.db, arrived);
  await breakPromise(shop.db, refunding);

  await sweepPromises(shop);

  expect(await refundRowsOf(shop.db, arrived)).toEqual([]);
  expect(await refundRowsOf(shop.db, refunding)).toMatchObject([{ reason: 'operator' }]);
  expect((await deliveryOf(shop.db, refunding)).promise_at).toBeNull(); // no later sweep looks at the order
  expect(await refundRowsOf(shop.db, inTime)).toEqual([]);
});

test('a failed refund for an expired delivery promise opens an operator case and is not requested again', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await breakPromise(shop.db, order);
  await planRefunds(shop, 'failed');
  await sweepPromises(shop);
  await sendRefund(order);
  await sweepPromises(shop);
  expect(await refundRowsOf(shop.db, order)).toMatchObject([{ state: 'failed' }]);
  expect(await casesOf(shop.db, order)).toMatchObject([{ kind: 'refund_failed' }]);
});

test('an overdue order that cannot be refunded does not stop the sweep from refunding other overdue orders', async () => {
  const [bad, good] = [await givenPaidOrder(shop, buyer), await givenPaidOrder(shop, buyer)];
  await breakPromise(shop.db, bad);
  await breakPromise(shop.db, good);
  const broken: TestShop = {
    ...shop,
    effects: {
      ...shop.effects,
      onRefundRequested: async (tx, order, refund) => {
        if (order.payment_id === bad.paymentId) throw new Error('it cannot be written');
        await shop.effects.onRefundRequested(tx, order, refund);
      },
    },
  };

  await expect(sweepPromises(broken)).rejects.toThrow();

  expect(await refundRowsOf(shop.db, bad)).toEqual([]);
  expect(await refundRowsOf(shop.db, good)).toHaveLength(1);
  // The order is due again in an hour, so it does not block other orders until then.
  expect((await deliveryOf(shop.db, bad)).promise_at?.getTime()).toBeGreaterThan(Date.now());
  await breakPromise(shop.db, bad);
  await sweepPromises(shop);
  expect(await refundRowsOf(shop.db, bad)).toHaveLength(1);
});
