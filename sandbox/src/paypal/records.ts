import { audited } from '../platform/audited.ts';
import {
  allRecords,
  deliveryRecords,
  newest,
  type Records,
  recordsOf,
} from '../platform/records.ts';
import { nullable, object, text, whole } from '../platform/shape.ts';
import type { WireObject } from './call.ts';
import { auditStatusOf } from './disputes.ts';
import { wireOrder } from './payments.ts';
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

export function chargeRecord(row: CaptureRow): WireObject {
  return {
    ...audited('charge', row),
    payment_intent: row.id,
    order: row.order_id,
    amount_refunded: row.amount_refunded,
    status: chargeStatuses[row.status],
    providerStatus: row.status,
  };
}

export function refundRecord(row: RefundRow): WireObject {
  return {
    ...audited('refund', row),
    payment_intent: row.capture,
    status: refundStatuses[row.status],
    metadata: row.custom_id === null ? {} : { refundId: row.custom_id },
  };
}

export function disputeRecord(row: DisputeRow): WireObject {
  return {
    ...audited('dispute', row),
    payment_intent: row.capture,
    status: auditStatusOf(row),
    reason: row.reason,
  };
}

function eventRecord(row: EventRow): WireObject {
  return JSON.parse(row.payload);
}

function auditedEvent({ id, type, created, payload }: EventRow): WireObject {
  const { resource } = JSON.parse(payload);
  return { id, type, created, data: { object: { id: resource.dispute_id, ...resource } } };
}

/** The newest records of each kind, with events as they were sent and each request. */
export function allPaypalRecords(provider: Provider, limit: number) {
  const { db, certificateReads } = provider;
  return {
    ...allRecords(db, recordKinds(provider), limit),
    events: newest(db, { table: 'events', reader: eventRow, limit }).map(eventRecord),
    requests: newest(db, { table: 'requests', reader: requestRow, limit }),
    certificateReads,
  };
}

/** The kinds of records that can be read page by page. */
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
    webhookDeliveries: deliveryRecords,
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
