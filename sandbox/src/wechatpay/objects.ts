import type { ChargeRow, OrderRow, RefundRow } from './rows.ts';
import { wireTime } from './times.ts';

/** An object in the JSON format of the provider. */
export type WireObject = Record<string, unknown>;

const tradeTypes = { jsapi: 'JSAPI', h5: 'MWEB', native: 'NATIVE' } as const;

/** An order as queries answer it and notifications carry it. */
export function transactionObject(
  order: OrderRow,
  input: { mchId: string; charge: ChargeRow | undefined },
): WireObject {
  const { mchId: mchid, charge } = input;
  const { appid, out_trade_no } = order;
  const attach = order.attach === null ? {} : { attach: order.attach };
  if (charge === undefined) {
    const isClosed = order.state === 'CLOSED';
    return {
      appid,
      mchid,
      out_trade_no,
      trade_state: isClosed ? 'CLOSED' : 'NOTPAY',
      trade_state_desc: isClosed ? '订单已关闭' : '订单未支付',
      ...attach,
      amount: { total: order.total, currency: order.currency, payer_currency: order.currency },
      promotion_detail: [],
    };
  }
  const isRefunded = charge.amount_refunded > 0;
  return {
    appid,
    mchid,
    out_trade_no,
    transaction_id: charge.id,
    trade_type: tradeTypes[order.scene],
    trade_state: isRefunded ? 'REFUND' : 'SUCCESS',
    trade_state_desc: isRefunded ? '转入退款' : '支付成功',
    bank_type: 'OTHERS',
    ...attach,
    success_time: wireTime(charge.created),
    payer: { openid: charge.openid },
    amount: {
      total: charge.amount,
      payer_total: charge.amount,
      currency: charge.currency,
      payer_currency: charge.currency,
    },
    promotion_detail: [],
  };
}

/** A refund as the request and queries answer it. */
export function refundObject(refund: RefundRow, charge: ChargeRow): WireObject {
  const { status, settled } = refund;
  return {
    refund_id: refund.id,
    out_refund_no: refund.out_refund_no,
    transaction_id: charge.id,
    out_trade_no: charge.out_trade_no,
    channel: 'ORIGINAL',
    user_received_account: '支付用户零钱',
    ...(status === 'SUCCESS' && settled !== null ? { success_time: wireTime(settled) } : {}),
    create_time: wireTime(refund.created),
    status,
    funds_account: 'AVAILABLE',
    amount: {
      ...refundedAmounts(refund, charge),
      from: [],
      settlement_total: charge.amount,
      settlement_refund: refund.amount,
      discount_refund: 0,
      currency: refund.currency,
      refund_fee: 0,
    },
    promotion_detail: [],
  };
}

/** A refund as its notification carries it, without a currency. */
export function refundNews(input: {
  mchId: string;
  refund: RefundRow;
  charge: ChargeRow;
}): WireObject {
  const { mchId, refund, charge } = input;
  return {
    mchid: mchId,
    out_trade_no: charge.out_trade_no,
    transaction_id: charge.id,
    out_refund_no: refund.out_refund_no,
    refund_id: refund.id,
    refund_status: refund.status,
    ...(refund.settled !== null && refund.status === 'SUCCESS'
      ? { success_time: wireTime(refund.settled) }
      : {}),
    user_received_account: '支付用户零钱',
    amount: refundedAmounts(refund, charge),
  };
}

function refundedAmounts(refund: RefundRow, charge: ChargeRow) {
  return {
    total: charge.amount,
    refund: refund.amount,
    payer_total: charge.amount,
    payer_refund: refund.amount,
  };
}
