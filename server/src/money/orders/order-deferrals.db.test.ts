import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts';
import {
  asked,
  captured,
  disputed,
  elsewhere,
  expired,
  first,
  opened,
  recordableOrder,
  settled,
} from '../../../test/facts.ts';
import { booksOf, givenPointsOrder, nothingFollows, type OrderKey } from '../../../test/orders.ts';
import { type Db, openRawExecutor, sql } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { log } from '../../platform/log.ts';
import { giveBackPoints, spendPoints } from '../points/points.ts';
import type { Fact } from './order-fact.ts';
import { sweepDeferrals } from './orders.jobs.ts';
import { recordFacts } from './orders.ts';

let database: TestDatabase;
let db: Db;
beforeAll(async () => {
  log.level = 'silent';
  database = await cloneDatabase();
  db = database.open(8);
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

// The test order costs 4.99 and grants 300 bought and 30 gift points.
const paid = [opened(first), captured(first)];
const whole = asked(1);
const part = asked(2, { amountMinor: 200n });

const record = (key: OrderKey, ...facts: Fact[]) =>
  db.transaction((tx) => recordFacts(tx, nothingFollows, key, facts));

async function givenOrder(...told: Fact[]): Promise<OrderKey> {
  const { key } = await givenPointsOrder(db);
  if (told.length > 0) await record(key, ...told);
  return key;
}

const spend = async ({ accountId }: OrderKey, points: bigint) => {
  const originId = newId();
  await db.transaction((tx) =>
    spendPoints(tx, { accountId, originId, points, spendOrder: 'present_first' }),
  );
  return originId;
};

const Sum = z.object({ deferred: z.bigint(), last: z.bigint().nullable() });

/** The deferred amount, checked against its last step, and the recognised rest of the sale. */
async function booked(key: OrderKey): Promise<{ deferred: bigint; revenue: bigint }> {
  const { deferred, last } = await db.one(
    Sum,
    sql`
      select coalesce(sum(change_minor), 0)::bigint as deferred,
             (array_agg(deferred_minor order by step desc))[1] as last
      from deferrals where account_id = ${key.accountId} and origin_id = ${key.paymentId}`,
  );
  expect(deferred).toBe(last ?? 0n);
  const sales = (await booksOf(db, key))['house:sales USD'] ?? 0n;
  return { deferred, revenue: sales - deferred };
}

test('the price of a point top-up is booked as deferred revenue when its points are credited, and only once', async () => {
  const key = await givenOrder(...paid);
  expect(await booked(key)).toEqual({ deferred: 499n, revenue: 0n });
  await record(key, captured(first));
  expect(await booked(key)).toEqual({ deferred: 499n, revenue: 0n });
});

test('spending points of a top-up turns deferred revenue into revenue, and returning the points defers the revenue again', async () => {
  const key = await givenOrder(...paid);
  const spent = await spend(key, 130n);
  expect(await booked(key)).toEqual({ deferred: 333n, revenue: 166n });
  const { accountId } = key;
  await db.transaction((tx) =>
    giveBackPoints(tx, { accountId, originId: spent, posting: 'back', points: 50n }),
  );
  expect(await booked(key)).toEqual({ deferred: 416n, revenue: 83n });
  await spend(key, 250n);
  expect(await booked(key)).toEqual({ deferred: 0n, revenue: 499n });
});

test('while a refund of a point top-up is pending, all its revenue is deferred; a failed refund makes the spent part revenue again', async () => {
  const key = await givenOrder(...paid);
  await spend(key, 180n);
  expect(await booked(key)).toEqual({ deferred: 250n, revenue: 249n });
  await record(key, whole);
  expect(await booked(key)).toEqual({ deferred: 499n, revenue: 0n });
  await record(key, settled(whole, 'failed'));
  expect(await booked(key)).toEqual({ deferred: 250n, revenue: 249n });
});

test('a fully refunded point top-up has no revenue, deferred or recognised, unless the bank returns the refund to the shop', async () => {
  const key = await givenOrder(...paid);
  await spend(key, 180n);
  await record(key, whole);
  await record(key, settled(whole, 'done'));
  expect(await booked(key)).toEqual({ deferred: 0n, revenue: 0n });
  await record(key, settled(whole, 'returned'));
  expect(await booked(key)).toEqual({ deferred: 250n, revenue: 249n });
});

test('the revenue of a partly refunded point top-up is fully recognised once its remaining points are spent', async () => {
  const key = await givenOrder(...paid, part, settled(part, 'done'));
  expect(await booked(key)).toEqual({ deferred: 299n, revenue: 0n });
  // Of 300 and 30 points, 299 parts of 499 are kept, rounded down.
  await spend(key, 179n + 17n);
  expect(await booked(key)).toEqual({ deferred: 0n, revenue: 299n });
});

test('a lost dispute about a point top-up reverses the revenue recognised for its points', async () => {
  const key = await givenOrder(...paid);
  await spend(key, 180n);
  await record(key, disputed('open'));
  expect(await booked(key)).toEqual({ deferred: 250n, revenue: 249n });
  await record(key, disputed('lost'));
  expect(await booked(key)).toEqual({ deferred: 0n, revenue: 0n });
});

test("the price of a point top-up that pays off the player's owed points is recognised as revenue at once", async () => {
  const key = await givenOrder(...paid);
  await spend(key, 330n);
  await record(key, whole);
  await record(key, settled(whole, 'done'));
  expect(await booked(key)).toEqual({ deferred: 0n, revenue: 0n });
  const { key: other } = await givenPointsOrder(db, { accountId: key.accountId });
  await record(other, ...paid);
  // The debt of 330 points takes all points of the second top-up.
  expect(await booked(other)).toEqual({ deferred: 0n, revenue: 499n });
});

test.each<[string, Fact[], bigint]>([
  ['a refund', [...paid, whole, settled(whole, 'done'), expired], 0n],
  ['a failed refund', [...paid, whole, settled(whole, 'failed')], 499n],
  [
    'partial refunds',
    [...paid, part, settled(part, 'done'), elsewhere({ amountMinor: 99n })],
    200n,
  ],
  ['a won dispute', [...paid, disputed('open'), disputed('won')], 499n],
  [
    'a reinstated dispute',
    [...paid, disputed('open'), disputed('lost'), disputed('reinstated')],
    499n,
  ],
])(
  'the deferred revenue of a top-up does not depend on the sequence in which its payment events are recorded: %s',
  async (_what, facts, deferred) => {
    for (let time = 0; time < 8; time += 1) {
      const { key } = await givenPointsOrder(db);
      for (const fact of recordableOrder(facts, Math.random)) await record(key, fact);
      expect(await booked(key)).toEqual({ deferred, revenue: 0n });
    }
  },
);

/** Removes the rows that the previous release, which knows no deferrals, would not have written. */
async function forgetLaterSteps({ accountId }: OrderKey): Promise<void> {
  const executor = openRawExecutor({
    url: database.url,
    connectionsMax: 1,
    applicationName: 'test',
  });
  await executor.executeSql(`
    set session_replication_role = replica;
    delete from deferrals where account_id = '${accountId}' and step > 1`);
  await executor.close();
}

test.each<[string, (key: OrderKey) => Promise<unknown>]>([
  ['spent points', (key) => spend(key, 180n)],
  ['refunded a part', (key) => record(key, part, settled(part, 'done'))],
])(
  'the sweep of deferred revenue repairs top-ups whose later changes an earlier release left out: a top-up that %s',
  async (_what, act) => {
    const key = await givenOrder(...paid);
    await act(key);
    const expected = await booked(key);
    await forgetLaterSteps(key);
    expect(await booked(key)).not.toEqual(expected);
    await sweepDeferrals(db, { minutes: 10 });
    expect(await booked(key)).toEqual(expected);
  },
);

test('the sweep of deferred revenue leaves top-ups with correct deferrals and top-ups without deferrals unchanged', async () => {
  const [right, old] = [await givenOrder(...paid), await givenOrder(...paid)];
  await spend(right, 100n);
  const expected = await booked(right);
  const executor = openRawExecutor({
    url: database.url,
    connectionsMax: 1,
    applicationName: 'test',
  });
  await executor.executeSql(`
    set session_replication_role = replica;
    delete from deferrals where account_id = '${old.accountId}'`);
  await executor.close();
  await spend(old, 100n);
  await sweepDeferrals(db, { minutes: 10 });
  expect(await booked(right)).toEqual(expected);
  expect(await booked(old)).toEqual({ deferred: 0n, revenue: 499n });
});
