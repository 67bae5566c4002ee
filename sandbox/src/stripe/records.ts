import {
  countOf,
  deliveryRecord,
  deliveryRow,
  newest,
  type Records,
  recordsOf,
} from '../platform/records.ts';
import { object, type Reader, text, whole } from '../platform/shape.ts';
import { eventObject } from './api.routes.ts';
import { balanceObject } from './balance.ts';
import { wireDispute } from './disputes.ts';
import { chargeObject, refundObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { balanceRow, chargeRow, disputeRow, eventRow, refundRow, sessionRow } from './rows.ts';
import { wireSession } from './sessions.ts';

const keyRow = object({ key: text, created: whole, status: whole, requestId: text });

/** All that happened, newest first. The counts are of everything, the lists stop at the limit. */
export function allRecords(provider: Provider, limit: number) {
  const { db } = provider;
  const latest = <Row>(table: string, reader: Reader<Row>) => newest(db, { table, reader, limit });
  return {
    counts: counts(provider),
    sessions: latest('sessions', sessionRow).map((row) => wireSession(provider, row)),
    charges: latest('charges', chargeRow).map(chargeObject),
    refunds: latest('refunds', refundRow).map(refundObject),
    disputes: latest('disputes', disputeRow).map((row) => wireDispute(provider, row)),
    events: latest('events', eventRow).map(eventObject),
    webhookDeliveries: deliveries(provider, limit),
    idempotencyKeys: db.all(
      keyRow,
      `select key, created, status, request_id as requestId from idempotency_keys
       order by rowid desc limit ?`,
      limit,
    ),
    requests: countOf(db, 'requests'),
  };
}

export function deliveries({ db }: Provider, limit: number) {
  const input = { table: 'webhook_deliveries', reader: deliveryRow, limit };
  return newest(db, input).map(deliveryRecord);
}

/** What can be read page by page, for more than one answer can hold. */
export function recordKinds(provider: Provider): Record<string, Records> {
  return {
    sessions: recordsOf({
      table: 'sessions',
      reader: sessionRow,
      wire: (row) => wireSession(provider, row),
    }),
    charges: recordsOf({ table: 'charges', reader: chargeRow, wire: chargeObject }),
    refunds: recordsOf({ table: 'refunds', reader: refundRow, wire: refundObject }),
    disputes: recordsOf({
      table: 'disputes',
      reader: disputeRow,
      wire: (row) => wireDispute(provider, row),
    }),
    balanceTransactions: recordsOf({
      table: 'balance_transactions',
      reader: balanceRow,
      wire: balanceObject,
    }),
    events: recordsOf({ table: 'events', reader: eventRow, wire: eventObject }),
    webhookDeliveries: recordsOf({
      table: 'webhook_deliveries',
      reader: deliveryRow,
      wire: deliveryRecord,
    }),
  };
}

export function counts({ db }: Provider) {
  return {
    sessions: countOf(db, 'sessions'),
    charges: countOf(db, 'charges'),
    refunds: countOf(db, 'refunds'),
    disputes: countOf(db, 'disputes'),
    events: countOf(db, 'events'),
    webhookDeliveries: countOf(db, 'webhook_deliveries'),
    idempotencyKeys: countOf(db, 'idempotency_keys'),
    requests: countOf(db, 'requests'),
  };
}
