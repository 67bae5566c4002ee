import { keepDays, upsertFunnelDay } from './analytics.queries.ts';
import type { AnalyticsContext } from './analytics.ts';

const dayMs = 24 * 60 * 60_000;

/** Creates the partitions of the coming days and drops those past their retention. */
export async function keepAnalyticsDays({ db, days, now }: AnalyticsContext): Promise<void> {
  const nowMs = now();
  const firstKept = dayOf(nowMs - days * dayMs);
  await db.transaction((tx) => keepDays(tx, { today: dayOf(nowMs), firstKept }));
}

/**
 * Counts the days whose events can still change: an event is accepted for 24 hours, so an event of
 * yesterday comes today at the latest. The day before yesterday is counted for the last time.
 */
export async function countRecentFunnels({ db, now }: AnalyticsContext): Promise<void> {
  const nowMs = now();
  for (const daysAgo of [2, 1, 0]) {
    const day = dayOf(nowMs - daysAgo * dayMs);
    await db.transaction((tx) => upsertFunnelDay(tx, { day, now: new Date(nowMs) }));
  }
}

/** The UTC date, such as `2026-11-15`. */
function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
