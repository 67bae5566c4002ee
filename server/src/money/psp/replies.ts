import type { Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';

// Results that every adapter makes from a provider's replies.

/** A value that may be unknown; `cause` is for the operator. */
export type Known<Value> = { outcome: 'ok'; value: Value } | Unknown;
export type Unknown = { outcome: 'unknown'; cause: string };

/** Describes a schema error in one line, without the values of the reply. */
export function misshapen(what: string, error: z.ZodError): Unknown {
  const [first] = error.issues;
  const where = first === undefined ? '' : `: ${first.path.join('.')} ${first.message}`;
  return { outcome: 'unknown', cause: `a malformed reply instead of a ${what}${where}` };
}

export function isSameMoney(left: Money, right: Money): boolean {
  return left.amountMinor === right.amountMinor && left.currency === right.currency;
}

/** Whether an id at a provider was made by the shop; the provider's own ids have another form. */
export function isOurId(id: string): boolean {
  return z.uuid().safeParse(id).success;
}

/** `undefined` if the text is not JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Maps a provider's values to the shop's. An unknown value fails to parse instead of being guessed. */
export function oneOf<Word extends string, Ours>(words: Record<Word, Ours>) {
  const known = Object.keys(words) as [Word, ...Word[]]; // as: keys() forgets its keys
  return z.enum(known).transform((word) => words[word]);
}
