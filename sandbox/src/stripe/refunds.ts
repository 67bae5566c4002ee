import { recordEvent } from './events.ts';
import { invalid, missing, refused } from './failure.ts';
import type { Form } from './form.ts';
import { newId } from './ids.ts';
import { displayAmount } from './money.ts';
import { chargeObject, refundObject } from './objects.ts';
import {
  metadata,
  optionalText,
  optionalWhole,
  optionalWord,
  type Params,
  refuseUnknown,
} from './params.ts';
import { findCharge, findChargeOfIntent, getIntent } from './payments.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, type RefundRow, refundRow } from './rows.ts';
import type { Asker } from './sessions.ts';

/** Gives back a part or all that is left of a charge; never more. */
export function createRefund(provider: Provider, input: { form: Form; asker: Asker }): RefundRow {
  const params: Params = { form: input.form, at: '' };
  refuseUnknown(params, ['amount', 'charge', 'expand', 'metadata', 'payment_intent', 'reason']);
  const reason = optionalWord(params, 'reason', [
    'duplicate',
    'fraudulent',
    'requested_by_customer',
  ]);
  const given = metadata(params, 'metadata');
  const wanted = optionalWhole(params, 'amount');
  if (wanted !== null && wanted < 1) {
    throw invalid('Invalid positive integer', 'amount', 'parameter_invalid_integer');
  }

  const charge = chargeToRefund(provider, params);
  const left = charge.amount - charge.amount_refunded;
  if (left === 0) {
    throw refused(`Charge ${charge.id} has already been refunded.`, {
      code: 'charge_already_refunded',
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

  const refund: RefundRow = {
    id: newId('re_'),
    created: provider.clock.nowSeconds(),
    charge: charge.id,
    payment_intent: charge.payment_intent,
    amount,
    currency: charge.currency,
    reason,
    metadata: given,
  };
  write(provider, refund);
  recordEvent(provider, {
    type: 'refund.created',
    object: refundObject(refund),
    request: input.asker,
  });
  recordEvent(provider, {
    type: 'charge.refunded',
    object: chargeObject({ ...charge, amount_refunded: charge.amount_refunded + amount }),
    request: input.asker,
  });
  return refund;
}

export function getRefund(provider: Provider, id: string): RefundRow {
  const row = provider.db.one(refundRow, 'select * from refunds where id = ?', id);
  if (row === undefined) throw missing({ kind: 'refund', id, param: 'refund' });
  return row;
}

function chargeToRefund(provider: Provider, params: Params): ChargeRow {
  const chargeId = optionalText(params, 'charge', 200);
  const intentId = optionalText(params, 'payment_intent', 200);
  if (intentId !== null) {
    const intent = getIntent(provider, intentId);
    const charge = findChargeOfIntent(provider, intent.id);
    if (charge !== undefined) return charge;
    throw refused(
      `This PaymentIntent (${intent.id}) does not have a successful charge to refund.`,
      {
        param: 'payment_intent',
      },
    );
  }
  if (chargeId === null) {
    throw invalid(
      'One of the following params should be provided for this request: payment_intent or charge.',
      'payment_intent',
      'parameter_missing',
    );
  }
  const charge = findCharge(provider, chargeId);
  if (charge === undefined) throw missing({ kind: 'charge', id: chargeId, param: 'charge' });
  return charge;
}

function write(provider: Provider, refund: RefundRow): void {
  provider.db.run(
    `insert into refunds (id, created, charge, payment_intent, amount, currency, reason, metadata)
     values (?, ?, ?, ?, ?, ?, ?, ?)`,
    refund.id,
    refund.created,
    refund.charge,
    refund.payment_intent,
    refund.amount,
    refund.currency,
    refund.reason,
    JSON.stringify(refund.metadata),
  );
  provider.db.run(
    'update charges set amount_refunded = amount_refunded + ? where id = ?',
    refund.amount,
    refund.charge,
  );
}
