import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Buyer, detailOf, givenBuyer, grantsOf } from '../../test/buying.ts';
import { giveUpOn, letGameGo, untilGameHangs } from '../../test/hanging.ts';
import {
  askRefund,
  casesOf,
  deliveryOf,
  givenPaidOrder,
  runJob,
  startJob,
  untilState,
  withWorkerFor,
} from '../../test/money-back.ts';
import {
  brokenLinks,
  forgetDelivery,
  jobsOf,
  loseHeartbeat,
  type OrderKey,
  recordsOf,
} from '../../test/orders.ts';
import { startShopProcess } from '../../test/processes.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';
import { sweepDeliveries } from './delivery.jobs.ts';
import { resumeDelivery } from './delivery.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  await setGame({ givesOnce: false });
  buyer = await givenBuyer(shop);
});
beforeEach(async () => {
  await shop.game.tell('/__sandbox/reset', {});
  await shop.game.tell('/__sandbox/dedupe', { enabled: false });
});
afterAll(() => shop.closeAll());

const fault = (kind: string, more: object = {}) =>
  shop.game.tell('/__sandbox/faults', { call: 'recharge.deliver', kind, ...more });

const deliver = (order: OrderKey) => runJob(shop, 'deliver_order', order);

const waitingJobs = async (order: OrderKey) =>
  (await jobsOf(shop.db, order)).filter(
    ({ name, state }) => name === 'deliver_order' && (state === 'created' || state === 'retry'),
  ).length;

/** Expects that no job and no sweep delivers the order until an operator resumes it. */
async function waitsForOperator(order: OrderKey, given: number): Promise<void> {
  expect(await deliveryOf(shop.db, order)).toMatchObject({
    state: 'ambiguous',
    tries: 1,
    next_try_at: null,
    calling_since: null,
  });
  expect(await detailOf(shop, buyer, order)).toMatchObject({
    shown: 'Paid',
    isDeliveryDelayed: true,
    nextDeliveryAt: null,
  });
  expect(await casesOf(shop.db, order)).toMatchObject([
    { kind: 'delivery_stuck', details: { reason: 'ambiguous' } },
  ]);
  await deliver(order);
  await forgetDelivery(shop.db, order, 1000);
  await sweepDeliveries(shop);
  expect(await waitingJobs(order)).toBe(0);
  expect(await grantsOf(shop, order)).toHaveLength(given);
}

describe('games without idempotent delivery', () => {
  test('a delivery call that was answered is not repeated to a game without idempotent delivery', async () => {
    const order = await givenPaidOrder(shop, buyer);
    await deliver(order);
    await deliver(order);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    expect(await grantsOf(shop, order)).toHaveLength(1);
    expect(await deliveryOf(shop.db, order)).toMatchObject({ tries: 1, calling_since: null });
  });

  test.each([
    ['a 500 after the grant', 'http500_after_commit', 1],
    ['a 500 before the grant', 'http500_before', 0],
    ['a connection cut after the grant', 'cut_after_commit', 1],
  ])(
    'a game without idempotent delivery is not called again after %s',
    async (_what, kind, given) => {
      const order = await givenPaidOrder(shop, buyer);
      await fault(kind);
      await deliver(order);
      await waitsForOperator(order, given);
    },
  );

  test('a game without idempotent delivery is not called again after a timeout, even if the game grants later', async () => {
    const order = await givenPaidOrder(shop, buyer);
    await fault('hang');
    await giveUpOn(shop.game, () => deliver(order));
    await letGameGo(shop);
    await eventually(async () => (await grantsOf(shop, order)).length === 1);
    await waitsForOperator(order, 1);
  });

  test('a game without idempotent delivery is not called again by another worker after the first worker died', async () => {
    const order = await givenPaidOrder(shop, buyer);
    await startJob(shop, 'deliver_order', order); // the game granted, and no worker committed that
    expect((await deliveryOf(shop.db, order)).calling_since).not.toBeNull();
    await deliver(order);
    await waitsForOperator(order, 1);
  });

  test('a game without idempotent delivery is called once when three workers have the same delivery job', async () => {
    const order = await givenPaidOrder(shop, buyer);
    const writes = await Promise.all([1, 2, 3].map(() => startJob(shop, 'deliver_order', order)));
    await Promise.all(writes.map((write) => shop.db.transaction(write)));
    expect(await grantsOf(shop, order)).toHaveLength(1);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  });

  test('a delivery confirmed by one worker opens no operator case although another worker saw its call unanswered', async () => {
    const order = await givenPaidOrder(shop, buyer);
    const delivered = await startJob(shop, 'deliver_order', order);
    const unclear = await startJob(shop, 'deliver_order', order); // finds the call of the other worker open
    await shop.db.transaction(delivered);
    await shop.db.transaction(unclear);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    expect(await deliveryOf(shop.db, order)).toMatchObject({ state: 'delivered', tries: 1 });
    expect(await casesOf(shop.db, order)).toEqual([]);
  });

  test('a game without idempotent delivery is not called when the order is refunded just before the call', async () => {
    const order = await givenPaidOrder(shop, buyer);
    const inBetween: TestShop = {
      ...shop,
      catalogue: {
        ...shop.catalogue,
        server: async (place) => {
          const { refundId } = await askRefund(shop, order);
          await runJob(shop, 'refund_payment', { ...order, refundId });
          return await shop.catalogue.server(place);
        },
      },
    };
    await runJob(inBetween, 'deliver_order', order);
    expect(await grantsOf(shop, order)).toEqual([]);
    expect(await deliveryOf(shop.db, order)).toMatchObject({ state: 'cancelled' });
    expect(await casesOf(shop.db, order)).toEqual([]);
  });

  test('a game without idempotent delivery is called again after a refused connection', async () => {
    const order = await givenPaidOrder(shop, buyer);
    await setGame({ givesOnce: false, apiUrl: await deadAddress() });
    await deliver(order);
    expect(await deliveryOf(shop.db, order)).toMatchObject({
      state: 'queued',
      tries: 1,
      calling_since: null,
    });
    expect(await waitingJobs(order)).toBe(2); // the first job and its retry

    await setGame({ givesOnce: false, apiUrl: shop.game.url });
    await deliver(order);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    expect(await grantsOf(shop, order)).toHaveLength(1);
  });

  test('a game without idempotent delivery is called again for an order whose delivery an operator resumes', async () => {
    const order = await givenPaidOrder(shop, buyer);
    await fault('http500_before');
    await deliver(order);
    await waitsForOperator(order, 0);
    expect(
      await shop.db.transaction((tx) => resumeDelivery(tx, shop.effects, order, 'operator')),
    ).toBe(true);
    expect((await detailOf(shop, buyer, order)).isDeliveryDelayed).toBe(false);

    await withWorkerFor(shop, ['deliver_order'], () => untilState(shop.db, order, 'arrived'));
    expect(await grantsOf(shop, order)).toHaveLength(1);

    const again = await givenPaidOrder(shop, buyer);
    await fault('http500_before', { times: 2 });
    await deliver(again);
    await shop.db.transaction((tx) => resumeDelivery(tx, shop.effects, again, 'operator'));
    await deliver(again);
    expect((await casesOf(shop.db, again)).map(({ subject }) => subject)).toEqual(
      [1, 2].map((round) => `${again.paymentId}:${round}`),
    );
  });
});

test('a worker process killed during a call to a game without idempotent delivery causes no second grant', async () => {
  const order = await givenPaidOrder(shop, buyer);
  await fault('hang');
  const worker = await startShopProcess(shop, 'worker');
  await untilGameHangs(shop);
  await worker.kill();
  await letGameGo(shop);
  await eventually(async () => (await grantsOf(shop, order)).length === 1); // after the worker was killed

  const stop = shop.startWorker();
  await eventually(async () => {
    await loseHeartbeat(shop.db, order);
    return (await detailOf(shop, buyer, order)).isDeliveryDelayed;
  });
  await stop();
  expect(await grantsOf(shop, order)).toHaveLength(1);
  expect(await casesOf(shop.db, order)).toMatchObject([{ kind: 'delivery_stuck' }]);
});

describe('games with idempotent delivery', () => {
  beforeAll(() => setGame({ givesOnce: true }));
  beforeEach(() => shop.game.tell('/__sandbox/dedupe', { enabled: true }));

  test.each(['http500_after_commit', 'cut_after_commit', 'http500_before'])(
    'a game with idempotent delivery is called again after %s, and no unanswered call is recorded',
    async (kind) => {
      const order = await givenPaidOrder(shop, buyer);
      await fault(kind);
      await deliver(order);
      expect(await deliveryOf(shop.db, order)).toMatchObject({
        state: 'queued',
        tries: 1,
        calling_since: null,
      });
      await deliver(order);
      expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
      expect(await grantsOf(shop, order)).toHaveLength(1);
    },
  );

  test('a game with idempotent delivery is called again by another worker after the first worker died', async () => {
    const order = await givenPaidOrder(shop, buyer);
    await startJob(shop, 'deliver_order', order);
    await deliver(order);
    expect((await detailOf(shop, buyer, order)).shown).toBe('Fulfilled');
    expect(await grantsOf(shop, order)).toHaveLength(1);
  });
});

/** Changes the game as an operator would, and waits until the shop has seen it. */
async function setGame(changes: { givesOnce: boolean; apiUrl?: string }): Promise<void> {
  const { givesOnce, apiUrl = shop.game.url } = changes;
  await shop.db.transaction((tx) =>
    tx.run(sql`update games set gives_once = ${givesOnce}, api_url = ${apiUrl}`),
  );
  await eventually(async () => {
    const game = await shop.catalogue.game('solmere');
    return game?.givesOnce === givesOnce && game.apiUrl === apiUrl;
  });
}

/** The address of a server that has stopped. */
async function deadAddress(): Promise<string> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo; // as: it listens on a port
  server.close();
  await once(server, 'close');
  return `http://127.0.0.1:${port}`;
}
