import { findOpenOrLostDispute } from './disputes.ts';
import { recordEvent } from './events.ts';
import { missing, refused } from './failure.ts';
import { newId } from './ids.ts';
import { findCharge } from './intents.ts';
import { displayAmount } from './money.ts';
import { book } from './movements.ts';
import { chargeObject, refundObject } from './objects.ts';
import type { Asker } from './payments.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, type RefundRow, refundRow } from './rows.ts';

export type RefundInput = {
  charge: ChargeRow;
  /** Null stands for the whole remaining amount. */
  amount: number | null;
  reason: string | null;
  metadata: Record<string, string>;
  asker: Asker;
};

/** Refunds a part or all of the remaining amount of a charge, with the planned outcome. */
export function createRefund(provider: Provider, input: RefundInput): RefundRow {
  const { charge, reason, metadata, asker } = input;
  const amount = amountToRefund(provider, input);
  const status = provider.refundPlan.take(() => true)?.next ?? 'succeeded';
  const id = newId('re_');
  const { payment_intent, payment_id, currency } = charge;
  const isDone = status === 'succeeded';
  const refund: RefundRow = {
    id,
    created: provider.clock.nowSeconds(),
    charge: charge.id,
    payment_intent,
    amount,
    currency,
    reason,
    metadata,
    status,
    failure_reason: status === 'failed' ? failureReason : null,
    balance_transaction: isDone ? bookRefund(provider, { id, charge, amount }) : null,
    failure_balance_transaction: null,
    payment_id,
  };
  insert(provider, refund);
  // A pending refund takes up its amount, so the same money cannot be refunded twice.
  if (status !== 'failed') changeRefunded(provider, { chargeId: charge.id, by: amount });

  const object = refundObject(refund);
  recordEvent(provider, { type: 'refund.created', object, request: asker });
  if (isDone) announceRefunded(provider, { before: charge, asker });
  if (status === 'failed') recordEvent(provider, { type: 'refund.failed', object, request: asker });
  return refund;
}

/**
 * Settles a refund, as the bank would. A pending one succeeds or fails; a succeeded one can still
 * fail weeks later, which returns the money to the balance.
 */
export function settleRefund(
  provider: Provider,
  input: { id: string; status: 'succeeded' | 'failed' },
): RefundRow {
  const before = getRefund(provider, input.id);
  const charge = findCharge(provider, before.charge);
  if (charge === undefined) throw new Error(`charge ${before.charge} does not exist`);
  if (before.status === 'failed' || before.status === input.status) {
    throw refused(`Refund ${before.id} is ${before.status} and cannot become ${input.status}.`, {});
  }

  if (input.status === 'succeeded') succeed(provider, before, charge);
  else fail(provider, before, charge);
  const after = getRefund(provider, before.id);
  recordEvent(provider, {
    type: 'refund.updated',
    object: refundObject(after),
    previous: { status: before.status },
    request: null,
  });
  if (after.status === 'succeeded') announceRefunded(provider, { before: charge, asker: null });
  else recordEvent(provider, { type: 'refund.failed', object: refundObject(after), request: null });
  return after;
}

export function getRefund(provider: Provider, id: string): RefundRow {
  const row = provider.db.one(refundRow, 'select * from refunds where id = ?', id);
  if (row === undefined) throw missing({ kind: 'refund', id, param: 'refund' });
  return row;
}

const failureReason = 'expired_or_canceled_card';

function amountToRefund(provider: Provider, { charge, amount: wanted }: RefundInput): number {
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    throw refused(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
    });
  }
  if (findOpenOrLostDispute(provider, charge.id) !== undefined) {
    throw refused(`Charge ${charge.id} has been charged back; cannot issue a refund.`, {
      code: 'charge_disputed',
    });
  }
  const amount = wanted ?? left;
  if (amount > left) {
    const [asked, rest] = [amount, left].map((sum) => displayAmount(sum, charge.currency));
    throw refused(
      `Refund amount (${asked}) is greater than unrefunded amount on charge (${rest})`,
      { param: 'amount' },
    );
  }
  return amount;
}

function succeed(provider: Provider, refund: RefundRow, charge: ChargeRow): void {
  provider.db.run(
    "update refunds set status = 'succeeded', balance_transaction = ? where id = ?",
    bookRefund(provider, { id: refund.id, charge, amount: refund.amount }),
    refund.id,
  );
}

function fail(provider: Provider, refund: RefundRow, charge: ChargeRow): void {
  const { id, amount, currency } = refund;
  // A pending refund has not left the balance, so its failure moves no money.
  const back =
    refund.status === 'pending'
      ? null
      : book(provider, 'refund_failure', { amount, currency, source: id, charge: charge.id });
  provider.db.run(
    `update refunds set status = 'failed', failure_reason = ?, failure_balance_transaction = ?
     where id = ?`,
    failureReason,
    back,
    id,
  );
  changeRefunded(provider, { chargeId: charge.id, by: -amount });
}

function bookRefund(
  provider: Provider,
  input: { id: string; charge: ChargeRow; amount: number },
): string {
  const { id, charge, amount } = input;
  const { currency } = charge;
  return book(provider, 'refund', { amount: -amount, currency, source: id, charge: charge.id });
}

function changeRefunded(provider: Provider, input: { chargeId: string; by: number }): void {
  provider.db.run(
    'update charges set amount_refunded = amount_refunded + ? where id = ?',
    input.by,
    input.chargeId,
  );
}

function announceRefunded(
  provider: Provider,
  { before, asker }: { before: ChargeRow; asker: Asker },
): void {
  const after = findCharge(provider, before.id);
  if (after === undefined) throw new Error(`charge ${before.id} does not exist`);
  recordEvent(provider, {
    type: 'charge.refunded',
    object: chargeObject(after),
    ...(after.amount_refunded === before.amount_refunded
      ? {}
      : { previous: { amount_refunded: before.amount_refunded } }),
    request: asker,
  });
}

function insert(provider: Provider, refund: RefundRow): void {
  const values = { ...refund, metadata: JSON.stringify(refund.metadata) };
  provider.db.insert('refunds', values);
}
