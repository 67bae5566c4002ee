import { type PageRequest, pageOf } from '../platform/pages.ts';
import { nullable, object, type Reader, text, whole } from '../platform/shape.ts';
import { eventObject } from './api.routes.ts';
import { balanceObject } from './balance.ts';
import { wireDispute } from './disputes.ts';
import { chargeObject, refundObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { balanceRow, chargeRow, disputeRow, eventRow, refundRow, sessionRow } from './rows.ts';
import { wireSession } from './sessions.ts';

const deliveryRow = object({
  id: whole,
  event_id: text,
  type: text,
  copy: whole,
  attempt: whole,
  outcome: text,
  status: nullable(whole),
  signature: text,
  at: text,
});

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
    disputes: newest(provider, disputeRow, 'disputes', limit).map((row) =>
      wireDispute(provider, row),
    ),
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
  return newest(provider, deliveryRow, 'webhook_deliveries', limit).map(deliveryOf);
}

/** What can be read page by page, for more than one answer can hold. */
export function recordPage(
  provider: Provider,
  input: { kind: RecordKind; page: PageRequest },
): { records: object[]; next: number | null } {
  const page = <Row>(table: string, reader: Reader<Row>, wire: (row: Row) => object) => {
    const { rows, next } = pageOf(provider.db, { table, reader, page: input.page });
    return { records: rows.map(({ seq, row }) => ({ seq, ...wire(row) })), next };
  };
  switch (input.kind) {
    case 'sessions':
      return page('sessions', sessionRow, (row) => wireSession(provider, row));
    case 'charges':
      return page('charges', chargeRow, chargeObject);
    case 'refunds':
      return page('refunds', refundRow, refundObject);
    case 'disputes':
      return page('disputes', disputeRow, (row) => wireDispute(provider, row));
    case 'balanceTransactions':
      return page('balance_transactions', balanceRow, balanceObject);
    case 'events':
      return page('events', eventRow, eventObject);
    case 'webhookDeliveries':
      return page('webhook_deliveries', deliveryRow, deliveryOf);
  }
}

export const recordKinds = [
  'sessions',
  'charges',
  'refunds',
  'disputes',
  'balanceTransactions',
  'events',
  'webhookDeliveries',
] as const;
export type RecordKind = (typeof recordKinds)[number];

/** Every time the receiver said that it has an event, in the order in which it said so. */
export function acknowledgedPage(provider: Provider, page: PageRequest) {
  const { rows, next } = pageOf(provider.db, {
    table: 'webhook_deliveries',
    reader: deliveryRow,
    page,
    only: { column: 'outcome', value: 'delivered' },
  });
  const acknowledged = rows.map(({ seq, row }) => ({
    seq,
    eventId: row.event_id,
    type: row.type,
    signature: row.signature,
    at: row.at,
  }));
  return { acknowledged, next };
}

export function newest<T>(
  provider: Provider,
  reader: Reader<T>,
  table: 'sessions' | 'charges' | 'refunds' | 'disputes' | 'events' | 'webhook_deliveries',
  limit: number,
): T[] {
  return provider.db.all(reader, `select * from ${table} order by rowid desc limit ?`, limit);
}

export function counts(provider: Provider) {
  return {
    sessions: countOf(provider, 'sessions'),
    charges: countOf(provider, 'charges'),
    refunds: countOf(provider, 'refunds'),
    disputes: countOf(provider, 'disputes'),
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

type Delivery = ReturnType<typeof deliveryOf>;

function deliveryOf({ event_id, ...row }: ReturnType<typeof deliveryRow>) {
  return { eventId: event_id, ...row };
}
