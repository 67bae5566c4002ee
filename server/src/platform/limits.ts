import { RateLimiterMemory, RateLimiterRedis, RateLimiterRes } from 'rate-limiter-flexible';
import { z } from 'zod';
import { type Db, sql, type Tx } from './db.ts';
import { AppError } from './errors.ts';
import { connectRedis } from './redis.ts';
import { deleteInBatches } from './retention.ts';

// Rate limits. Those that protect money or identity are counted in PostgreSQL, in our own table
// instead of the library's PostgreSQL store: the library opens its own connection, creates its own
// table and uses the clock of the process, whereas ours counts within the protected transaction, so
// that a refusal is rolled back, and takes the time from its caller.

export interface Limit {
  key: string;
  max: number;
  seconds: number;
}

/** A use of a limit. With a cost of 0 it may be refused, but is not counted. */
export interface Use extends Limit {
  cost?: 0 | 1;
}

/**
 * Uses all given limits once and returns their counts, or undefined if one of them is used up: the
 * caller then has to throw, which rolls back the other counts.
 */
export async function useLimits(
  tx: Tx,
  uses: readonly Use[],
  now: Date,
): Promise<ReadonlyMap<string, number> | undefined> {
  const counts = new Map<string, number>();
  // In a fixed order, so that two transactions with the same limits cannot deadlock.
  for (const use of uses.toSorted((a, b) => (a.key < b.key ? -1 : 1))) {
    const cost = use.cost ?? 1;
    const count = await addTo(tx, use, { cost, now });
    if (count - cost + 1 > use.max) return undefined;
    counts.set(use.key, count);
  }
  return counts;
}

/** Uses a limit once, in its own transaction; refuses the call if it is used up. */
export async function takeOrThrottle(db: Db, limit: Limit, now: Date): Promise<void> {
  await db.transaction(async (tx) => {
    if ((await useLimits(tx, [limit], now)) === undefined) throw new AppError('SignInThrottled');
  });
}

/** Counts an event that has already happened, regardless of the limit. */
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

/** The counts of the current windows; 0 if a limit was not used. */
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

/** A use of a quick limit whose cost varies, such as bytes; 1 by default. */
interface QuickUse extends Limit {
  amount?: number;
}

/**
 * For limits that only protect computing time: shared through Redis, and per process without it.
 */
export interface QuickLimits {
  /** False if the limit is used up; nothing is counted then. */
  take(use: QuickUse): Promise<boolean>;
  close(): Promise<void>;
}

/** For limits on failures: a use is taken beforehand and given back after a success. */
export interface ReturnableLimits extends QuickLimits {
  giveBack(use: QuickUse): Promise<void>;
  /** The seconds until a used-up limit is reset. */
  secondsLeft(limit: Limit): Promise<number>;
}

const rowsPerCaller = { max: 600, seconds: 60 };
const rowsInAll = { max: 12_000, seconds: 60 };

/** Limits the creation of rows that anybody can create and only expiry deletes. */
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
        // The library counts refused uses too, so they are given back.
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
