import { nullable, object, type Reader, text, whole } from '../platform/shape.ts';
import { eventObject } from './api.routes.ts';
import { chargeObject, refundObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { chargeRow, eventRow, refundRow, sessionRow } from './rows.ts';
import { wireSession } from './sessions.ts';

const deliveryRow = object({
  id: whole,
  eventId: text,
  type: text,
  copy: whole,
  attempt: whole,
  outcome: text,
  status: nullable(whole),
  signature: text,
  at: text,
});
export type Delivery = ReturnType<typeof deliveryRow>;

const keyRow = object({ key: text, created: whole, status: whole, requestId: text });

/** All that happened, newest first. The counts are of everything, the lists stop at the limit. */
export function allRecords(provider: Provider, limit: number) {
  return {
    counts: counts(provider),
    sessions: newest(provider, sessionRow, 'sessions', limit).map((row) =>
      wireSession(provider, row),
    ),
    charges: newest(provider, chargeRow, 'charges', limit).map(chargeObject),
    refunds: newest(provider, refundRow, 'refunds', limit).map(refundObject),
    events: newest(provider, eventRow, 'events', limit).map(eventObject),
    webhookDeliveries: deliveries(provider, limit),
    idempotencyKeys: provider.db.all(
      keyRow,
      `select key, created, status, request_id as requestId from idempotency_keys
       order by rowid desc limit ?`,
      limit,
    ),
    requests: countOf(provider, 'requests'),
  };
}

export function deliveries(provider: Provider, limit: number): Delivery[] {
  return provider.db.all(
    deliveryRow,
    `select id, event_id as eventId, type, copy, attempt, outcome, status, signature, at
     from webhook_deliveries order by id desc limit ?`,
    limit,
  );
}

export function newest<T>(
  provider: Provider,
  reader: Reader<T>,
  table: 'sessions' | 'charges' | 'refunds' | 'events',
  limit: number,
): T[] {
  return provider.db.all(reader, `select * from ${table} order by rowid desc limit ?`, limit);
}

export function counts(provider: Provider) {
  return {
    sessions: countOf(provider, 'sessions'),
    charges: countOf(provider, 'charges'),
    refunds: countOf(provider, 'refunds'),
    events: countOf(provider, 'events'),
    webhookDeliveries: countOf(provider, 'webhook_deliveries'),
    idempotencyKeys: countOf(provider, 'idempotency_keys'),
    requests: countOf(provider, 'requests'),
  };
}

function countOf(provider: Provider, table: string): number {
  const row = provider.db.one(object({ n: whole }), `select count(*) as n from ${table}`);
  return row?.n ?? 0;
}
