import type { LogEvent } from '@pointgate/contract/log-events.ts';
import type { Batch, LogSession } from './log-session.ts';

/** So few that the longest of them fit into the bytes that the collector takes. */
export const batchEvents = 20;
/** What is not sent yet is kept up to here. What comes then leaves a gap in the numbers of events. */
export const keptEventsMax = 200;

export interface Outgoing extends Batch {
  /** On its way at this moment. */
  isOut: boolean;
  failures: number;
}

/** What is to be sent: events that wait for others, and batches that were cut of them. */
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
      // A page may be gone before it could sign them; the next one in this tab finds them.
      session.keepUnsent(outgoing);
    },
    first: () => outgoing[0],
    notOut: () => outgoing.filter(({ isOut }) => !isOut),
    /** It was taken, or is given up. */
    settle: (batch: Outgoing) => {
      outgoing = outgoing.filter((other) => other !== batch);
      session.keepUnsent(outgoing);
    },
  };
}

function toOutgoing({ seq, events }: Batch): Outgoing {
  return { seq, events, isOut: false, failures: 0 };
}
