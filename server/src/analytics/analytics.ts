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

/** What a shop needs to hear what its browsers tell. Without keys it hears nothing. */
export interface AnalyticsContext {
  db: Db;
  masters: readonly MasterKey[];
  /** How many days events are kept. */
  days: number;
  /** What the events of a day may take on disk, in megabytes. */
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
  // Opened by the first browser: a worker or an operator's command has nothing to count, and one that
  // ends at once would have to wait for a connection that it never needed.
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

/** The key of a device on this site; nothing in a shop that collects nothing. */
export function keyOfDevice(
  { masters }: AnalyticsContext,
  device: { siteId: string; did: string },
): LoggerKey | undefined {
  return currentKey(masters, device);
}

/** For a browser that may have no device id yet: a new one with its key, and nothing to ask for. */
export function keyOfNewDevice(context: AnalyticsContext, siteId: string): LoggerKey | null {
  return keyOfDevice(context, { siteId, did: newId(context.now()) }) ?? null;
}

/** Takes a batch in one transaction. The same batch again changes nothing, but counts as one more. */
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

/** Rather too much than too little, so that the disk never holds more than was counted. */
function kilobytesOf(bytes: number, events: number): number {
  return 2 * Math.ceil(bytes / 1024) + Math.ceil(events / 2);
}

/** Nobody who sends events is known, so the day's share of a device and of a network is small. */
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

/** A day of the calendar, as in `2026-11-15`. */
export function isDay(text: string): boolean {
  if (!/^[12]\d{3}-\d\d-\d\d$/.test(text)) return false;
  const day = new Date(`${text}T00:00:00.000Z`);
  return !Number.isNaN(day.getTime()) && day.toISOString().startsWith(text);
}

/** From arrival to fulfilled, of one site on one day in UTC. */
interface Funnel {
  /** Devices. */
  arrivals: number;
  logins: number;
  topUps: number;
  /** Orders made on that day, and what has become of them since. */
  created: number;
  paid: number;
  fulfilled: number;
}

/** Counts the day anew, as often as one likes; nothing for a site that there is not. */
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

/** An event as other systems get it. */
export type ExportedEvent = Omit<StoredEvent, 'written_by' | 'position'> & {
  /** What to ask for next time, when everything up to this event has been kept. */
  position: string;
};

/** Before everything there is. */
export const firstPosition = '0-0';

export function isPosition(text: string): boolean {
  return /^\d{1,19}-\d{1,18}$/.test(text);
}

const pageRows = 1_000;

/**
 * Reads on from a position to the last event that nothing can come before any more. Whoever passes
 * the last position on misses nothing and gets nothing twice.
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
  if (!isPosition(text)) throw new Error('this is no position');
  const [writtenBy = '', position = ''] = text.split('-');
  return { writtenBy: BigInt(writtenBy), position: BigInt(position) };
}
