import { Currency, type Money, toSafeNumber } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { Capabilities } from '../psp.ts';

/** Currencies whose decimals at Adyen match ISO 4217. Some others, such as CLP and ISK, do not match. */
export const currencies: Capabilities['currencies'] = {
  USD: { decimals: 2 },
  EUR: { decimals: 2 },
  HKD: { decimals: 2 },
  TWD: { decimals: 2 },
  THB: { decimals: 2 },
  CNY: { decimals: 2 },
  KRW: { decimals: 0 },
  JPY: { decimals: 0 },
  VND: { decimals: 0 },
};

/** Throws on an unsupported currency, which the price list should not contain. */
export function wireMoney({ amountMinor, currency }: Money): { value: number; currency: string } {
  if (currencies[currency] === undefined) throw new Error(`Adyen does not take ${currency}`);
  return { value: toSafeNumber(amountMinor), currency };
}

export const WireMoney = z
  .object({ value: z.int().positive(), currency: Currency })
  .transform(({ value, currency }): Money => ({ amountMinor: BigInt(value), currency }));
