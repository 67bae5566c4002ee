import type { LogEvent } from '@pointgate/contract/log-events.ts';
import { currentPage } from './pages.ts';

type ToldOf<Event> = Event extends LogEvent ? Pick<Event, 'n' | 'p'> : never;
/** Name and parameters of an event; the sender adds time, index and session. */
export type Told = ToldOf<LogEvent>;
/** An event with its time by the clock of the browser. */
export type Happening = Told & { at: number };

type Listener = (happening: Happening) => void;

// The sender loads after the first render. Earlier events are buffered here.
const earlyMax = 50;
const early: Happening[] = [];
let listener: Listener | null = null;

/** Reports an event without blocking; never throws. */
export function track(told: Told): void {
  const happening = { ...told, at: Date.now() };
  if (listener !== null) listener(happening);
  else if (early.length < earlyMax) early.push(happening);
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
export function hear(next: Listener): () => void {
  listener = next;
  for (const happening of early.splice(0)) next(happening);
  return () => {
    listener = null;
  };
}
