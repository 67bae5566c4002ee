import { yuan } from '../platform/beijing.ts';
import type { ChargeRow, OrderRow } from './rows.ts';
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
