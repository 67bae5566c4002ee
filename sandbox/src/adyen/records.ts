import {
  countOf,
  deliveryRecord,
  deliveryRow,
  newest,
  type Records,
  recordsOf,
} from '../platform/records.ts';
import type { Reader } from '../platform/shape.ts';
import type { Provider } from './provider.ts';
import {
  type ChargeRow,
  chargeRow,
  type DisputeRow,
  disputeRow,
  type EventRow,
  eventRow,
  movementRow,
  type RefundRow,
  refundRow,
  type SessionRow,
  sessionRow,
} from './rows.ts';

// What auditors read has the same names whatever provider it is of.

export function auditedSession({ asked, ...row }: SessionRow): object {
  return { object: 'session', ...row, asked: JSON.parse(asked) };
}

function auditedCharge(row: ChargeRow): object {
  const { id, created, amount, amount_refunded, session, capture, reference } = row;
  return {
    ...{ id, object: 'charge', created, amount, amount_refunded, session, capture, reference },
    currency: row.currency.toLowerCase(),
    payment_intent: id,
    paymentId: row.payment_id,
  };
}

const refundStatuses = {
  received: 'pending',
  refunded: 'succeeded',
  failed: 'failed',
} as const satisfies Record<RefundRow['status'], string>;

export function auditedRefund(row: RefundRow): object {
  const { id, created, amount, charge, reference, reason } = row;
  return {
    ...{ id, object: 'refund', created, amount, charge, payment_intent: charge, reference, reason },
    currency: row.currency.toLowerCase(),
    status: refundStatuses[row.status],
    metadata: reference === null ? {} : { refundId: reference },
    paymentId: row.payment_id,
  };
}

export function auditedDispute(row: DisputeRow): object {
  const { id, created, amount, charge, reason, status } = row;
  return {
    ...{ id, object: 'dispute', created, amount, charge, payment_intent: charge, reason, status },
    currency: row.currency.toLowerCase(),
    paymentId: row.payment_id,
  };
}

function auditedEvent({ id, created, type, item }: EventRow): object {
  return { id, object: 'event', created, type, data: { object: JSON.parse(item) } };
}

/** All that happened, newest first. The counts are of everything, the lists stop at the limit. */
export function allRecords(provider: Provider, limit: number) {
  const { db } = provider;
  const latest = <Row>(table: string, reader: Reader<Row>) => newest(db, { table, reader, limit });
  return {
    counts: counts(provider),
    sessions: latest('sessions', sessionRow).map(auditedSession),
    charges: latest('charges', chargeRow).map(auditedCharge),
    refunds: latest('refunds', refundRow).map(auditedRefund),
    disputes: latest('disputes', disputeRow).map(auditedDispute),
    events: latest('events', eventRow).map(auditedEvent),
    webhookDeliveries: deliveries(provider, limit),
    requests: countOf(db, 'requests'),
  };
}

export function deliveries({ db }: Provider, limit: number) {
  const input = { table: 'webhook_deliveries', reader: deliveryRow, limit };
  return newest(db, input).map(deliveryRecord);
}

/** What can be read page by page, for more than one answer can hold. */
export const recordKinds = {
  sessions: recordsOf({ table: 'sessions', reader: sessionRow, wire: auditedSession }),
  charges: recordsOf({ table: 'charges', reader: chargeRow, wire: auditedCharge }),
  refunds: recordsOf({ table: 'refunds', reader: refundRow, wire: auditedRefund }),
  disputes: recordsOf({ table: 'disputes', reader: disputeRow, wire: auditedDispute }),
  movements: recordsOf({ table: 'movements', reader: movementRow, wire: (row) => row }),
  events: recordsOf({ table: 'events', reader: eventRow, wire: auditedEvent }),
  webhookDeliveries: recordsOf({
    table: 'webhook_deliveries',
    reader: deliveryRow,
    wire: deliveryRecord,
  }),
} satisfies Record<string, Records>;

export function counts({ db }: Provider) {
  return {
    sessions: countOf(db, 'sessions'),
    charges: countOf(db, 'charges'),
    refunds: countOf(db, 'refunds'),
    disputes: countOf(db, 'disputes'),
    events: countOf(db, 'events'),
    webhookDeliveries: countOf(db, 'webhook_deliveries'),
    requests: countOf(db, 'requests'),
  };
}
