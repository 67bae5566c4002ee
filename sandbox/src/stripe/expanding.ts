import type { Form } from './form.ts';
import { findCharge, findChargeOfIntent, findIntent } from './intents.ts';
import { balanceObject, findBalance } from './movements.ts';
import { chargeObject, intentObject, type WireObject } from './objects.ts';
import { expansions } from './params.ts';
import type { Provider } from './provider.ts';

/** The fields of charges, refunds and disputes that can be expanded. */
type Expandable = 'charge' | 'payment_intent' | 'balance_transaction';

/**
 * Reads the requested expansions; answers a function that applies them. `at` is `data.` in a list.
 */
export function readExpanding(
  provider: Provider,
  input: { form: Form; possible: readonly Expandable[]; at: '' | 'data.' },
): (object: WireObject) => WireObject {
  const { form, possible, at } = input;
  const wanted = expansions(
    form,
    possible.map((key) => at + key),
  );
  const keys = possible.filter((key) => wanted.has(at + key));
  return (object) => ({
    ...object,
    ...Object.fromEntries(keys.map((key) => [key, wholeOf(provider, key, object[key])])),
  });
}

function wholeOf(provider: Provider, key: Expandable, id: unknown): WireObject | null {
  if (typeof id !== 'string') return null;
  if (key === 'charge') {
    const charge = findCharge(provider, id);
    return charge === undefined ? null : chargeObject(charge);
  }
  if (key === 'payment_intent') {
    const intent = findIntent(provider, id);
    const charge = findChargeOfIntent(provider, id);
    return intent === undefined ? null : intentObject(intent, charge?.id ?? null);
  }
  const line = findBalance(provider, id);
  return line === undefined ? null : balanceObject(line);
}
