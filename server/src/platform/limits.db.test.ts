import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { startClock } from '../../test/codes.ts';
import { openTestDb } from '../../test/database.ts';
import { eventually } from '../../test/shop.ts';
import { type Db, sql } from './db.ts';
import {
  countDown,
  countUp,
  forgetOldLimits,
  type Limit,
  openQuickLimits,
  readCounts,
  takeOrThrottle,
  type Use,
  useLimits,
} from './limits.ts';
import { log } from './log.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  log.level = 'silent';
  ({ db, close } = await openTestDb());
});
afterAll(() => close());

const clock = startClock();
const now = () => new Date(clock.now());
const newLimit = (max: number, seconds = 60): Limit => ({ key: randomUUID(), max, seconds });

/** Throws when used up, as callers do. */
const use = (...uses: Use[]) =>
  db.transaction(async (tx) => {
    const counts = await useLimits(tx, uses, now());
    if (counts === undefined) throw new Error('used up');
    return counts;
  });
const countOf = async ({ key }: Limit) => (await readCounts(db, [key], now()))(key);

test('a rate limit allows its maximum of calls and is reset when its time window is over', async () => {
  const limit = newLimit(2);
  await use(limit);
  clock.pass({ seconds: 59 });
  expect((await use(limit)).get(limit.key)).toBe(2);
  await expect(use(limit)).rejects.toThrow('used up');
  clock.pass({ seconds: 1 }); // a minute after the first, not the second
  expect((await use(limit)).get(limit.key)).toBe(1);
});

test('a call that counts against two rate limits and is refused by one of them does not count against the other', async () => {
  const [wide, narrow] = [newLimit(10), newLimit(1)];
  await use(wide, narrow);
  await expect(use(wide, narrow)).rejects.toThrow('used up');
  expect(await countOf(wide)).toBe(1);
  expect(await countOf(narrow)).toBe(1);
});

test('a call with the cost 0 does not use up its rate limit, but is refused once other calls have used it up', async () => {
  const limit = newLimit(1);
  await use({ ...limit, cost: 0 });
  await use({ ...limit, cost: 0 });
  expect(await countOf(limit)).toBe(0);
  await use(limit);
  await expect(use({ ...limit, cost: 0 })).rejects.toThrow('used up');
});

test('fifty concurrent calls that each count against two rate limits, named in either order, succeed exactly up to the limit', async () => {
  const [first, second] = [newLimit(5), newLimit(5)];
  const results = await Promise.allSettled(
    Array.from({ length: 50 }, (_, index) =>
      index % 2 === 0 ? use(first, second) : use(second, first),
    ),
  );
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
});

test('the stored count of a rate limit can rise above its maximum and never falls below zero', async () => {
  const limit = newLimit(1);
  for (let time = 0; time < 3; time += 1) {
    await db.transaction((tx) => countUp(tx, [limit], now()));
  }
  expect(await countOf(limit)).toBe(3);
  await db.transaction((tx) => countDown(tx, [{ key: limit.key, by: 2 }], now()));
  expect(await countOf(limit)).toBe(1);
  await db.transaction((tx) => countDown(tx, [{ key: limit.key, by: 2 }], now()));
  expect(await countOf(limit)).toBe(0);
  clock.pass({ seconds: 60 });
  await db.transaction((tx) => countUp(tx, [limit], now()));
  expect(await countOf(limit)).toBe(1);
});

test('the stored count of a rate limit is deleted when its time window is over, and not before', async () => {
  const [old, fresh] = [newLimit(1, 60), newLimit(1, 61)];
  await use(old, fresh);
  clock.pass({ seconds: 60 });
  await forgetOldLimits(db, now());
  const left = await db.many(
    z.object({ key: z.string() }),
    sql`select key from limit_counters where key in (${old.key}, ${fresh.key})`,
  );
  expect(left).toEqual([{ key: fresh.key }]);
});

test('a rate limit that is counted in Redis is shared by all server processes', async ({
  skip,
}) => {
  const redisUrl = inject('redisUrl');
  if (redisUrl === null) return skip('no Redis here');
  const processes = [openQuickLimits(redisUrl), openQuickLimits(redisUrl)] as const;
  // Until both are connected, each counts separately.
  await eventually(async () => {
    const probe = newLimit(1);
    return (await processes[0].take(probe)) && !(await processes[1].take(probe));
  });
  const limit = newLimit(3);
  const taken = [];
  for (const index of [0, 1, 0, 1, 0]) taken.push(await processes[index === 0 ? 0 : 1].take(limit));
  expect(taken).toEqual([true, true, true, false, false]);
  const returned = newLimit(1);
  expect(await processes[0].take(returned)).toBe(true);
  expect(await processes[1].take(returned)).toBe(false);
  await processes[0].giveBack(returned); // refused takes have nothing to give back
  expect([await processes[1].take(returned), await processes[0].take(returned)]).toEqual([
    true,
    false,
  ]);
  await Promise.all(processes.map((one) => one.close()));
});

test.each([
  ['without Redis', undefined],
  ['while Redis is unreachable', 'redis://127.0.0.1:1'],
])(
  'a rate limit that is normally counted in Redis is counted by each server process for itself %s',
  async (_when, redisUrl) => {
    const limits = openQuickLimits(redisUrl);
    const limit = newLimit(2);
    expect([await limits.take(limit), await limits.take(limit), await limits.take(limit)]).toEqual([
      true,
      true,
      false,
    ]);
    expect(await limits.take(newLimit(2))).toBe(true);
    const returned = newLimit(1);
    expect(await limits.take(returned)).toBe(true);
    expect([await limits.take(returned), await limits.take(returned)]).toEqual([false, false]);
    await limits.giveBack(returned); // refused takes have nothing to give back
    expect([await limits.take(returned), await limits.take(returned)]).toEqual([true, false]);
    await limits.close();
  },
);

test('a rate limit of three allows three of ten concurrent calls and refuses the others as throttled', async () => {
  const limit = newLimit(3);
  const taken = await Promise.allSettled(
    Array.from({ length: 10 }, () => takeOrThrottle(db, limit, now())),
  );
  expect(taken.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  await expect(takeOrThrottle(db, limit, now())).rejects.toMatchObject({ code: 'SignInThrottled' });
  clock.pass({ seconds: 60 });
  await takeOrThrottle(db, limit, now());
});
