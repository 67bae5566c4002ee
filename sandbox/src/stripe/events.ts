import { planSends } from '../platform/webhook-plan.ts';
import { newId } from './ids.ts';
import type { WireObject } from './objects.ts';
import type { Provider } from './provider.ts';

const apiVersion = '2026-10-28.endive';

export type EventType =
  | 'charge.dispute.closed'
  | 'charge.dispute.created'
  | 'charge.dispute.funds_reinstated'
  | 'charge.dispute.funds_withdrawn'
  | 'charge.dispute.updated'
  | 'charge.refunded'
  | 'charge.succeeded'
  | 'checkout.session.completed'
  | 'checkout.session.expired'
  | 'payment_intent.succeeded'
  | 'refund.created'
  | 'refund.failed'
  | 'refund.updated'
  | 'reporting.report_run.failed'
  | 'reporting.report_run.succeeded';

/** Writes the event and queues its webhook; the sender starts after the commit. */
export function recordEvent(
  provider: Provider,
  input: {
    type: EventType;
    object: WireObject;
    /** The previous values of the changed fields. */
    previous?: WireObject;
    request: { id: string; idempotencyKey: string | null } | null;
  },
): void {
  const { db, clock } = provider;
  const id = newId('evt_');
  const { request, previous } = input;
  const isSent = isWanted(provider, input.type);
  const event = {
    id,
    object: 'event',
    api_version: apiVersion,
    created: clock.nowSeconds(),
    data: {
      object: input.object,
      ...(previous === undefined ? {} : { previous_attributes: previous }),
    },
    livemode: false,
    pending_webhooks: isSent ? 1 : 0,
    request: request === null ? null : { id: request.id, idempotency_key: request.idempotencyKey },
    type: input.type,
  };
  db.run(
    'insert into events (id, created, type, payload) values (?, ?, ?, ?)',
    id,
    event.created,
    event.type,
    // Stripe indents its events: a receiver that parses and serializes again fails verification.
    JSON.stringify(event, null, 2),
  );
  if (isSent) planSends(provider, { eventId: id, type: event.type });
}

/** Only events of subscribed types are sent. */
function isWanted({ settings }: Provider, type: EventType): boolean {
  const { webhookUrl, enabledEvents } = settings;
  if (webhookUrl === undefined) return false;
  return enabledEvents.includes('*') || enabledEvents.includes(type);
}
