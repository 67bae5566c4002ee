import { audited } from '../platform/audited.ts';
import { yuan } from '../platform/beijing.ts';
import type { ChargeRow, EventRow, OrderRow, RefundRow } from './rows.ts';
import { wireTime } from './times.ts';

/** An object in the JSON format of the provider. */
export type WireObject = Record<string, unknown>;

const yearSeconds = 365 * 24 * 3600;

/** A trade as queries answer it. TRADE_CLOSED means expired unpaid or fully refunded. */
export function tradeObject(
  order: OrderRow,
  { charge, now }: { charge: ChargeRow | undefined; now: number },
): WireObject {
  const isRefunded = charge !== undefined && charge.amount_refunded === charge.amount;
  const isFinished = charge !== undefined && now - charge.created > yearSeconds;
  const status = isRefunded ? 'TRADE_CLOSED' : isFinished ? 'TRADE_FINISHED' : order.state;
  const total = yuan(charge?.amount ?? order.total);
  const kept = charge === undefined || isRefunded ? '0.00' : total;
  return {
    buyer_logon_id: 'san***@sandbox.test',
    buyer_pay_amount: kept,
    buyer_user_id: charge?.buyer_id ?? '2088000000000000',
    invoice_amount: kept,
    out_trade_no: order.out_trade_no,
    ...(order.passback === null ? {} : { passback_params: order.passback }),
    point_amount: '0.00',
    receipt_amount: kept,
    ...(charge === undefined ? {} : { send_pay_date: wireTime(charge.created) }),
    total_amount: total,
    trade_no: order.trade_no,
    trade_status: status,
  };
}

export function refundAnswer(charge: ChargeRow, { hasMoved }: { hasMoved: boolean }): WireObject {
  return {
    buyer_logon_id: 'san***@sandbox.test',
    buyer_user_id: charge.buyer_id,
    fund_change: hasMoved ? 'Y' : 'N',
    out_trade_no: charge.out_trade_no,
    refund_fee: yuan(charge.amount_refunded),
    send_back_fee: hasMoved ? yuan(charge.amount_refunded) : '0.00',
    trade_no: charge.id,
  };
}

export function auditedCharge(row: ChargeRow): WireObject {
  const { id, amount_refunded, out_trade_no: outTradeNo } = row;
  return { ...audited('charge', row), amount_refunded, payment_intent: id, outTradeNo };
}

const auditedStatus = {
  PROCESSING: 'pending',
  SUCCESS: 'succeeded',
  FAILED: 'failed',
} as const satisfies Record<RefundRow['status'], string>;

export function auditedRefund(row: RefundRow): WireObject {
  const { id, charge } = row;
  return {
    ...audited('refund', row),
    ...{ charge, payment_intent: charge },
    status: auditedStatus[row.status],
    metadata: row.is_asked === 1 ? { refundId: id } : {},
  };
}

export function auditedOrder(row: OrderRow): WireObject {
  const { asked, ...order } = row;
  return { id: row.out_trade_no, object: 'order', ...order };
}

export function auditedEvent(row: EventRow): WireObject {
  const { id, created, type, url } = row;
  const fields: WireObject = JSON.parse(row.fields);
  return {
    ...{ id, object: 'event', created, type, url },
    data: { object: { id: String(fields.trade_no), ...fields } },
  };
}
