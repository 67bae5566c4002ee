import { anything, object, optional, text } from '../platform/shape.ts';
import { recordEvent } from './events.ts';
import { AdyenFailure, invalid } from './failure.ts';
import { newPspReference } from './ids.ts';
import { book } from './movements.ts';
import { findCharge } from './paying.ts';
import { amountReader, checkAccount, checkAmount, checkReference } from './payment-params.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, type RefundRow, refundRow } from './rows.ts';

const refundBody = object({
  merchantAccount: optional(text),
  amount: optional(amountReader),
  reference: optional(text),
  merchantRefundReason: optional(text),
  applicationInfo: optional(anything),
});

/** Accepts a refund request. Only a notification tells its outcome. */
export function askForRefund(provider: Provider, paymentPspReference: string, body: unknown) {
  const sent = refundBody(body, 'refund');
  checkAccount(provider, sent.merchantAccount);
  const amount = checkAmount(sent.amount);
  const charge = findCharge(provider, paymentPspReference);
  if (charge === undefined) {
    throw invalid('167', 'Original pspReference required for this operation');
  }
  const refund = createRefund(provider, {
    charge,
    amount: amount.value,
    currency: amount.currency,
    reference: checkReference(sent.reference),
    reason: sent.merchantRefundReason ?? null,
  });
  return {
    merchantAccount: provider.settings.merchantAccount,
    paymentPspReference,
    pspReference: refund.id,
    reference: refund.reference,
    status: 'received',
    amount: { currency: amount.currency, value: amount.value },
    ...(refund.reason === null ? {} : { merchantRefundReason: refund.reason }),
  };
}

/** Writes the requested refund. One above the remaining amount is accepted and fails later. */
export function createRefund(
  provider: Provider,
  input: {
    charge: ChargeRow;
    amount: number;
    currency: string;
    reference: string | null;
    reason: string | null;
  },
): RefundRow {
  const { charge, ...asked } = input;
  const { payment_id } = charge;
  const base = {
    id: newPspReference(),
    created: provider.clock.nowSeconds(),
    charge: charge.id,
    ...asked,
    payment_id,
  };
  const refund: RefundRow = {
    ...base,
    status: 'received',
  };
  provider.db.insert('refunds', refund);
  const left = charge.amount - charge.amount_refunded;
  if (asked.amount > left || asked.currency !== charge.currency) {
    return settleRefund(provider, { id: refund.id, status: 'failed', isTooMuch: true });
  }
  // A pending refund takes up its amount, so the same money cannot be refunded twice.
  changeRefunded(provider, { chargeId: charge.id, by: refund.amount });
  const next = provider.refundPlan.take(() => true)?.next ?? 'succeeded';
  if (next === 'pending') return refund;
  return settleRefund(provider, { id: refund.id, status: next });
}

/** Settles a refund. The payer's bank can still return a succeeded one later. */
export function settleRefund(
  provider: Provider,
  input: { id: string; status: 'succeeded' | 'failed'; isTooMuch?: boolean },
): RefundRow {
  const { id, status, isTooMuch = false } = input;
  const before = getRefund(provider, id);
  const charge = findCharge(provider, before.charge);
  if (charge === undefined) throw new Error(`charge ${before.charge} does not exist`);
  const isBouncing = before.status === 'refunded' && status === 'failed';
  if (before.status !== 'received' && !isBouncing) {
    throw invalid('168', `refund ${id} is ${before.status} and cannot have ${status}`);
  }
  const after: RefundRow = {
    ...before,
    status: status === 'succeeded' ? 'refunded' : 'failed',
  };
  provider.db.run('update refunds set status = ? where id = ?', ...[after.status, before.id]);
  if (status === 'failed' && !isTooMuch) {
    changeRefunded(provider, { chargeId: charge.id, by: -before.amount });
  }
  if (status === 'succeeded' || isBouncing) move(provider, after, charge);
  announce(provider, { refund: after, charge, isBouncing });
  return after;
}

function getRefund(provider: Provider, id: string): RefundRow {
  const refund = provider.db.one(
    refundRow,
    'select * from refunds where id = ?1 or reference = ?1',
    id,
  );
  if (refund === undefined) {
    throw new AdyenFailure({
      status: 404,
      errorCode: '169',
      message: 'no such refund',
      errorType: 'validation',
    });
  }
  return refund;
}

function move(provider: Provider, refund: RefundRow, charge: ChargeRow): void {
  const isBack = refund.status === 'failed';
  book(provider, {
    type: isBack ? 'RefundedReversed' : 'Refunded',
    charge,
    modification: refund.id,
    modificationReference: refund.reference,
    amount: isBack ? refund.amount : -refund.amount,
  });
}

function announce(
  provider: Provider,
  input: { refund: RefundRow; charge: ChargeRow; isBouncing: boolean },
): void {
  const { refund, charge, isBouncing } = input;
  const isDone = refund.status === 'refunded';
  recordEvent(provider, {
    type: isBouncing ? 'REFUND_FAILED' : 'REFUND',
    pspReference: refund.id,
    originalReference: charge.id,
    merchantReference: refund.reference ?? charge.reference,
    amount: refund.amount,
    currency: refund.currency,
    isSuccess: isDone || isBouncing,
    ...(isDone ? {} : { reason: 'Insufficient balance on payment' }),
  });
}

function changeRefunded(provider: Provider, input: { chargeId: string; by: number }): void {
  provider.db.run(
    'update charges set amount_refunded = amount_refunded + ? where id = ?',
    input.by,
    input.chargeId,
  );
}
