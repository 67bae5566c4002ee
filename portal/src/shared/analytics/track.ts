import type { LogEvent } from '@pointgate/contract/log-events.ts';
import { currentPage } from './pages.ts';

type EventInputOf<Event> = Event extends LogEvent ? Pick<Event, 'n' | 'p'> : never;
/** Name and parameters of an event; the sender adds time, index and session. */
export type EventInput = EventInputOf<LogEvent>;
/** An event with its time by the clock of the browser. */
export type TrackedEvent = EventInput & { at: number };

type Listener = (event: TrackedEvent) => void;

// The sender loads after the first render. Earlier events are buffered here.
const earlyMax = 50;
const early: TrackedEvent[] = [];
let listener: Listener | null = null;

/** Reports an event without blocking; never throws. */
export function track(told: EventInput): void {
  const event = { ...told, at: Date.now() };
  if (listener !== null) listener(event);
  else if (early.length < earlyMax) early.push(event);
}

export function trackPop(pop: string): void {
  track({ n: 'web_payment_show_pop', p: { page: currentPage(), pop } });
}

export function trackClick(button: string): void {
  track({ n: 'web_payment_click_button', p: { page: currentPage(), button } });
}

/**
 * Subscribes to events, starting with the buffered ones. Returns the function that unsubscribes.
 */
export function subscribe(next: Listener): () => void {
  listener = next;
  for (const event of early.splice(0)) next(event);
  return () => {
    listener = null;
  };
}
