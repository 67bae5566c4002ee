import type { LogEvent } from '@pointgate/contract/log-events.ts';
import type { Batch, LogSession } from './log-session.ts';

/** Even a batch of the longest events fits into the size limit of the collector. */
export const batchEvents = 20;
/** The maximum of buffered events. Events dropped beyond it leave a gap in the event index. */
export const keptEventsMax = 200;

export interface Outgoing extends Batch {
  /** Whether the batch is being sent. */
  isOut: boolean;
  failures: number;
}

/** The send queue: events waiting for a batch, and batches waiting to be sent. */
export function openLogQueue(session: LogSession) {
  let waiting: LogEvent[] = [];
  let outgoing = session.unsent().map(toOutgoing);
  return {
    add: (event: LogEvent) => {
      const cutEvents = outgoing.reduce((sum, { events }) => sum + events.length, 0);
      if (waiting.length + cutEvents < keptEventsMax) waiting.push(event);
    },
    isBatchFull: () => waiting.length >= batchEvents,
    cut: () => {
      for (; waiting.length > 0; waiting = waiting.slice(batchEvents)) {
        const events = waiting.slice(0, batchEvents);
        outgoing.push(toOutgoing({ seq: session.nextSeq(), events }));
      }
      // The page may close before the batches are signed; the next page of this tab sends them.
      session.keepUnsent(outgoing);
    },
    first: () => outgoing[0],
    notOut: () => outgoing.filter(({ isOut }) => !isOut),
    /** Removes a batch that was accepted or given up. */
    settle: (batch: Outgoing) => {
      outgoing = outgoing.filter((other) => other !== batch);
      session.keepUnsent(outgoing);
    },
  };
}

function toOutgoing({ seq, events }: Batch): Outgoing {
  return { seq, events, isOut: false, failures: 0 };
}
