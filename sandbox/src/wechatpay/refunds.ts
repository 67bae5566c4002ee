import { atLeast, name, object, oneOf, optional, text } from '../platform/shape.ts';
import { recordEvent } from './events.ts';
import { invalid, refused } from './failure.ts';
import { newRefundId } from './ids.ts';
import { refundNews, refundObject, type WireObject } from './objects.ts';
import { findCharge, findChargeOfOrder } from './paying.ts';
import { canonical, notifyUrl } from './payment-params.ts';
import { bookFee } from './payouts.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, type RefundRow, refundRow } from './rows.ts';

const yearSeconds = 365 * 24 * 3600;
const partsMax = 50;

const refundBody = object({
  transaction_id: optional(name),
  out_trade_no: optional(name),
  out_refund_no: name,
  reason: optional(text),
  notify_url: optional(notifyUrl),
  amount: object({ refund: atLeast(1), total: atLeast(1), currency: oneOf(['CNY']) }),
});

/** The outcome at the bank. */
export type Settled = 'SUCCESS' | 'ABNORMAL' | 'CLOSED';

/** Creates the refund of this number, or answers the existing one. It is settled later. */
export function askForRefund(provider: Provider, body: unknown): WireObject {
  const sent = refundBody(body, '');
  const { out_refund_no, amount } = sent;
  if (!/^[0-9A-Za-z_\-|*@]{1,64}$/.test(out_refund_no)) throw invalid('/out_refund_no', 'format');
  const asked = canonical(sent);
  const earlier = findRefund(provider, out_refund_no);
  if (earlier !== undefined) {
    if (earlier.asked !== asked) {
      throw refused('INVALID_REQUEST', '订单金额或退款金额与之前请求不一致，请核实后再试');
    }
    return wireRefund(provider, earlier);
  }
  const charge = chargeToRefund(provider, sent);
  if (amount.total !== charge.amount) throw refused('INVALID_REQUEST', '订单总金额不一致');
  const refund = createRefund(provider, {
    charge,
    outRefundNo: out_refund_no,
    asked,
    amount: amount.refund,
    reason: sent.reason ?? null,
    notifyUrl: sent.notify_url ?? null,
  });
  // The answer shows the refund as processing, because the bank settles it later.
  return refundObject({ ...refund, status: 'PROCESSING', settled: null }, charge);
}

/** Refunds a part or all of the remaining amount of a charge, with the planned outcome. */
export function createRefund(
  provider: Provider,
  input: {
    charge: ChargeRow;
    outRefundNo: string;
    asked: string | null;
    amount: number;
    reason: string | null;
    notifyUrl: string | null;
  },
): RefundRow {
  const { charge, amount } = input;
  const created = provider.clock.nowSeconds();
  if (created - charge.created > yearSeconds)
    throw refused('INVALID_REQUEST', '订单已超过退款期限');
  if (amount > charge.amount - charge.amount_refunded) {
    throw refused('INVALID_REQUEST', '申请退款金额大于订单可退金额');
  }
  if (refundsOf(provider, charge.id).length >= partsMax) {
    throw refused('INVALID_REQUEST', '已达到退款次数上限');
  }
  const refund = insert(provider, { ...input, created });
  // A pending refund takes up its amount, so the same money cannot be refunded twice.
  changeRefunded(provider, { chargeId: charge.id, by: amount });
  const next = provider.refundPlan.take(() => true)?.next ?? 'succeeded';
  if (next === 'pending') return refund;
  return settleRefund(provider, {
    outRefundNo: refund.out_refund_no,
    status: next === 'succeeded' ? 'SUCCESS' : 'ABNORMAL',
  });
}

/**
 * Settles a refund, as the bank would. An abnormal refund can still succeed or be closed, because
 * the merchant can handle it manually.
 */
export function settleRefund(
  provider: Provider,
  { outRefundNo, status }: { outRefundNo: string; status: Settled },
): RefundRow {
  const before = getRefund(provider, outRefundNo);
  const isOver = before.status === 'SUCCESS' || before.status === 'CLOSED';
  if (isOver || before.status === status) {
    throw refused('INVALID_REQUEST', `refund is ${before.status} and cannot become ${status}`);
  }
  const charge = chargeOf(provider, before);
  const settled = provider.clock.nowSeconds();
  provider.db.run(
    'update refunds set status = ?, settled = ? where id = ?',
    ...[status, settled, before.id],
  );
  if (status === 'SUCCESS') {
    const { id: subject, amount, currency } = before;
    bookFee(provider, { subject, amount: -amount, currency });
  }
  // Only a closed refund frees its amount for another refund.
  if (status === 'CLOSED') changeRefunded(provider, { chargeId: charge.id, by: -before.amount });
  const refund = { ...before, status, settled };
  if (refund.notify_url !== null) announce(provider, { refund, charge, url: refund.notify_url });
  return refund;
}

function findRefund(provider: Provider, outRefundNo: string): RefundRow | undefined {
  return provider.db.one(refundRow, 'select * from refunds where out_refund_no = ?', outRefundNo);
}

export function getRefund(provider: Provider, outRefundNo: string): RefundRow {
  const refund = findRefund(provider, outRefundNo);
  if (refund === undefined) throw refused('RESOURCE_NOT_EXISTS', '退款单不存在', 404);
  return refund;
}

export function wireRefund(provider: Provider, refund: RefundRow): WireObject {
  return refundObject(refund, chargeOf(provider, refund));
}

function chargeToRefund(
  provider: Provider,
  sent: { transaction_id?: string | undefined; out_trade_no?: string | undefined },
): ChargeRow {
  const { transaction_id, out_trade_no } = sent;
  if ((transaction_id === undefined) === (out_trade_no === undefined)) {
    throw invalid('/transaction_id', 'exactly one of transaction_id and out_trade_no');
  }
  const charge =
    transaction_id === undefined
      ? findChargeOfOrder(provider, out_trade_no ?? '')
      : findCharge(provider, transaction_id);
  if (charge === undefined) throw refused('RESOURCE_NOT_EXISTS', '订单不存在', 404);
  return charge;
}

function announce(
  provider: Provider,
  { refund, charge, url }: { refund: RefundRow; charge: ChargeRow; url: string },
): void {
  const kinds = {
    SUCCESS: { type: 'REFUND.SUCCESS', summary: '退款成功' },
    ABNORMAL: { type: 'REFUND.ABNORMAL', summary: '退款异常' },
    CLOSED: { type: 'REFUND.CLOSED', summary: '退款关闭' },
  } as const;
  if (refund.status === 'PROCESSING') return;
  recordEvent(provider, {
    ...kinds[refund.status],
    originalType: 'refund',
    url,
    resource: refundNews({ mchId: provider.settings.mchId, refund, charge }),
  });
}

function chargeOf(provider: Provider, refund: RefundRow): ChargeRow {
  const charge = findCharge(provider, refund.charge);
  if (charge === undefined) throw new Error(`charge ${refund.charge} does not exist`);
  return charge;
}

function refundsOf(provider: Provider, chargeId: string): RefundRow[] {
  return provider.db.all(refundRow, 'select * from refunds where charge = ? limit 100', chargeId);
}

function changeRefunded(provider: Provider, input: { chargeId: string; by: number }): void {
  provider.db.run(
    'update charges set amount_refunded = amount_refunded + ? where id = ?',
    input.by,
    input.chargeId,
  );
}

function insert(
  provider: Provider,
  input: Parameters<typeof createRefund>[1] & { created: number },
): RefundRow {
  const { charge, created, amount, asked, reason } = input;
  const { currency, payment_id } = charge;
  const id = newRefundId(created);
  const refund: RefundRow = {
    id,
    created,
    charge: charge.id,
    amount,
    currency,
    payment_id,
    asked,
    reason,
    status: 'PROCESSING',
    settled: null,
    out_refund_no: input.outRefundNo,
    notify_url: input.notifyUrl,
  };
  provider.db.insert('refunds', refund);
  return refund;
}
