import { audited } from '../platform/audited.ts';
import { deliveryRecords, type Records, recordsOf } from '../platform/records.ts';
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

export function auditedSession({ asked, ...row }: SessionRow): object {
  return { object: 'session', ...row, asked: JSON.parse(asked) };
}

function auditedCharge(row: ChargeRow): object {
  const { id, amount_refunded, session, capture, reference } = row;
  const more = { amount_refunded, session, capture, reference };
  return { ...audited('charge', row), ...more, payment_intent: id };
}

const refundStatuses = {
  received: 'pending',
  refunded: 'succeeded',
  failed: 'failed',
} as const satisfies Record<RefundRow['status'], string>;

export function auditedRefund(row: RefundRow): object {
  const { charge, reference, reason } = row;
  return {
    ...audited('refund', row),
    charge,
    payment_intent: charge,
    reference,
    reason,
    status: refundStatuses[row.status],
    metadata: reference === null ? {} : { refundId: reference },
  };
}

export function auditedDispute(row: DisputeRow): object {
  const { charge, reason, status } = row;
  return { ...audited('dispute', row), charge, payment_intent: charge, reason, status };
}

function auditedEvent({ id, created, type, item }: EventRow): object {
  const told = JSON.parse(item);
  const object = { id: told.pspReference, ...told };
  return { id, object: 'event', created, type, data: { object } };
}

/** The kinds of records that can be read, by their name in the URL. */
export const recordKinds = {
  sessions: recordsOf({ table: 'sessions', reader: sessionRow, wire: auditedSession }),
  charges: recordsOf({ table: 'charges', reader: chargeRow, wire: auditedCharge }),
  refunds: recordsOf({ table: 'refunds', reader: refundRow, wire: auditedRefund }),
  disputes: recordsOf({ table: 'disputes', reader: disputeRow, wire: auditedDispute }),
  movements: recordsOf({ table: 'movements', reader: movementRow, wire: (row) => row }),
  events: recordsOf({ table: 'events', reader: eventRow, wire: auditedEvent }),
  webhookDeliveries: deliveryRecords,
} satisfies Record<string, Records>;
