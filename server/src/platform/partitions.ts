import { type Db, sql } from './db.ts';
import { firstIdAt } from './ids.ts';
import { lockMs } from './lock-retries.ts';

const monthsAhead = 3;

/**
 * Makes the months that orders will soon fall into. Cheap, and harmless to repeat: what a lock keeps from
 * being made now is made an hour later.
 */
export async function ensurePartitions(db: Db): Promise<void> {
  await db.transaction(async (tx) => {
    // Only one worker at a time, or two would make the same table.
    await tx.run(sql`select pg_advisory_xact_lock(7301866)`);
    await tx.run(sql`select set_config('lock_timeout', ${`${lockMs}ms`}, true)`);
    await tx.run(sql`select ensure_months(${monthsAhead})`);
  });
}

const recentMs = 62 * 24 * 60 * 60_000;

/**
 * What a sweep looks at. Nearly all that has to be looked for is of orders of the last two months, so
 * that is what is swept every second or minute; all months are swept once an hour.
 */
export type SweptMonths = 'recent' | 'all';

/** The smallest order id that is looked at. */
export function firstSweptId(months: SweptMonths): string {
  return firstIdAt(new Date(months === 'all' ? 0 : Date.now() - recentMs));
}
