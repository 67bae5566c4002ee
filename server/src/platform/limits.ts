import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { z } from 'zod';
import { type Db, sql, type Tx } from './db.ts';
import { AppError } from './errors.ts';
import { connectRedis } from './redis.ts';
import { deleteInBatches } from './retention.ts';

// Limits over time. Those that guard money or identity are counted in PostgreSQL, in a table of our
// own and not by the library's PostgreSQL store: that one opens its own connection, makes its own
// table and reads the clock of its process, while ours counts inside the transaction it guards, so
// that a refusal leaves no trace, and takes the time from its caller.

export interface Limit {
  key: string;
  max: number;
  seconds: number;
}

/** A use of a limit. With a cost of 0 it is refused alike and counts nothing. */
export interface Use extends Limit {
  cost?: 0 | 1;
}

/**
 * Uses all of these limits once and answers how often each has been used, or undefined when one of
 * them is used up: the caller then has to throw, which takes the others back.
 */
export async function useLimits(
  tx: Tx,
  uses: readonly Use[],
  now: Date,
): Promise<ReadonlyMap<string, number> | undefined> {
  const counts = new Map<string, number>();
  // Always in the same order, so that two who use the same limits cannot block each other.
  for (const use of uses.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const cost = use.cost ?? 1;
    const count = await addTo(tx, use, { cost, now });
    if (count - cost + 1 > use.max) return undefined;
    counts.set(use.key, count);
  }
  return counts;
}

/** Uses a limit once, in a transaction of its own. A caller who finds it used up is refused. */
export async function takeOrThrottle(db: Db, limit: Limit, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await useLimits(tx, [limit], now)) === undefined) throw new AppError('SignInThrottled');
  });
}

/** Counts something that has already happened, whatever the limit says. */
export async function countUp(tx: Tx, limits: readonly Limit[], now: Date): Promise<void> {
  for (const limit of limits.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    await addTo(tx, limit, { cost: 1, now });
  }
}

export async function countDown(
  tx: Tx,
  counted: readonly { key: string; by: number }[],
  now: Date,
): Promise<void> {
  for (const { key, by } of counted.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    await tx.run(sql`
      update limit_counters set count = greatest(0, count - ${by}::int)
      where key = ${key} and ends_at > ${now}`);
  }
}

/** How often each was used in its window; 0 where nothing is known. */
export async function readCounts(
  db: Db | Tx,
  keys: readonly string[],
  now: Date,
): Promise<(key: string) => number> {
  const rows = await db.many(
    z.object({ key: z.string(), count: z.int() }),
    sql`select key, count from limit_counters where key = any(${[...keys]}) and ends_at > ${now}`,
  );
  const counts = new Map(rows.map(({ key, count }) => [key, count]));
  return (key) => counts.get(key) ?? 0;
}

export async function forgetOldLimits(db: Db, now: Date): Promise<void> {
  await deleteInBatches(db, (tx, rowsMax) =>
    tx.run(sql`
      delete from limit_counters where key in
        (select key from limit_counters where ends_at <= ${now} limit ${rowsMax}
         for update skip locked)`),
  );
}

async function addTo(tx: Tx, limit: Limit, { cost, now }: { cost: 0 | 1; now: Date }) {
  const { count } = await tx.one(
    z.object({ count: z.int() }),
    sql`
      insert into limit_counters as known (key, count, ends_at)
      values (${limit.key}, ${cost}, ${new Date(now.getTime() + limit.seconds * 1000)})
      on conflict (key) do update set
        count = case when known.ends_at <= ${now} then 0 else known.count end + excluded.count,
        ends_at = case when known.ends_at <= ${now} then excluded.ends_at else known.ends_at end
      returning count`,
  );
  return count;
}

/** A limit on something that is not the same each time, such as bytes; 1 if it does not say how much. */
interface QuickUse extends Limit {
  amount?: number;
}

/** For what only costs computing time: shared over Redis, and by each process alone without it. */
export interface QuickLimits {
  /** False when the limit is used up; that leaves no trace. */
  take(use: QuickUse): Promise<boolean>;
  close(): Promise<void>;
}

/** For limits on what went wrong: whoever takes before it is known gives back when it went well. */
export interface ReturnableLimits extends QuickLimits {
  giveBack(use: QuickUse): Promise<void>;
  /** How long a limit that is used up stays so. */
  secondsLeft(limit: Limit): Promise<number>;
}

const rowsPerCaller = { max: 600, seconds: 60 };
const rowsInAll = { max: 12_000, seconds: 60 };

/** Refuses whoever would make rows without end, of a kind that anybody can make and only time takes away. */
export async function requireRowRoom(
  limits: QuickLimits,
  { kind, by }: { kind: string; by: string },
): Promise<void> {
  const isRoom =
    (await limits.take({ key: `rows:${kind}:${by}`, ...rowsPerCaller })) &&
    (await limits.take({ key: `rows:${kind}`, ...rowsInAll }));
  if (!isRoom) throw new AppError('SystemBusy');
}

export function openQuickLimits(redisUrl: string | undefined): ReturnableLimits {
  const redis = redisUrl === undefined ? undefined : connectRedis(redisUrl).redis;
  const limiters = new Map<string, RateLimiterMemory | RateLimiterRedis>();
  const limiterOf = ({ max, seconds }: Limit) => {
    const name = `${max}/${seconds}`;
    const known = limiters.get(name);
    if (known !== undefined) return known;
    const options = { keyPrefix: 'pointgate:limit', points: max, duration: seconds };
    const memory = new RateLimiterMemory(options);
    const limiter =
      redis === undefined
        ? memory
        : new RateLimiterRedis({
            ...options,
            storeClient: redis,
            useRedisPackage: true,
            rejectIfRedisNotReady: true,
            insuranceLimiter: memory,
          });
    limiters.set(name, limiter);
    return limiter;
  };
  const giveBack = async (use: QuickUse) => {
    await limiterOf(use).reward(use.key, use.amount ?? 1);
  };
  return {
    take: async (use) => {
      try {
        await limiterOf(use).consume(use.key, use.amount ?? 1);
        return true;
      } catch (refusal) {
        if (!(refusal instanceof RateLimiterRes)) throw refusal;
        // The library counts those whom it refuses, and they would be owed by whoever gives back.
        await giveBack(use);
        return false;
      }
    },
    giveBack,
    secondsLeft: async (limit) => {
      const used = await limiterOf(limit).get(limit.key);
      return Math.ceil((used?.msBeforeNext ?? 0) / 1000);
    },
    close: async () => redis?.destroy(),
  };
}
