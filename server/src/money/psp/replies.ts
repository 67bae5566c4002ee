import type { Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';

// What every adapter says of a provider's replies.

/** Something that may or may not be known; `cause` is for the operator. */
export type Known<Value> = { outcome: 'ok'; value: Value } | Unknown;
export type Unknown = { outcome: 'unknown'; cause: string };

/** Why a reply is not what it should be, in one line and without its values. */
export function misshapen(what: string, error: z.ZodError): Unknown {
  const [first] = error.issues;
  const where = first === undefined ? '' : `: ${first.path.join('.')} ${first.message}`;
  return { outcome: 'unknown', cause: `a reply that is no ${what}${where}` };
}

export function isSameMoney(left: Money, right: Money): boolean {
  return left.amountMinor === right.amountMinor && left.currency === right.currency;
}

/** Whether an id at a provider is one that we gave; those that it gives itself look otherwise. */
export function isOurId(id: string): boolean {
  return z.uuid().safeParse(id).success;
}
