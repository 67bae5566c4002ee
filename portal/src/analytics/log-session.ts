import type { LogEvent } from '@pointgate/contract/log-events.ts';
import { fieldsOf, keep, readKept } from '../session/kept.ts';
import { newEventId } from './event-ids.ts';

/** Events that are sent together. A batch that is sent again is the same batch: the server knows it. */
export interface Batch {
  seq: number;
  events: LogEvent[];
}

interface Counts {
  sid: string;
  /** How many events and batches there were, which are the numbers of the next ones. */
  events: number;
  batches: number;
  isArrivalTold: boolean;
}

/** A visit in one tab, over all pages that it loads. */
export interface LogSession {
  sid(): string;
  /** The place of the next event in the session, and of the next batch. */
  nextIndex(): number;
  nextSeq(): number;
  /** True for the first who asks: a player arrives once, though pages are loaded again. */
  isArrival(): boolean;
  /** What was not sent when the page before this one was left. */
  unsent(): Batch[];
  keepUnsent(batches: readonly Batch[]): void;
}

const countsName = 'pointgate.log-session';
const unsentName = 'pointgate.log-unsent';

/** Counts in the storage itself: a page that comes back from the browser's cache counts on from there. */
export function openLogSession(): LogSession {
  // For a browser that keeps nothing.
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
