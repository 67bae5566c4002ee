import { type Db, sql } from './db.ts';
import { firstIdAt } from './ids.ts';
import { lockMs } from './lock-retries.ts';

const monthsAhead = 3;

/**
 * Creates the partitions of the coming months. Cheap and idempotent: if a lock prevents it now, it
 * is retried an hour later.
 */
export async function ensurePartitions(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // Only one worker at a time, because two would create the same table.
    await tx.run(sql`select pg_advisory_xact_lock(7301866)`);
    await tx.run(sql`select set_config('lock_timeout', ${`${lockMs}ms`}, true)`);
    await tx.run(sql`select ensure_months(${monthsAhead})`);
  });
}

const recentMs = 62 * 24 * 60 * 60_000;

/**
 * The months that a sweep reads. Nearly all due work belongs to orders of the last two months, so
 * these are swept every second or minute, and all months once an hour.
 */
export type SweptMonths = 'recent' | 'all';

/** The smallest order id that a sweep reads. */
export function firstSweptId(months: SweptMonths): string {
  return firstIdAt(new Date(months === 'all' ? 0 : Date.now() - recentMs));
}
