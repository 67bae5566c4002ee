import { invalid, missing, refused } from './failure.ts';
import type { Form } from './form.ts';
import { findCharge, findChargeOfIntent, getIntent } from './intents.ts';
import {
  metadata,
  optionalText,
  optionalWhole,
  optionalWord,
  type Params,
  refuseUnknown,
} from './params.ts';
import type { Provider } from './provider.ts';
import type { RefundInput } from './refunds.ts';
import type { ChargeRow } from './rows.ts';

/** Reads the parameters of a refund; throws the provider's error if one is invalid. */
export function readRefundParams(provider: Provider, form: Form): Omit<RefundInput, 'asker'> {
  const params: Params = { form, at: '' };
  refuseUnknown(params, ['amount', 'charge', 'expand', 'metadata', 'payment_intent', 'reason']);
  const amount = optionalWhole(params, 'amount');
  if (amount !== null && amount < 1) {
    throw invalid('Invalid positive integer', 'amount', 'parameter_invalid_integer');
  }
  return {
    amount,
    reason: optionalWord(params, 'reason', ['duplicate', 'fraudulent', 'requested_by_customer']),
    metadata: metadata(params, 'metadata'),
    charge: chargeNamedBy(provider, params),
  };
}

export function chargeToRefund(provider: Provider, intentId: string): ChargeRow {
  const intent = getIntent(provider, intentId);
  const charge = findChargeOfIntent(provider, intent.id);
  if (charge !== undefined) return charge;
  throw refused(`This PaymentIntent (${intent.id}) does not have a successful charge to refund.`, {
    param: 'payment_intent',
  });
}

function chargeNamedBy(provider: Provider, params: Params): ChargeRow {
  const chargeId = optionalText(params, 'charge', 200);
  const intentId = optionalText(params, 'payment_intent', 200);
  if (intentId !== null) return chargeToRefund(provider, intentId);
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
