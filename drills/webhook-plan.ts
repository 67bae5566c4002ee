import type { ProviderEvent, Send } from './forgeries.ts';
import type { Random } from './random.ts';

export interface WebhookPlan {
  /** All webhooks, in random order. */
  sends: Send[];
  /** Orders whose events are all dropped. */
  ordersWithoutEvents: Set<string>;
}

/**
 * Sends each event one to four times, out of order. A tenth of all webhooks is forged and another
 * tenth is stale, in addition to the genuine ones, so that no event is lost by that. The events of
 * one order in a hundred are never sent.
 */
export function planWebhooks(
  events: readonly ProviderEvent[],
  inventedEvents: readonly ProviderEvent[],
  random: Random,
): WebhookPlan {
  const orders = random.shuffle([...new Set(events.map(({ paymentId }) => paymentId))]);
  const ordersWithoutEvents = new Set(orders.slice(0, Math.ceil(orders.length / 100)));
  const genuine = events
    .filter(({ paymentId }) => !ordersWithoutEvents.has(paymentId))
    .flatMap((event) =>
      Array.from({ length: 1 + random.below(4) }, (): Send => ({ event, kind: 'genuine' })),
    );
  const tenth = Math.ceil(genuine.length / 8);
  const some = (make: () => Send) => Array.from({ length: tenth }, make);
  const forged = some(() => forgeryOf(events, inventedEvents, random));
  const stale = some(() => ({ event: random.pick(events), kind: 'stale' }));
  return { sends: random.shuffle([...genuine, ...forged, ...stale]), ordersWithoutEvents };
}

function forgeryOf(
  events: readonly ProviderEvent[],
  inventedEvents: readonly ProviderEvent[],
  random: Random,
): Send {
  const kind = random.pick(['wrong secret', 'changed byte', 'body of another'] as const);
  // Half of the forgeries are about money that was never paid.
  return { event: random.pick(random.percent(50) ? inventedEvents : events), kind };
}
