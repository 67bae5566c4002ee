import { Currency, type Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';

// The SDK takes any JSON without an `error` for success, a proxy's 404 page included, so nothing of
// a reply is believed before it has the form it should have.

export const Reference = z.object({
  accountId: z.uuid(),
  paymentId: z.uuid(),
  attemptId: z.uuid(),
});

/** What we call a capture is Stripe's payment intent: a page that is paid has exactly one. */
export const CaptureId = z.string().startsWith('pi_');

/** Stripe counts in the smallest units that we count in. */
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

/** Stripe's words as ours. One that is not among them makes the reply unreadable, never a guess. */
export function oneOf<Word extends string, Ours>(words: Record<Word, Ours>) {
  const known = Object.keys(words) as [Word, ...Word[]]; // as: keys() forgets its keys
  return z.enum(known).transform((word) => words[word]);
}
