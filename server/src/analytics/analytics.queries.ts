import type { LogBatch } from '@pointgate/contract/log-events.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';
import { behindMsMax, type KnownEvent, type Quarantined } from './log-events.ts';

const deviceLocks = 7_301_867;
/** The time in which a duplicate of an event can arrive. */
const memoryMs = behindMsMax + 3_600_000;

/** Serializes the batches of a device, so that the second one sees the events of the first. */
export async function lockDevice(tx: Tx, deviceId: string): Promise<void> {
  await tx.run(sql`select pg_advisory_xact_lock(${deviceLocks}, hashtext(${deviceId}))`);
}

/** Returns the number of new events. */
export async function insertEvents(
  tx: Tx,
  known: readonly KnownEvent[],
  { batch, siteId, now }: { batch: LogBatch; siteId: string; now: Date },
): Promise<number> {
  return await tx.run(sql`
    insert into analytics.events (id, happened_at, site_id, game_id, device_id, session_id,
      session_index, batch_seq, browser, locale, name, params, step, received_at)
    select sent.id, sent.happened_at, ${siteId}, ${batch.gameId}::text, ${batch.did}::uuid,
      ${batch.sid}::uuid, sent.session_index, ${batch.seq}::int, ${batch.env}::text[], ${batch.lng},
      sent.name, sent.params::jsonb, sent.step, ${now}::timestamptz
    from unnest(
      ${known.map(({ event }) => event.id)}::uuid[],
      ${known.map(({ happenedAt }) => happenedAt)}::timestamptz[],
      ${known.map(({ event }) => event.i)}::int[],
      ${known.map(({ event }) => event.n)}::text[],
      ${known.map(({ event }) => JSON.stringify(event.p))}::text[],
      ${known.map(({ step }) => step)}::text[]
    ) as sent (id, happened_at, session_index, name, params, step)
    where not exists (
      select from analytics.events as earlier
      where earlier.id = sent.id and earlier.happened_at > ${new Date(now.getTime() - memoryMs)}::timestamptz
    )
    order by sent.id
    on conflict do nothing`);
}

export async function insertQuarantined(
  tx: Tx,
  quarantined: readonly Quarantined[],
  { batch, siteId, now }: { batch: LogBatch; siteId: string; now: Date },
): Promise<void> {
  const contents = quarantined.map(({ content }) =>
    content === null ? null : JSON.stringify(content),
  );
  await tx.run(sql`
    insert into analytics.quarantine (id, received_at, site_id, device_id, name, reason, field, content)
    select sent.id, ${now}::timestamptz, ${siteId}, ${batch.did}::uuid, sent.name, sent.reason,
      sent.field, sent.content::jsonb
    from unnest(
      ${quarantined.map(({ id }) => id)}::uuid[],
      ${quarantined.map(({ name }) => name)}::text[],
      ${quarantined.map(({ reason }) => reason)}::text[],
      ${quarantined.map(({ field }) => field)}::text[],
      ${contents}::text[]
    ) as sent (id, name, reason, field, content)
    where not exists (
      select from analytics.quarantine as earlier
      where earlier.id = sent.id and earlier.received_at > ${new Date(now.getTime() - memoryMs)}::timestamptz
    )
    order by sent.id
    on conflict do nothing`);
}

const cutByDay = ['analytics.events', 'analytics.quarantine'];

/**
 * Creates the partitions of the days ahead and drops those before the first kept day. Idempotent.
 */
export async function keepDays(
  tx: Tx,
  { today, firstKept }: { today: string; firstKept: string },
): Promise<void> {
  // One worker at a time, or two would create the same partition.
  await tx.run(sql`select pg_advisory_xact_lock(${deviceLocks})`);
  await tx.run(sql`
    select analytics.ensure_days(parent::regclass, ${today}::date - 1, ${today}::date + 3),
           analytics.drop_days_before(parent::regclass, ${firstKept}::date)
    from unnest(${cutByDay}::text[]) as parent`);
  // Rows of days without a partition; usually there are none.
  await tx.run(sql`
    delete from analytics.events_default
    where happened_at < ${firstKept}::date::timestamp at time zone 'UTC'`);
  await tx.run(sql`
    delete from analytics.quarantine_default
    where received_at < ${firstKept}::date::timestamp at time zone 'UTC'`);
}

/**
 * Counts a day of every site. Counts never decrease, so they remain when the events of the day have
 * been deleted.
 */
export async function upsertFunnelDay(
  tx: Tx,
  { day, now }: { day: string; now: Date },
): Promise<void> {
  const begins = new Date(`${day}T00:00:00Z`);
  const ends = new Date(begins.getTime() + 24 * 60 * 60_000);
  await tx.run(sql`
    with visits as (
      select site_id,
             count(distinct device_id) filter (where step = 'arrival') as arrivals,
             count(distinct device_id) filter (where step = 'login') as logins,
             count(distinct device_id) filter (where step = 'top_up') as top_ups
      from analytics.events
      where step is not null and happened_at >= ${begins} and happened_at < ${ends}
      group by site_id
    ), sales as (
      select site_id, count(*) as created, count(paid_at) as paid, count(arrived_at) as fulfilled
      from orders
      where created_at >= ${begins} and created_at < ${ends}
        -- An order id is older than its row by a moment; a day of margin selects its partition.
        and payment_id >= uuid_v7_floor(${begins}::timestamptz - interval '1 day')
        and payment_id < uuid_v7_floor(${ends}::timestamptz + interval '1 day')
      group by site_id
    )
    insert into analytics.funnel_days as known
      (site_id, day, arrivals, logins, top_ups, created, paid, fulfilled, counted_at)
    select sites.id, ${day}::date, coalesce(arrivals, 0), coalesce(logins, 0), coalesce(top_ups, 0),
           coalesce(created, 0), coalesce(paid, 0), coalesce(fulfilled, 0), ${now}::timestamptz
    from sites left join visits on visits.site_id = sites.id
               left join sales on sales.site_id = sites.id
    order by sites.id
    on conflict (site_id, day) do update set
      arrivals = greatest(known.arrivals, excluded.arrivals),
      logins = greatest(known.logins, excluded.logins),
      top_ups = greatest(known.top_ups, excluded.top_ups),
      created = greatest(known.created, excluded.created),
      paid = greatest(known.paid, excluded.paid),
      fulfilled = greatest(known.fulfilled, excluded.fulfilled),
      counted_at = excluded.counted_at`);
}

const FunnelRow = z.object({
  arrivals: z.int(),
  logins: z.int(),
  top_ups: z.int(),
  created: z.int(),
  paid: z.int(),
  fulfilled: z.int(),
});

export function selectFunnelDay(db: Db, { siteId, day }: { siteId: string; day: string }) {
  return db.maybeOne(
    FunnelRow,
    sql`
      select arrivals, logins, top_ups, created, paid, fulfilled from analytics.funnel_days
      where site_id = ${siteId} and day = ${day}::date`,
  );
}

const StoredEvent = z.object({
  written_by: z.string(),
  position: z.bigint(),
  id: z.string(),
  name: z.string(),
  happened_at: z.date(),
  received_at: z.date(),
  site_id: z.string(),
  game_id: z.string().nullable(),
  device_id: z.string(),
  session_id: z.string(),
  session_index: z.int(),
  locale: z.string(),
  browser: z.array(z.string()),
  params: z.record(z.string(), z.unknown()),
});
export type StoredEvent = z.output<typeof StoredEvent>;

/** The position of a reader. */
export interface Position {
  writtenBy: bigint;
  position: bigint;
}

/**
 * The events after a position, written by transactions older than every open one: later commits get
 * later positions, so that no event is skipped.
 */
export function selectEventsAfter(
  db: Db,
  { after, rowsMax }: { after: Position; rowsMax: number },
): Promise<StoredEvent[]> {
  return db.many(
    StoredEvent,
    sql`
      select written_by::text, position, id, name, happened_at, received_at, site_id, game_id,
             device_id, session_id, session_index, locale, browser, params
      from analytics.events
      where (written_by, position) > (${String(after.writtenBy)}::xid8, ${after.position}::bigint)
        and written_by < pg_snapshot_xmin(pg_current_snapshot())
      order by analytics.events.written_by, position
      limit ${rowsMax}`,
  );
}
