import type { LoggerKey } from '@pointgate/contract/analytics.ts';
import type { Db } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import { openQuickLimits, type QuickLimits } from '../platform/limits.ts';
import {
  insertEvents,
  insertQuarantined,
  lockDevice,
  type Position,
  type StoredEvent,
  selectEventsAfter,
  selectFunnelDay,
  upsertFunnelDay,
} from './analytics.queries.ts';
import { type BatchRefusal, readBatch } from './log-batches.ts';
import { sortEvents } from './log-events.ts';
import { currentKey, type MasterKey } from './logger-keys.ts';

/** The dependencies of the event collector. Without master keys it accepts nothing. */
export interface AnalyticsContext {
  db: Db;
  masters: readonly MasterKey[];
  /** The retention of events in days. */
  days: number;
  /** The disk limit for the events of a day, in megabytes. */
  megabytesPerDay: number;
  limits: QuickLimits;
  now(): number;
}

export function openAnalytics(options: {
  db: Db;
  masters: readonly MasterKey[] | undefined;
  days: number;
  megabytesPerDay: number;
  redisUrl: string | undefined;
  now: () => number;
}): AnalyticsContext & { close(): Promise<void> } {
  const { db, masters = [], days, megabytesPerDay, redisUrl, now } = options;
  // Connected on first use, because workers and operator commands never need it and would have to
  // wait for the connection when they end.
  let opened: QuickLimits | undefined;
  const limits: QuickLimits = {
    take: (limit) => {
      opened ??= openQuickLimits(redisUrl);
      return opened.take(limit);
    },
    close: async () => await opened?.close(),
  };
  return { db, masters, days, megabytesPerDay, limits, now, close: () => limits.close() };
}

/** The key of a device on this site; undefined in a shop without master keys. */
export function keyOfDevice(
  { masters }: AnalyticsContext,
  device: { siteId: string; did: string },
): LoggerKey | undefined {
  return currentKey(masters, device);
}

/** A new device id with its key, sent with the page so that the browser needs no extra request. */
export function keyOfNewDevice(context: AnalyticsContext, siteId: string): LoggerKey | null {
  return keyOfDevice(context, { siteId, did: newId(context.now()) }) ?? null;
}

/**
 * Stores a batch in one transaction. A repeated batch changes nothing, but counts towards the
 * limits.
 */
export async function collect(
  context: AnalyticsContext,
  { bytes, site, network }: { bytes: Buffer; site: CollectingSite; network: string },
): Promise<'taken' | 'no_room' | BatchRefusal> {
  const { db, masters, now } = context;
  const nowMs = now();
  const read = readBatch(bytes, { masters, ...site, nowMs });
  if ('refusal' in read) return read.refusal;
  const { batch } = read;
  const kilobytes = kilobytesOf(bytes.length, batch.events.length);
  if (!(await hasRoom(context, { did: batch.did, network, kilobytes }))) return 'no_room';
  const { siteId } = site;
  const batchKey = [siteId, batch.did, batch.sid, batch.seq];
  const { known, quarantined } = sortEvents(batch.events, { nowMs, batchKey });
  await db.transaction(async (tx) => {
    const of = { batch, siteId, now: new Date(nowMs) };
    await lockDevice(tx, batch.did);
    if (known.length > 0) await insertEvents(tx, known, of);
    if (quarantined.length > 0) await insertQuarantined(tx, quarantined, of);
  });
  return 'taken';
}

interface CollectingSite {
  siteId: string;
  brandId: string;
}

/** An upper estimate, so that the disk never holds more than was counted. */
function kilobytesOf(bytes: number, events: number): number {
  return 2 * Math.ceil(bytes / 1024) + Math.ceil(events / 2);
}

/** Senders are anonymous, so a device and a network get only a small share of the day's limit. */
async function hasRoom(
  { limits, megabytesPerDay }: AnalyticsContext,
  { did, network, kilobytes }: { did: string; network: string; kilobytes: number },
): Promise<boolean> {
  const day = { seconds: 24 * 60 * 60, amount: kilobytes };
  const all = megabytesPerDay * 1024;
  return (
    (await limits.take({ key: `collect:device:${did}`, max: Math.ceil(all / 64), ...day })) &&
    (await limits.take({ key: `collect:disk:${network}`, max: Math.ceil(all / 4), ...day })) &&
    (await limits.take({ key: 'collect:all', max: all, ...day }))
  );
}

/** The funnel of a site on one UTC day. */
interface Funnel {
  /** Number of devices, also for the next two. */
  arrivals: number;
  logins: number;
  topUps: number;
  /** Orders created on that day, also for the next two. */
  created: number;
  paid: number;
  fulfilled: number;
}

/** Counts the day again; undefined for an unknown site. */
export async function countFunnel(
  { db, now }: Pick<AnalyticsContext, 'db' | 'now'>,
  { siteId, day }: { siteId: string; day: string },
): Promise<Funnel | undefined> {
  await db.transaction((tx) => upsertFunnelDay(tx, { day, now: new Date(now()) }));
  const row = await selectFunnelDay(db, { siteId, day });
  if (row === undefined) return undefined;
  const { top_ups: topUps, ...counts } = row;
  return { ...counts, topUps };
}

/** An event as exported to other systems. */
export type ExportedEvent = Omit<StoredEvent, 'written_by' | 'position'> & {
  /** The position from which to continue after this event. */
  position: string;
};

/** The position before the first event. */
export const firstPosition = '0-0';

export function isPosition(text: string): boolean {
  return /^\d{1,19}-\d{1,18}$/.test(text);
}

const pageRows = 1_000;

/**
 * Reads from a position up to the last event before which no other can appear any more. A reader
 * that continues from the last position misses and repeats nothing.
 */
export async function* exportEvents(
  db: Db,
  { after, eventsMax }: { after: string; eventsMax: number },
): AsyncGenerator<ExportedEvent> {
  let from = readPosition(after);
  for (let left = eventsMax; left > 0; ) {
    const rowsMax = Math.min(left, pageRows);
    const rows = await selectEventsAfter(db, { after: from, rowsMax });
    for (const { written_by, position, ...event } of rows) {
      from = { writtenBy: BigInt(written_by), position };
      yield { position: `${written_by}-${position}`, ...event };
    }
    left -= rows.length;
    if (rows.length < rowsMax) return;
  }
}

function readPosition(text: string): Position {
  if (!isPosition(text)) throw new Error('malformed position');
  const [writtenBy = '', position = ''] = text.split('-');
  return { writtenBy: BigInt(writtenBy), position: BigInt(position) };
}
