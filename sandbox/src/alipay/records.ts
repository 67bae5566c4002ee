import { audited } from '../platform/audited.ts';
import { deliveryRecords, noRecords, type Records, recordsOf } from '../platform/records.ts';
import type { WireObject } from './objects.ts';
import {
  type ChargeRow,
  chargeRow,
  type EventRow,
  eventRow,
  type OrderRow,
  orderRow,
  type RefundRow,
  refundRow,
} from './rows.ts';

function auditedCharge(row: ChargeRow): WireObject {
  const { id, amount_refunded, out_trade_no: outTradeNo } = row;
  return { ...audited('charge', row), amount_refunded, payment_intent: id, outTradeNo };
}

const refundStatuses = {
  PROCESSING: 'pending',
  SUCCESS: 'succeeded',
  FAILED: 'failed',
} as const satisfies Record<RefundRow['status'], string>;

export function auditedRefund(row: RefundRow): WireObject {
  const { id, charge } = row;
  return {
    ...audited('refund', row),
    charge,
    payment_intent: charge,
    status: refundStatuses[row.status],
    metadata: row.is_asked === 1 ? { refundId: id } : {},
  };
}

export function auditedOrder(row: OrderRow): WireObject {
  const { asked, ...order } = row;
  return { id: row.out_trade_no, object: 'order', ...order };
}

function auditedEvent(row: EventRow): WireObject {
  const { id, created, type, url } = row;
  const fields: WireObject = JSON.parse(row.fields);
  return {
    id,
    object: 'event',
    created,
    type,
    url,
    data: { object: { id: String(fields.trade_no), ...fields } },
  };
}

/** The kinds of records that can be read, by their name in the URL. */
export const recordKinds = {
  sessions: recordsOf({ table: 'orders', reader: orderRow, wire: auditedOrder }),
  charges: recordsOf({ table: 'charges', reader: chargeRow, wire: auditedCharge }),
  refunds: recordsOf({ table: 'refunds', reader: refundRow, wire: auditedRefund }),
  // This provider has no disputes, because no bank reverses its payments.
  disputes: noRecords,
  events: recordsOf({ table: 'events', reader: eventRow, wire: auditedEvent }),
  webhookDeliveries: deliveryRecords,
} satisfies Record<string, Records>;
