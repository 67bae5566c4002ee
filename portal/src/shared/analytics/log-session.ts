import type { LogEvent } from '@pointgate/contract/log-events.ts';
import { fieldsOf, keep, readKept } from '../browser/kept.ts';
import { newEventId } from './event-ids.ts';

/**
 * Events that are sent together. A retried batch keeps its number, so the server drops duplicates.
 */
export interface Batch {
  seq: number;
  events: LogEvent[];
}

interface Counts {
  sid: string;
  /** The counts of events and batches so far, which number the next ones. */
  events: number;
  batches: number;
  isArrivalTold: boolean;
}

/** A visit in one tab, across page loads. */
export interface LogSession {
  sid(): string;
  /** The index of the next event in the session, and the number of the next batch. */
  nextIndex(): number;
  nextSeq(): number;
  /** True for the first caller only: a session has one arrival, even if pages are reloaded. */
  isArrival(): boolean;
  /** The batches that the previous page could not send. */
  unsent(): Batch[];
  keepUnsent(batches: readonly Batch[]): void;
}

const countsName = 'pointgate.log-session';
const unsentName = 'pointgate.log-unsent';

/** Keeps the counts in the storage, so that a page from the back/forward cache continues them. */
export function openLogSession(): LogSession {
  // For a browser without sessionStorage.
  let latest: Counts = { sid: newEventId(Date.now()), events: 0, batches: 0, isArrivalTold: false };
  const read = () => readCounts() ?? latest;
  const change = (changes: Partial<Counts>) => {
    latest = { ...read(), ...changes };
    keep('sessionStorage', countsName, latest);
  };
  change({});
  return {
    sid: () => read().sid,
    nextIndex: () => {
      const { events } = read();
      change({ events: events + 1 });
      return events;
    },
    nextSeq: () => {
      const { batches } = read();
      change({ batches: batches + 1 });
      return batches;
    },
    isArrival: () => {
      const { isArrivalTold } = read();
      change({ isArrivalTold: true });
      return !isArrivalTold;
    },
    unsent: () => {
      const kept = readKept('sessionStorage', unsentName);
      return Array.isArray(kept) ? kept.filter(isBatch) : [];
    },
    keepUnsent: (batches) =>
      keep(
        'sessionStorage',
        unsentName,
        batches.map(({ seq, events }) => ({ seq, events })),
      ),
  };
}

function readCounts(): Counts | null {
  const { sid, events, batches, isArrivalTold } = fieldsOf(readKept('sessionStorage', countsName));
  const isId = typeof sid === 'string' && /^[\da-f-]{36}$/.test(sid);
  if (!isId || !isCount(events) || !isCount(batches)) return null;
  return { sid, events, batches, isArrivalTold: isArrivalTold === true };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isBatch(value: unknown): value is Batch {
  const { seq, events } = fieldsOf(value);
  return isCount(seq) && Array.isArray(events) && events.length > 0;
}
