import { missing } from './failure.ts';
import { chargeObject, type WireObject } from './objects.ts';
import type { Provider } from './provider.ts';
import { type ChargeRow, chargeRow, type IntentRow, intentRow } from './rows.ts';

export function findIntent(provider: Provider, id: string): IntentRow | undefined {
  return provider.db.one(intentRow, 'select * from payment_intents where id = ?', id);
}

export function getIntent(provider: Provider, id: string): IntentRow {
  const row = findIntent(provider, id);
  if (row === undefined) throw missing({ kind: 'payment_intent', id, param: 'intent' });
  return row;
}

export function findCharge(provider: Provider, id: string): ChargeRow | undefined {
  return provider.db.one(chargeRow, 'select * from charges where id = ?', id);
}

export function findChargeOfIntent(provider: Provider, intentId: string): ChargeRow | undefined {
  return provider.db.one(chargeRow, 'select * from charges where payment_intent = ?', intentId);
}

/** The value of `latest_charge`: an id, the expanded charge, or null. */
export function chargeOfIntent(
  provider: Provider,
  input: { intentId: string; expand: boolean },
): string | WireObject | null {
  const row = findChargeOfIntent(provider, input.intentId);
  if (row === undefined) return null;
  return input.expand ? chargeObject(row) : row.id;
}
