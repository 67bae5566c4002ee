import { randomUUID } from 'node:crypto';
import { yuan } from '../platform/beijing.ts';
import { name, object, optional, text } from '../platform/shape.ts';
import { recordTradeEvent } from './events.ts';
import { refused } from './failure.ts';
import { refundAnswer, type WireObject } from './objects.ts';
import { findCharge } from './paying.ts';
import { fenOf } from './payment-params.ts';
import { tradeOf } from './payments.ts';
import { bookFee } from './payouts.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, orderRow, type RefundRow, refundRow } from './rows.ts';

const yearSeconds = 365 * 24 * 3600;

const refundBody = object({
  trade_no: optional(text),
  out_trade_no: optional(text),
  refund_amount: fenOf,
  out_request_no: optional(name),
  refund_reason: optional(text),
  query_options: optional((value: unknown) => value),
});
const queryBody = object({
  trade_no: optional(text),
  out_trade_no: optional(text),
  out_request_no: name,
  query_options: optional((value: unknown) => value),
});

/**
 * Refunds a trade. A repeated request refunds nothing more and is answered with `fund_change` N.
 * The amount in the answer is the total refunded of the trade.
 */
export function askForRefund(provider: Provider, content: unknown): WireObject {
  const sent = refundBody(content, 'biz_content');
  const charge = chargeOf(provider, sent);
  const id = sent.out_request_no ?? charge.out_trade_no;
  const earlier = findRefund(provider, { chargeId: charge.id, id });
  if (earlier !== undefined && earlier.status !== 'FAILED') {
    if (earlier.amount !== sent.refund_amount) {
      throw refused('ACQ.DISCORDANT_REPEAT_REQUEST', '请求信息不一致');
    }
    return refundAnswer(charge, { hasMoved: false });
  }
  const next = provider.refundPlan.take(() => true)?.next ?? 'succeeded';
  if (next === 'failed') throw refused('ACQ.SELLER_BALANCE_NOT_ENOUGH', '商户的支付宝账户余额不足');
  const amount = sent.refund_amount;
  if (earlier !== undefined) forget(provider, earlier);
  createRefund(provider, { charge, id, amount, isAsked: true });
  if (next === 'succeeded') settleRefund(provider, { chargeId: charge.id, id, status: 'SUCCESS' });
  return refundAnswer(freshCharge(provider, charge.id), { hasMoved: next === 'succeeded' });
}

/** Answers succeeded refunds only; a pending or failed one looks like an unknown one. */
export function queryRefund(provider: Provider, content: unknown): WireObject {
  const sent = queryBody(content, 'biz_content');
  const order = tradeOf(provider, sent);
  const refund = findRefund(provider, { chargeId: order.trade_no, id: sent.out_request_no });
  if (refund?.status !== 'SUCCESS') return {};
  const charge = freshCharge(provider, refund.charge);
  return {
    trade_no: charge.id,
    out_trade_no: charge.out_trade_no,
    out_request_no: refund.id,
    refund_status: 'REFUND_SUCCESS',
    total_amount: yuan(charge.amount),
    refund_amount: yuan(refund.amount),
    send_back_fee: yuan(refund.amount),
  };
}

/** A refund made in the merchant's dashboard. */
export function refundByHand(
  provider: Provider,
  input: { charge: ChargeRow; amount: number | undefined },
): RefundRow {
  const { charge } = input;
  const amount = input.amount ?? charge.amount - charge.amount_refunded;
  const id = `HAND${randomUUID().replaceAll('-', '')}`;
  createRefund(provider, { charge, id, amount, isAsked: false });
  return settleRefund(provider, { chargeId: charge.id, id, status: 'SUCCESS' });
}

/** Settles a pending refund as succeeded or failed. */
export function settleRefund(
  provider: Provider,
  input: { chargeId: string; id: string; status: 'SUCCESS' | 'FAILED' },
): RefundRow {
  const { status } = input;
  const before = findRefund(provider, input);
  if (before?.status !== 'PROCESSING') throw refused('ACQ.TRADE_STATUS_ERROR', '退款状态不合法');
  const settled = provider.clock.nowSeconds();
  provider.db.run(
    'update refunds set status = ?, settled = ? where charge = ? and id = ?',
    ...[status, settled, before.charge, before.id],
  );
  const refund: RefundRow = { ...before, status, settled };
  if (status === 'FAILED') {
    changeRefunded(provider, { chargeId: before.charge, by: -before.amount });
    return refund;
  }
  const { amount, currency } = before;
  bookFee(provider, { subject: before.charge, amount: -amount, currency });
  const charge = freshCharge(provider, before.charge);
  const order = provider.db.one(orderRow, 'select * from orders where trade_no = ?', charge.id);
  if (order === undefined) throw new Error(`the order of ${charge.id} does not exist`);
  recordTradeEvent(provider, { order, charge, refund });
  return refund;
}

export function findRefundById({ db }: Provider, id: string): RefundRow | undefined {
  return db.one(refundRow, 'select * from refunds where id = ?', id);
}

function createRefund(
  provider: Provider,
  input: { charge: ChargeRow; id: string; amount: number; isAsked: boolean },
): void {
  const { charge, id, amount, isAsked } = input;
  const created = provider.clock.nowSeconds();
  if (created - charge.created > yearSeconds) {
    throw refused('ACQ.TRADE_HAS_FINISHED', '交易已完结');
  }
  if (amount > charge.amount - charge.amount_refunded) {
    throw refused('ACQ.REASON_TRADE_REFUND_FEE_ERR', '退款金额无效');
  }
  const { currency, payment_id } = charge;
  const base = { id, created, charge: charge.id, amount, currency, payment_id };
  const refund: RefundRow = {
    ...base,
    is_asked: isAsked ? 1 : 0,
    status: 'PROCESSING',
    settled: null,
  };
  provider.db.insert('refunds', refund);
  // A pending refund takes up its amount, so the same money cannot be refunded twice.
  changeRefunded(provider, { chargeId: charge.id, by: amount });
}

function chargeOf(
  provider: Provider,
  sent: { trade_no?: string | undefined; out_trade_no?: string | undefined },
): ChargeRow {
  const order = tradeOf(provider, sent);
  const charge = findCharge(provider, order.trade_no);
  if (charge === undefined) throw refused('ACQ.TRADE_STATUS_ERROR', '交易状态不合法');
  return charge;
}

function freshCharge(provider: Provider, chargeId: string): ChargeRow {
  const charge = findCharge(provider, chargeId);
  if (charge === undefined) throw new Error(`charge ${chargeId} does not exist`);
  return charge;
}

function findRefund(
  { db }: Provider,
  { chargeId, id }: { chargeId: string; id: string },
): RefundRow | undefined {
  return db.one(refundRow, 'select * from refunds where charge = ? and id = ?', chargeId, id);
}

/** A failed refund can be requested again under the same request number. */
function forget({ db }: Provider, { charge, id }: RefundRow): void {
  db.run('delete from refunds where charge = ? and id = ?', charge, id);
}

function changeRefunded({ db }: Provider, input: { chargeId: string; by: number }): void {
  db.run(
    'update charges set amount_refunded = amount_refunded + ? where id = ?',
    input.by,
    input.chargeId,
  );
}
