import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  type Buyer,
  bodyFor,
  detailOf,
  givenBuyer,
  givenOrder,
  grantsOf,
  openPage,
  payAtProvider,
  untilShown,
} from '../../test/buying.ts';
import {
  booksOf,
  brokenLinks,
  hurryJobs,
  jobsOf,
  type OrderKey,
  recordsOf,
} from '../../test/orders.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  shop.startWorker();
  buyer = await givenBuyer(shop);
});
beforeEach(() => shop.game.tell('/__sandbox/reset', {}));
afterAll(() => shop.closeAll());

const fault = (kind: string, more: object = {}) =>
  shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind, ...more });

async function givenPaidOrder(changes: object = {}): Promise<OrderKey> {
  const order = await givenOrder(shop, buyer, changes);
  await payAtProvider(shop, await openPage(shop, buyer, order));
  return order;
}

const deliveryOf = async (order: OrderKey) => (await recordsOf(shop.db, order)).delivery;

const untilTries = (order: OrderKey, tries: number) =>
  eventually(async () => {
    const delivery = await deliveryOf(order);
    return delivery !== undefined && delivery.tries >= tries && delivery;
  });

const stepsOf = async (order: OrderKey) =>
  (await detailOf(shop, buyer, order)).timeline.map(({ step }) => step);

test('a delivery call to the game says sandbox if and only if a test-mode merchant account took the payment', async () => {
  const { isTestMoney } = shop.workerShop;
  for (const isTest of [true, false]) {
    shop.workerShop.isTestMoney = async (takers) =>
      takers.some((taker) => (taker === 'stripe' ? isTest : !isTest));
    const order = await givenPaidOrder();
    await untilShown(shop, buyer, order, 'Fulfilled');
    const { calls } = z
      .object({ calls: z.array(z.object({ body: z.looseObject({ sandbox: z.boolean() }) })) })
      .parse(await shop.game.ask('/__sandbox/records?limit=50'));
    const told = calls.filter(({ body }) => body.paymentId === order.paymentId);
    expect(told.map(({ body }) => body.sandbox)).toEqual([isTest]);
  }
  shop.workerShop.isTestMoney = isTestMoney;
});

test('a paid order is granted once with all its packs and gifts', async () => {
  const order = await givenPaidOrder({ quantity: 2 });
  await untilShown(shop, buyer, order, 'Fulfilled');

  expect(await grantsOf(shop, order)).toEqual([{ sku: 'lumen_shard', quantity: 660 }]);
  const records = await recordsOf(shop.db, order);
  expect(records.delivery).toMatchObject({ state: 'delivered', tries: 1, next_try_at: null });
  expect(records.order.arrived_at).not.toBeNull();
  expect(brokenLinks(records)).toEqual([]);
});

describe('failing games', () => {
  test('a delivery that fails twice is retried, and the player sees the time of the next try', async () => {
    await fault('http500_before', { times: 2 });
    const order = await givenPaidOrder();
    const waiting = await eventually(async () => {
      const detail = await detailOf(shop, buyer, order);
      return detail.nextDeliveryAt !== null && detail;
    });
    expect(waiting).toMatchObject({ shown: 'Paid', record: 2, isDeliveryDelayed: false });
    await untilTries(order, 2);
    await hurryJobs(shop.db, order);
    await untilShown(shop, buyer, order, 'Fulfilled');

    expect(await grantsOf(shop, order)).toHaveLength(1);
    expect(await deliveryOf(order)).toMatchObject({ state: 'delivered', tries: 3 });
    expect(await stepsOf(order)).toEqual([
      'created',
      'payment_opened',
      'paid',
      'accepted',
      'delivery_retry',
      'delivery_retry',
      'arrived',
    ]);
  });

  test.each(['http500_after_commit', 'cut_after_commit'])(
    'a delivery call whose answer is lost after the grant (%s) is retried without a second grant',
    async (kind) => {
      await fault(kind);
      const order = await givenPaidOrder();
      await untilShown(shop, buyer, order, 'Fulfilled');

      expect(await grantsOf(shop, order)).toHaveLength(1);
      const { events } = await recordsOf(shop.db, order);
      expect(events.map(({ fact }) => fact.type)).toEqual([
        'attempt_opened',
        'captured',
        'delivery_failed',
        'delivered',
      ]);
      expect(await booksOf(shop.db, order)).toMatchObject({ 'house:sales USD': 499n });
      expect(await deliveryOf(order)).toMatchObject({ state: 'delivered', tries: 2 });
    },
  );
});

test('a failing game server does not delay deliveries to another game server', async () => {
  await fault('http500_before', { serverId: 's7', times: 1000 });
  const bad = await givenPaidOrder(await bodyFor(shop, buyer, 's7'));
  const good = await givenPaidOrder();
  await untilShown(shop, buyer, good, 'Fulfilled');
  await untilTries(bad, 1);
  expect(await grantsOf(shop, bad)).toEqual([]);
});

test('a delivery to a game server in maintenance waits without counting a try', async () => {
  const setStatus = async (status: number) => {
    await shop.db.transaction((tx) =>
      tx.run(sql`update game_servers set status = ${status} where id = 's12'`),
    );
    const place = { gameId: 'solmere', serverId: 's12' };
    await eventually(async () => (await shop.catalogue.server(place))?.status === status);
  };
  const order = await givenOrder(shop, buyer);
  const sessionId = await openPage(shop, buyer, order);
  await setStatus(1);
  await payAtProvider(shop, sessionId);
  const inHalfAMinute = Date.now() + 30_000;
  const { delivery, events } = await eventually(async () => {
    const records = await recordsOf(shop.db, order);
    return (records.delivery?.next_try_at?.getTime() ?? 0) > inHalfAMinute && records;
  });
  expect(delivery).toMatchObject({ state: 'queued', tries: 0 });
  expect((await jobsOf(shop.db, order)).filter(isWaiting)).toHaveLength(1);
  expect(events.map(({ fact }) => fact.type)).toEqual(['attempt_opened', 'captured']);
  expect(await grantsOf(shop, order)).toEqual([]);

  await setStatus(0);
  await hurryJobs(shop.db, order);
  await untilShown(shop, buyer, order, 'Fulfilled');
  expect(await deliveryOf(order)).toMatchObject({ state: 'delivered', tries: 1 });
});

function isWaiting({ name, state }: { name: string; state: string }): boolean {
  return name === 'deliver_order' && (state === 'created' || state === 'retry');
}
