import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Buyer, detailOf, givenBuyer } from '../../test/buying.ts';
import { letGameGo, untilGameHangs } from '../../test/hanging.ts';
import {
  askRefund,
  casesOf,
  deliveryOf,
  givenArrivedOrder,
  givenPaidOrder,
  revocationOf,
  runJob,
  startJob,
  withWorkerFor,
} from '../../test/money-back.ts';
import { booksOf, brokenLinks, jobsOf, type OrderKey, recordsOf } from '../../test/orders.ts';
import { givenPaidInPoints, givenPoints } from '../../test/point-buying.ts';
import { eventually, openTestShop, resetWorld, type TestShop } from '../../test/shop.ts';
import { sql } from '../platform/db.ts';
import { revokeOrderJob } from './delivery.ts';
import { waitAfterTries } from './retry-schedule.ts';
import { sweepRevocations } from './revocations.jobs.ts';

let shop: TestShop;
let buyer: Buyer;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  buyer = await givenBuyer(shop);
});
beforeEach(() => resetWorld(shop));
afterAll(() => shop.closeAll());

const fault = (call: string, kind: string, more: object = {}) =>
  shop.game.tell('/__sandbox/faults', { call: `recharge.${call}`, kind, ...more });

const revoke = (order: OrderKey) => runJob(shop, 'revoke_order', order);

/** Refunds the whole order. */
async function refund(order: OrderKey): Promise<void> {
  const { refundId } = await askRefund(shop, order);
  await runJob(shop, 'refund_payment', { ...order, refundId });
}

async function givenRefunded(): Promise<OrderKey> {
  const order = await givenArrivedOrder(shop, buyer);
  await refund(order);
  return order;
}

const Grants = z.object({ grants: z.array(z.object({ revoked: z.boolean() })) });

/** The grants of an order, and whether the game has taken each back. */
async function grantsOf({ paymentId }: OrderKey) {
  return Grants.parse(await shop.game.ask(`/__sandbox/grants?paymentId=${paymentId}`)).grants.map(
    ({ revoked }) => (revoked ? 'taken back' : 'given'),
  );
}

const revokeJobs = async (order: OrderKey) =>
  (await jobsOf(shop.db, order)).filter(({ name }) => name === revokeOrderJob.name);

describe('revocation calls', () => {
  test('the goods of a refunded order are revoked at the game once, and the answer of the game is stored', async () => {
    const order = await givenRefunded();
    expect(await revocationOf(shop.db, order)).toMatchObject({ state: 'queued', result: null });
    expect(await revokeJobs(order)).toHaveLength(1);
    await revoke(order);
    await revoke(order);

    expect(await grantsOf(order)).toEqual(['taken back']);
    expect(await revocationOf(shop.db, order)).toEqual({
      state: 'answered',
      result: 'revoked',
      tries: 1,
      next_try_at: null,
    });
    expect(await revocationsAt(order)).toMatchObject([{ times: 1, reason: 'refund' }]);
    const { events } = await recordsOf(shop.db, order);
    expect(events.at(-1)?.fact).toEqual({ type: 'revoked', result: 'revoked' });
  });

  test('a revocation of goods that two workers send to the game at once is stored once with its answer', async () => {
    const order = await givenRefunded();
    const writes = await Promise.all([1, 2].map(() => startJob(shop, 'revoke_order', order)));
    await Promise.all(writes.map((write) => shop.db.transaction(write)));
    expect(await grantsOf(order)).toEqual(['taken back']);
    expect(await revocationOf(shop.db, order)).toMatchObject({ state: 'answered', tries: 1 });
  });

  test.each(['http500_before', 'http500_after_commit', 'cut_after_commit'])(
    'a revocation of goods without an answer of the game (%s) is retried until the game answers',
    async (kind) => {
      const order = await givenRefunded();
      await fault('revoke', kind, { times: 2 });
      const before = Date.now();
      await revoke(order);
      const after = Date.now();
      const waiting = await revocationOf(shop.db, order);
      expect(waiting).toMatchObject({ state: 'queued', tries: 1 });
      const leastMs = waitAfterTries(1, 0) ?? 0;
      expect(waiting?.next_try_at?.getTime()).toBeGreaterThanOrEqual(before + leastMs);
      expect(waiting?.next_try_at?.getTime()).toBeLessThanOrEqual(after + leastMs * 1.1);
      const next = (await revokeJobs(order)).at(-1);
      expect(next).toMatchObject({ state: 'created', start_after: waiting?.next_try_at });
      await revoke(order);
      await revoke(order);
      expect(await grantsOf(order)).toEqual(['taken back']);
      expect(await revocationOf(shop.db, order)).toMatchObject({ state: 'answered', tries: 3 });
      expect(await casesOf(shop.db, order)).toEqual([]);
    },
  );

  test('a revocation of goods that failed through the whole retry schedule opens a case for an operator', async () => {
    const order = await givenRefunded();
    await setRevokeTries(order, 11);
    await fault('revoke', 'http500_before');
    await revoke(order);
    expect(await revocationOf(shop.db, order)).toMatchObject({
      state: 'exhausted',
      tries: 12,
      next_try_at: null,
    });
    expect(await casesOf(shop.db, order)).toMatchObject([
      { kind: 'revoke_failed', details: { cause: 'HTTP 500', tries: 12 } },
    ]);
    await revoke(order);
    expect(await grantsOf(order)).toEqual(['given']); // no further call is made
  });

  test('a revocation of goods that fails for two workers at once counts one try and queues one retry', async () => {
    const order = await givenRefunded();
    await fault('revoke', 'http500_before', { times: 2 });
    const writes = await Promise.all([1, 2].map(() => startJob(shop, 'revoke_order', order)));
    await Promise.all(writes.map((write) => shop.db.transaction(write)));
    expect(await revocationOf(shop.db, order)).toMatchObject({ tries: 1 });
    expect(await revokeJobs(order)).toHaveLength(2); // the first job and its retry
  });

  test('a partial refund of an order does not revoke its goods at the game', async () => {
    const order = await givenArrivedOrder(shop, buyer);
    await askRefund(shop, order, { amountMinor: 1n });
    expect(await revocationOf(shop.db, order)).toBeUndefined();
    expect(await revokeJobs(order)).toEqual([]);
  });
});

describe('abandoned revocation jobs', () => {
  const forget = (order: OrderKey, minutes: number) =>
    shop.db.transaction(async (tx) => {
      await tx.run(sql`
        update revocations set next_try_at = now() - make_interval(mins => ${minutes})
        where payment_id = ${order.paymentId}`);
      await tx.run(sql`
        delete from pgboss.job
        where name = 'revoke_order' and data->>'paymentId' = ${order.paymentId}`);
    });

  test('a revocation of goods whose job was abandoned is queued again once and answered by the game', async () => {
    const order = await givenRefunded();
    await forget(order, 121);
    await Promise.all([sweepRevocations(shop), sweepRevocations(shop)]);
    await sweepRevocations(shop);
    expect(await revokeJobs(order)).toHaveLength(1);
    await withWorkerFor(shop, ['revoke_order'], () =>
      eventually(async () => (await revocationOf(shop.db, order))?.state === 'answered'),
    );
    expect(await grantsOf(order)).toEqual(['taken back']);
  });

  test('a revocation of goods that is queued again stays in the job group of its game server', async () => {
    const order = await givenRefunded();
    const [first] = await groupsOf(order);
    await forget(order, 121);
    await sweepRevocations(shop);
    expect(await groupsOf(order)).toEqual([first]);
    expect(first).toBe('solmere/s12');
  });

  test('a revocation of goods that is answered or may still be retried by the job engine is not queued again', async () => {
    const [waiting, answered] = [await givenRefunded(), await givenRefunded()];
    await revoke(answered);
    await forget(waiting, 119);
    await forget(answered, 1000);
    await sweepRevocations(shop);
    expect(await revokeJobs(waiting)).toEqual([]);
    expect(await revokeJobs(answered)).toEqual([]);
  });
});

describe('refunds during a delivery call', () => {
  /** An order whose delivery call hangs in the game until it is released. */
  async function givenInFlight() {
    const order = await givenPaidOrder(shop, buyer);
    await fault('deliver', 'hang');
    const writing = startJob(shop, 'deliver_order', order);
    await untilGameHangs(shop);
    return { order, writing };
  }

  test('goods that the shop revokes at the game while its delivery call is still running are not granted afterwards', async () => {
    const { order, writing } = await givenInFlight();
    await refund(order);
    await revoke(order);
    expect(await revocationOf(shop.db, order)).toMatchObject({ result: 'not_found' });

    await letGameGo(shop);
    await shop.db.transaction(await writing); // the game declines, because the order is revoked

    expect(await grantsOf(order)).toEqual([]);
    expect(await detailOf(shop, buyer, order)).toMatchObject({
      shown: 'Refunded',
      isDeliveryDelayed: false,
    });
    expect(await deliveryOf(shop.db, order)).toMatchObject({ state: 'cancelled' });
    expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  });

  test('goods that the game grants during a refund are taken back by the revocation', async () => {
    const { order, writing } = await givenInFlight();
    const { refundId } = await askRefund(shop, order);
    await letGameGo(shop);
    const write = await writing; // the game has granted
    await runJob(shop, 'refund_payment', { ...order, refundId });
    await shop.db.transaction(write);

    expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Refunded' });
    await revoke(order);
    expect(await grantsOf(order)).toEqual(['taken back']);
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'player:deposit USD': 0n,
    });
    expect(brokenLinks(await recordsOf(shop.db, order))).toEqual([]);
  });

  test('goods that the game grants after their revocation returned not_found are revoked again', async () => {
    await shop.game.tell('/__sandbox/tombstones', { enabled: false });
    const { order, writing } = await givenInFlight();
    await refund(order);
    await revoke(order);
    expect(await revocationOf(shop.db, order)).toMatchObject({ result: 'not_found' });

    await letGameGo(shop);
    await shop.db.transaction(await writing);

    expect(await grantsOf(order)).toEqual(['given']);
    expect(await revocationOf(shop.db, order)).toMatchObject({ state: 'queued', tries: 0 });
    await withWorkerFor(shop, ['revoke_order'], () =>
      eventually(async () => (await revocationOf(shop.db, order))?.state === 'answered'),
    );
    expect(await revocationOf(shop.db, order)).toMatchObject({
      // The job of the first revocation is still queued too, so the worker may run both at once.
      result: expect.stringMatching(/^(already_)?revoked$/),
    });
    expect(await grantsOf(order)).toEqual(['taken back']);
    expect(await detailOf(shop, buyer, order)).toMatchObject({ shown: 'Refunded' });
    expect(await booksOf(shop.db, order)).toEqual({
      'house:psp USD': 0n,
      'player:deposit USD': 0n,
    });
  });

  test('goods of an order paid in points and refunded during its delivery call are taken back by the game', async () => {
    const player = await givenBuyer(shop);
    await givenPoints(shop, player, { basic: 500n });
    const order = await givenPaidInPoints(shop, player);
    const write = await startJob(shop, 'deliver_order', order);
    await askRefund(shop, order);
    await shop.db.transaction(write);
    await revoke(order);
    expect(await grantsOf(order)).toEqual(['taken back']);
    expect((await detailOf(shop, player, order)).shown).toBe('Refunded');
  });
});

const Revocations = z.object({
  revocations: z.array(z.object({ times: z.int(), reason: z.string() })),
});

async function revocationsAt({ paymentId }: OrderKey) {
  return Revocations.parse(await shop.game.ask(`/__sandbox/revocations?paymentId=${paymentId}`))
    .revocations;
}

async function setRevokeTries({ paymentId }: OrderKey, tries: number): Promise<void> {
  await shop.db.transaction((tx) =>
    tx.run(sql`update revocations set tries = ${tries} where payment_id = ${paymentId}`),
  );
}

async function groupsOf({ paymentId }: OrderKey): Promise<(string | null)[]> {
  const rows = await shop.db.many(
    z.object({ group_id: z.string().nullable() }),
    sql`
      select group_id from pgboss.job
      where name = 'revoke_order' and data->>'paymentId' = ${paymentId}`,
  );
  return rows.map(({ group_id }) => group_id);
}
