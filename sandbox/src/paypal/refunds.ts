import { getCapture } from './captures.ts';
import { findChargeback } from './disputes.ts';
import { recordEvent } from './events.ts';
import { missing, unprocessable } from './failure.ts';
import { newId } from './ids.ts';
import { displayAmount } from './money.ts';
import { book } from './movements.ts';
import { refundObject } from './objects.ts';
import { readMoney, recordAt, textAt } from './payment-params.ts';
import type { Provider } from './provider.ts';
import { type CaptureRow, type RefundRow, refundRow } from './rows.ts';

type RefundInput = {
  /** Null stands for the whole remaining amount. */
  amount: number | null;
  customId: string | null;
  invoiceId: string | null;
  note: string | null;
};

export function readRefund(body: unknown, capture: CaptureRow): RefundInput {
  const sent = recordAt(body, '');
  const money = sent.amount === undefined ? null : readMoney(sent.amount, '/amount');
  if (money !== null && money.currency !== capture.currency) {
    throw unprocessable(
      'REFUND_CAPTURE_CURRENCY_MISMATCH',
      'Refund must be in the same currency as the capture. Verify the currency of the refund and try again.',
    );
  }
  return {
    amount: money?.amount ?? null,
    customId: textAt(sent, 'custom_id', 127),
    invoiceId: textAt(sent, 'invoice_id', 127),
    note: textAt(sent, 'note_to_payer', 255),
  };
}

/** Refunds a part or all of the remaining amount of a capture, with the planned outcome. */
export function createRefund(
  provider: Provider,
  capture: CaptureRow,
  input: RefundInput,
): RefundRow {
  const amount = amountToRefund(provider, capture, input.amount);
  const next = provider.refundPlan.take(() => true)?.next ?? 'succeeded';
  const status = next === 'succeeded' ? 'COMPLETED' : next === 'pending' ? 'PENDING' : 'FAILED';
  const refund: RefundRow = {
    id: newId(),
    created: provider.clock.nowSeconds(),
    updated: provider.clock.nowSeconds(),
    capture: capture.id,
    amount,
    currency: capture.currency,
    status,
    custom_id: input.customId,
    invoice_id: input.invoiceId,
    note: input.note,
    payment_id: capture.payment_id,
  };
  provider.db.insert('refunds', refund);
  // A pending refund takes up its amount, so the same money cannot be refunded twice.
  if (status !== 'FAILED') changeRefunded(provider, capture.id, amount);
  if (status === 'COMPLETED') bookRefund(provider, refund);
  announceRefund(provider, refund);
  return getRefund(provider, refund.id);
}

/** Settles a pending refund, as the bank would. */
export function settleRefund(
  provider: Provider,
  input: { id: string; status: 'succeeded' | 'failed' },
): RefundRow {
  const before = getRefund(provider, input.id);
  if (before.status !== 'PENDING') {
    throw unprocessable('REFUND_NOT_PENDING', `Refund ${before.id} is ${before.status}.`);
  }
  const status = input.status === 'succeeded' ? 'COMPLETED' : 'FAILED';
  provider.db.run(
    'update refunds set status = ?, updated = ? where id = ?',
    status,
    provider.clock.nowSeconds(),
    before.id,
  );
  if (status === 'COMPLETED') bookRefund(provider, before);
  else changeRefunded(provider, before.capture, -before.amount);
  const after = getRefund(provider, before.id);
  announceRefund(provider, after);
  return after;
}

export function getRefund(provider: Provider, id: string): RefundRow {
  const row = provider.db.one(refundRow, 'select * from refunds where id = ?', id);
  if (row === undefined) throw missing();
  return row;
}

function amountToRefund(provider: Provider, capture: CaptureRow, wanted: number | null): number {
  if (capture.status === 'PENDING' || capture.status === 'DECLINED') {
    throw unprocessable(
      'REFUND_NOT_ALLOWED',
      'A refund cannot be issued for a capture that is not completed.',
    );
  }
  const left = capture.amount - capture.amount_refunded;
  if (left === 0) {
    throw unprocessable('CAPTURE_FULLY_REFUNDED', 'The capture has already been fully refunded.');
  }
  if (findChargeback(provider, capture.id) !== undefined) {
    throw unprocessable(
      'REFUND_NOT_PERMITTED_DUE_TO_CHARGEBACK',
      'Refunds not allowed on this capture due to a chargeback on the card or bank.',
    );
  }
  const amount = wanted ?? left;
  if (amount > left) {
    throw unprocessable(
      'REFUND_AMOUNT_EXCEEDED',
      'The refund amount must be less than or equal to the capture amount that has not yet been refunded.',
      '/amount/value',
    );
  }
  return amount;
}

function changeRefunded(provider: Provider, captureId: string, by: number): void {
  const { amount, amount_refunded } = getCapture(provider, captureId);
  const refunded = amount_refunded + by;
  const partial = refunded === 0 ? 'COMPLETED' : 'PARTIALLY_REFUNDED';
  provider.db.run(
    'update charges set amount_refunded = ?, status = ?, updated = ? where id = ?',
    refunded,
    refunded === amount ? 'REFUNDED' : partial,
    provider.clock.nowSeconds(),
    captureId,
  );
}

function bookRefund(provider: Provider, refund: RefundRow): void {
  book(provider, 'T1107', {
    id: refund.id,
    amount: -refund.amount,
    currency: refund.currency,
    reference: refund.capture,
    customField: refund.custom_id,
    invoiceId: refund.invoice_id,
  });
}

const refundEvents = {
  COMPLETED: 'PAYMENT.CAPTURE.REFUNDED',
  PENDING: 'PAYMENT.REFUND.PENDING',
  FAILED: 'PAYMENT.REFUND.FAILED',
} as const;

function announceRefund(provider: Provider, refund: RefundRow): void {
  const total = `${displayAmount(refund.amount, refund.currency)} ${refund.currency}`;
  recordEvent(provider, {
    type: refundEvents[refund.status],
    resourceType: 'refund',
    summary: `A ${total} capture payment was refunded`,
    resource: refundObject(refund),
  });
}
