import type { ProviderEvent, Send } from './forgeries.ts';
import type { Random } from './random.ts';

export interface WebhookPlan {
  /** Everything that is sent, in a random order. */
  sends: Send[];
  /** Orders whose every event is lost on the way. */
  silent: Set<string>;
}

/**
 * Each event is sent one to four times, out of order. A tenth of all that is sent is forged, another
 * tenth is old; these come on top, so that no event is lost by being made unbelievable. Of one order
 * in a hundred nothing is ever heard.
 */
export function planWebhooks(
  events: readonly ProviderEvent[],
  inventions: readonly ProviderEvent[],
  random: Random,
): WebhookPlan {
  const orders = random.shuffle([...new Set(events.map(({ paymentId }) => paymentId))]);
  const silent = new Set(orders.slice(0, Math.ceil(orders.length / 100)));
  const genuine = events
    .filter(({ paymentId }) => !silent.has(paymentId))
    .flatMap((event) =>
      Array.from({ length: 1 + random.below(4) }, (): Send => ({ event, kind: 'genuine' })),
    );
  const tenth = Math.ceil(genuine.length / 8);
  const some = (make: () => Send) => Array.from({ length: tenth }, make);
  const forged = some(() => forgeryOf(events, inventions, random));
  const stale = some(() => ({ event: random.pick(events), kind: 'stale' }));
  return { sends: random.shuffle([...genuine, ...forged, ...stale]), silent };
}

function forgeryOf(
  events: readonly ProviderEvent[],
  inventions: readonly ProviderEvent[],
  random: Random,
): Send {
  const kind = random.pick(['wrong secret', 'changed byte', 'body of another'] as const);
  // A forger who takes the trouble tells of money that never came.
  return { event: random.pick(random.percent(50) ? inventions : events), kind };
}
