import { Currency, type Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { Capabilities } from '../psp.ts';

/**
 * Stripe uses the same minor units as the shop. The minimums apply to an account that is paid out in the
 * charged currency. Otherwise the minimum applies after conversion, which only Stripe can check.
 */
export const currencies: Capabilities['currencies'] = {
  USD: { decimals: 2, minMinor: 50n },
  EUR: { decimals: 2, minMinor: 50n },
  HKD: { decimals: 2, minMinor: 400n },
  TWD: { decimals: 2 },
  THB: { decimals: 2, minMinor: 1_000n },
  CNY: { decimals: 2 },
  KRW: { decimals: 0 },
  JPY: { decimals: 0, minMinor: 50n },
  VND: { decimals: 0 },
};

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
