import { Currency, type Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';

// The SDK treats any JSON without an `error` as success, even a proxy's 404, so every reply is validated
// before use.

export const Reference = z.object({
  accountId: z.uuid(),
  paymentId: z.uuid(),
  attemptId: z.uuid(),
});

/** A capture is Stripe's payment intent: a paid session has exactly one. */
export const CaptureId = z.string().startsWith('pi_');

/** Stripe uses the same minor units as the shop. */
export const wireMoney = {
  amount: z.int().nonnegative(),
  currency: z.string().toUpperCase().pipe(Currency),
};

export function moneyOf({
  amount,
  currency,
}: {
  amount: number;
  currency: Money['currency'];
}): Money {
  return { amountMinor: BigInt(amount), currency };
}

/** Maps Stripe's values to the shop's. An unknown value fails to parse instead of being guessed. */
export function oneOf<Word extends string, Ours>(words: Record<Word, Ours>) {
  const known = Object.keys(words) as [Word, ...Word[]]; // as: keys() forgets its keys
  return z.enum(known).transform((word) => words[word]);
}
