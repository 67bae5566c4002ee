import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { type AnalyticsContext, collect, openAnalytics } from '../src/analytics/analytics.ts';
import { currentKey } from '../src/analytics/logger-keys.ts';
import { type Db, sql } from '../src/platform/db.ts';
import { givenBatch, givenEvent, sign, timeText } from './analytics.ts';

const masters = [{ id: 'now', key: Buffer.alloc(32, 7) }];

/** A collector without the rest of the shop, with a given clock. */
export function collectorAt(
  db: Db,
  nowMs: number,
  { days = 90, megabytesPerDay = 1_024 } = {},
): AnalyticsContext {
  const now = () => nowMs;
  return openAnalytics({ db, masters, days, megabytesPerDay, redisUrl: undefined, now });
}

export async function givenSite(db: Db, id: string): Promise<void> {
  await db.transaction((tx) =>
    tx.run(sql`
      insert into sites (id, domain_type, title, brand_id, portal_url, currency, locales, methods)
      values (${id}, 1, 'Site', 'omni', ${`https://${id}.example`}, 'USD', array['en-US'], array['card'])`),
  );
}

interface AnalyticsRequest {
  siteId?: string;
  did?: string;
  network?: string;
  /** The time of the event; by default the time of collection. */
  at?: number;
}

/** Sends events to the collector as one batch of a device; returns their ids. */
export async function tell(
  context: AnalyticsContext,
  events: readonly object[],
  {
    siteId = 'solmere',
    did = randomUUID(),
    network = '192.0.2.0/24',
    at = context.now(),
  }: AnalyticsRequest = {},
): Promise<string[]> {
  const key = currentKey(context.masters, { siteId, did });
  if (key === undefined) throw new Error('there is no logger key');
  const made = events.map((changes) => givenEvent({ t: timeText(at), ...changes }));
  const batch = givenBatch(key, made, { sent_at: context.now() });
  const bytes = Buffer.from(sign(batch, key));
  const outcome = await collect(context, { bytes, site: { siteId, brandId: 'omni' }, network });
  if (outcome !== 'taken') throw new Error(outcome);
  return made.map(({ id }) => id);
}

const Stored = z.object({
  id: z.string(),
  table: z.string(),
  site_id: z.string(),
  device_id: z.string(),
  name: z.string(),
  params: z.unknown(),
  step: z.string().nullable(),
  happened_at: z.date(),
  locale: z.string(),
  browser: z.array(z.string()),
});

export async function storedEvents(db: Db, ids: readonly string[]) {
  return await db.many(
    Stored,
    sql`
      select *, tableoid::regclass::text as table from analytics.events
      where id = any(${[...ids]}::uuid[]) order by happened_at, id`,
  );
}
