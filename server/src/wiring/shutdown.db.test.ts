import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, givenBuyer, givenOrder } from '../../test/buying.ts';
import { listenToOrder } from '../../test/order-stream.ts';
import { startShopProcess } from '../../test/processes.ts';
import { callRaw } from '../../test/raw-call.ts';
import { eventually, openTestShop, send, type TestShop } from '../../test/shop.ts';
import { type Sql, sql } from '../platform/db.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
afterAll(() => shop.closeAll());

/** A long timeout for busy machines, so that no call gives up waiting for the locked table. */
const patient = { DATABASE_WAIT_SECONDS: '60' };

/** Locks a table, so that readers wait until it is released. */
async function hold(lock: Sql) {
  const held = Promise.withResolvers<void>();
  const over = Promise.withResolvers<void>();
  const holding = shop.db.transaction(async (tx) => {
    await tx.run(lock);
    held.resolve();
    await over.promise;
  });
  await held.promise;
  return {
    untilWaitedFor: () =>
      eventually(async () => {
        const waiting = await shop.db.many(
          z.object({ pid: z.int() }),
          sql`
            select pid from pg_stat_activity
            where datname = current_database() and application_name = 'pointgate-api'
              and wait_event_type = 'Lock'`,
        );
        return waiting.length > 0;
      }),
    letGo: async () => {
      over.resolve();
      await holding;
    },
  };
}

const pointsAt = (url: string) =>
  send({ ...shop, url }, '/api/epoint/overage', {
    cookie: buyer.cookie,
    body: { userId: buyer.gameAccountId },
  });
const isGone = (url: string) =>
  callRaw(`${url}/health/live`).then(
    () => false,
    () => true,
  );

test('an API process that is stopping reports not ready, answers running calls, ends its order streams and exits without an error', async () => {
  const order = await givenOrder(shop, buyer);
  const api = await startShopProcess(shop, 'api', { ...patient, STOP_DELAY_SECONDS: '2' });
  const stream = await listenToOrder(api, order.paymentId, buyer.cookie);
  await stream.untilChanges(1);
  const wallets = await hold(sql`lock table wallets in access exclusive mode`);
  const begun = pointsAt(api.url);
  await wallets.untilWaitedFor();

  const stopping = api.stop();
  const ready = await eventually(async () => {
    const said = await callRaw(`${api.url}/health/ready`);
    return said.status === 503 && said;
  });
  expect(ready.json()).toMatchObject({ isReady: false, isStopping: true, database: 'ok' });
  // Until a load balancer has noticed, players are served as before.
  const time = await callRaw(`${api.url}/api/time`);
  expect(time.status).toBe(200);

  await stream.ended;
  await wallets.letGo();
  expect(await begun).toMatchObject({ isSuccess: true });
  await stopping;
  await api.finished();
  expect(await isGone(api.url)).toBe(true);
});

test('a worker process that is stopping reports not ready and exits without an error', async () => {
  const worker = await startShopProcess(shop, 'worker', {
    HEALTH_PORT: '0',
    STOP_DELAY_SECONDS: '2',
  });
  const stopping = worker.stop();
  await eventually(async () => (await callRaw(`${worker.healthUrl}/health/ready`)).status === 503);
  await stopping;
  await worker.finished();
});

test('an order change stream that is opened while the API stops does not keep the API from exiting', async () => {
  const order = await givenOrder(shop, buyer);
  const api = await startShopProcess(shop, 'api', patient);
  const orders = await hold(sql`lock table orders in access exclusive mode`);
  const opening = listenToOrder(api, order.paymentId, buyer.cookie);
  await orders.untilWaitedFor();
  const stopping = api.stop();
  // The api refuses new connections: its other streams have been told to end.
  await eventually(() => isGone(api.url));
  await orders.letGo();
  const stream = await opening;
  await stream.ended;
  await stopping;
  await api.finished();
});
