import {
  countOf,
  deliveryRecord,
  deliveryRow,
  newest,
  type Records,
  recordsOf,
} from '../platform/records.ts';
import { nullable, object, type Reader, text, whole } from '../platform/shape.ts';
import type { WireObject } from './call.ts';
import { auditStatusOf } from './disputes.ts';
import { wireOrder } from './orders.ts';
import type { Provider } from './provider.ts';
import {
  type CaptureRow,
  captureRow,
  type DisputeRow,
  disputeRow,
  type EventRow,
  eventRow,
  movementRow,
  orderRow,
  type RefundRow,
  refundRow,
} from './rows.ts';

const requestRow = object({
  id: whole,
  at: text,
  method: text,
  path: text,
  request_id: nullable(text),
});

// Auditors read every provider in the same words: a charge, its intent, small letters, small units.

export function chargeRecord(row: CaptureRow): WireObject {
  return {
    id: row.id,
    payment_intent: row.id,
    order: row.order_id,
    amount: row.amount,
    amount_refunded: row.amount_refunded,
    currency: row.currency.toLowerCase(),
    status: chargeStatuses[row.status],
    providerStatus: row.status,
    created: row.created,
    paymentId: row.payment_id,
  };
}

export function refundRecord(row: RefundRow): WireObject {
  return {
    id: row.id,
    payment_intent: row.capture,
    amount: row.amount,
    currency: row.currency.toLowerCase(),
    status: refundStatuses[row.status],
    created: row.created,
    metadata: row.custom_id === null ? {} : { refundId: row.custom_id },
    paymentId: row.payment_id,
  };
}

export function disputeRecord(row: DisputeRow): WireObject {
  return {
    id: row.id,
    payment_intent: row.capture,
    amount: row.amount,
    currency: row.currency.toLowerCase(),
    status: auditStatusOf(row),
    reason: row.reason,
    created: row.created,
    paymentId: row.payment_id,
  };
}

function eventRecord(row: EventRow): WireObject {
  return JSON.parse(row.payload);
}

function auditedEvent({ id, type, created, payload }: EventRow): WireObject {
  const { resource } = JSON.parse(payload);
  return { id, type, created, data: { object: { id: resource.dispute_id, ...resource } } };
}

/** All that happened, newest first. The counts are of everything, the lists stop at the limit. */
export function allRecords(provider: Provider, limit: number) {
  const { db } = provider;
  const latest = <Row>(table: string, reader: Reader<Row>) => newest(db, { table, reader, limit });
  return {
    counts: counts(provider),
    orders: latest('orders', orderRow).map((row) => wireOrder(provider, row, true)),
    charges: latest('charges', captureRow).map(chargeRecord),
    refunds: latest('refunds', refundRow).map(refundRecord),
    disputes: latest('disputes', disputeRow).map(disputeRecord),
    events: latest('events', eventRow).map(eventRecord),
    webhookDeliveries: deliveries(provider, limit),
    requests: latest('requests', requestRow),
    certificateReads: provider.certificateReads,
  };
}

export function deliveries({ db }: Provider, limit: number) {
  const input = { table: 'webhook_deliveries', reader: deliveryRow, limit };
  return newest(db, input).map(deliveryRecord);
}

/** What can be read page by page, for more than one answer can hold. */
export function recordKinds(provider: Provider): Record<string, Records> {
  return {
    orders: recordsOf({
      table: 'orders',
      reader: orderRow,
      wire: (row) => wireOrder(provider, row, true),
    }),
    charges: recordsOf({ table: 'charges', reader: captureRow, wire: chargeRecord }),
    refunds: recordsOf({ table: 'refunds', reader: refundRow, wire: refundRecord }),
    disputes: recordsOf({ table: 'disputes', reader: disputeRow, wire: disputeRecord }),
    movements: recordsOf({ table: 'movements', reader: movementRow, wire: (row) => row }),
    events: recordsOf({ table: 'events', reader: eventRow, wire: auditedEvent }),
    webhookDeliveries: recordsOf({
      table: 'webhook_deliveries',
      reader: deliveryRow,
      wire: deliveryRecord,
    }),
  };
}

export function counts({ db }: Provider) {
  return {
    orders: countOf(db, 'orders'),
    charges: countOf(db, 'charges'),
    refunds: countOf(db, 'refunds'),
    disputes: countOf(db, 'disputes'),
    events: countOf(db, 'events'),
    webhookDeliveries: countOf(db, 'webhook_deliveries'),
    requestIds: countOf(db, 'request_ids'),
    requests: countOf(db, 'requests'),
  };
}

const chargeStatuses: Record<CaptureRow['status'], string> = {
  COMPLETED: 'succeeded',
  PARTIALLY_REFUNDED: 'succeeded',
  REFUNDED: 'succeeded',
  PENDING: 'pending',
  DECLINED: 'failed',
};

const refundStatuses: Record<RefundRow['status'], string> = {
  COMPLETED: 'succeeded',
  PENDING: 'pending',
  FAILED: 'failed',
};
