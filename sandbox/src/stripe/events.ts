import { object, whole } from '../platform/shape.ts';
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

/** Writes the event and what has to be sent about it; the sender starts after the commit. */
export function recordEvent(
  provider: Provider,
  input: {
    type: EventType;
    object: WireObject;
    /** What the changed fields were before. */
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
    // The provider sends its events indented; whoever parses before verifying loses these bytes.
    JSON.stringify(event, null, 2),
  );
  if (isSent) planSends(provider, { eventId: id, type: event.type });
}

/** Lets go what waits for a later event to overtake it. */
export function releaseHeldSends(provider: Provider): void {
  provider.db.transaction(() => {
    provider.db.run(
      "update webhook_sends set state = 'waiting', due_at_ms = ? where state = 'held'",
      provider.clock.nowMs(),
    );
  });
}

/** The receiver may have asked for some kinds of events only. */
function isWanted({ settings }: Provider, type: EventType): boolean {
  const { webhookUrl, enabledEvents } = settings;
  if (webhookUrl === undefined) return false;
  return enabledEvents.includes('*') || enabledEvents.includes(type);
}

function planSends(provider: Provider, event: { eventId: string; type: EventType }): void {
  const { db, clock, plan } = provider;
  if (takeDrop(provider)) {
    db.run(
      `insert into webhook_deliveries
         (event_id, type, copy, attempt, outcome, status, signature, at)
       values (?, ?, 1, 0, 'dropped', null, 'none', ?)`,
      event.eventId,
      event.type,
      new Date().toISOString(),
    );
    return;
  }

  const held = plan.reorder === true ? heldSends(provider) : [];
  const isHeld = plan.reorder === true && held.length === 0;
  const dueAtMs = clock.nowMs() + (plan.delayMs ?? 0);
  for (let copy = 1; copy <= 1 + (plan.duplicate ?? 0); copy += 1) {
    db.run(
      'insert into webhook_sends (event_id, copy, state, due_at_ms) values (?, ?, ?, ?)',
      event.eventId,
      copy,
      isHeld ? 'held' : 'waiting',
      dueAtMs,
    );
  }
  if (held.length > 0) {
    db.run(
      `update webhook_sends
       set state = 'waiting', due_at_ms = ?, after_id = (select max(id) from webhook_sends)
       where state = 'held'`,
      dueAtMs,
    );
  }
}

function heldSends(provider: Provider): { id: number }[] {
  return provider.db.all(
    object({ id: whole }),
    "select id from webhook_sends where state = 'held' order by id limit 100",
  );
}

function takeDrop(provider: Provider): boolean {
  const { drop } = provider.plan;
  if (drop === 'all') return true;
  if (drop === undefined || drop === 0) return false;
  provider.plan = { ...provider.plan, drop: drop - 1 };
  return true;
}
