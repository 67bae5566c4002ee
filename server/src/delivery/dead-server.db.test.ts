import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { type Buyer, bodyFor, givenBuyer, grantsOf } from '../../test/buying.ts';
import { type OrderKey, recordsOf } from '../../test/orders.ts';
import { givenPaidInPoints, givenPoints } from '../../test/point-buying.ts';
import { eventually, openTestShop, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';
import { deliverOrderJob } from './delivery.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
  await givenPoints(shop, buyer, { basic: 100_000n });
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await shop.game.stop(); // ends the hanging calls
  await shop.closeAll();
});

const deadOrders = 45;
const healthyOrders = 10;
// Two workers that fetch jobs at the same moment do not see each other's jobs.
const placesMax = deliverOrderJob.perGroup * 2;

/** The number of deliveries to a game server that all workers have in progress. */
async function callsTo(lane: string): Promise<number> {
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`
      select count(*)::int from pgboss.job
      where name = 'deliver_order' and state = 'active' and group_id = ${lane}`,
  );
  return count;
}

async function statesOf(orders: readonly OrderKey[]): Promise<Set<string>> {
  const records = await Promise.all(orders.map((order) => recordsOf(shop.db, order)));
  return new Set(records.map(({ order }) => order.state));
}

test('a game server that does not answer delays only its own deliveries, not those to other game servers', async () => {
  // Hanging calls must outlast the test.
  const real = AbortSignal.timeout.bind(AbortSignal);
  vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => real(120_000));
  const { serverId, roleId } = await bodyFor(shop, buyer, 's7');
  const dead = await givenPaid(deadOrders, { serverId, roleId });
  await shop.game.tell('/__sandbox/faults', {
    call: 'recharge.deliver',
    kind: 'hang',
    serverId: 's7',
    times: 1000,
    hangMs: 120_000,
  });
  shop.startWorker();
  shop.startWorker();
  await eventually(async () => (await callsTo('solmere/s7')) >= deliverOrderJob.perGroup);

  const healthy = await givenPaid(healthyOrders, {});
  await eventually(async () => {
    expect(await callsTo('solmere/s7')).toBeLessThanOrEqual(placesMax);
    return (await statesOf(healthy)).has('paid') === false;
  });

  expect(await statesOf(healthy)).toEqual(new Set(['arrived']));
  expect(await statesOf(dead)).toEqual(new Set(['paid']));
  expect(await callsTo('solmere/s7')).toBeGreaterThanOrEqual(deliverOrderJob.perGroup);
  for (const order of healthy) expect(await grantsOf(shop, order)).toHaveLength(1);
  // The dead server's job group is a small share of one worker's concurrency.
  expect(placesMax * 5).toBeLessThan(deliverOrderJob.concurrency);
});

async function givenPaid(count: number, changes: object): Promise<OrderKey[]> {
  return await Promise.all(
    Array.from({ length: count }, () => givenPaidInPoints(shop, buyer, changes)),
  );
}
