import type { LogEvent } from '@pointgate/contract/log-events.ts';
import { currentPage } from './pages.ts';

type ToldOf<Event> = Event extends LogEvent ? Pick<Event, 'n' | 'p'> : never;
/** What an event says; when, by whom and as which of many it is told by the sender. */
export type Told = ToldOf<LogEvent>;
/** With the moment, by the browser's own clock. */
export type Happening = Told & { at: number };

type Listener = (happening: Happening) => void;

// The sender comes after the first page is drawn. What happens before it waits here.
const earlyMax = 50;
const early: Happening[] = [];
let listener: Listener | null = null;

/** Notes that something happened. Costs nothing, waits for nothing and never throws. */
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

/** Hears everything from now on, and first what happened before. Returns the way to stop. */
export function hear(next: Listener): () => void {
  listener = next;
  for (const happening of early.splice(0)) next(happening);
  return () => {
    listener = null;
  };
}
