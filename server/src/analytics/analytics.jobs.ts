import { keepDays, upsertFunnelDay } from './analytics.queries.ts';
import type { AnalyticsContext } from './analytics.ts';

const dayMs = 24 * 60 * 60_000;

/** Makes the tables of the coming days and drops those that have been kept long enough. */
export async function keepAnalyticsDays({ db, days, now }: AnalyticsContext): Promise<void> {
  const nowMs = now();
  const firstKept = dayOf(nowMs - days * dayMs);
  await db.transaction((tx) => keepDays(tx, { today: dayOf(nowMs), firstKept }));
}

/**
 * Counts the days that can still change by events: an event is taken for 24 hours, so one of
 * yesterday's last minute comes today at the latest, and the day before is counted for the last time.
 */
export async function countRecentFunnels({ db, now }: AnalyticsContext): Promise<void> {
  const nowMs = now();
  for (const daysAgo of [2, 1, 0]) {
    const day = dayOf(nowMs - daysAgo * dayMs);
    await db.transaction((tx) => upsertFunnelDay(tx, { day, now: new Date(nowMs) }));
  }
}

/** In UTC, as in `2026-11-15`. */
function dayOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10);
}
