import * as z from 'zod/mini';

/** The currencies the shop can price in, with the decimals ISO 4217 gives them. */
export const currencyDecimals = {
  CNY: 2,
  EUR: 2,
  HKD: 2,
  JPY: 0,
  KRW: 0,
  THB: 2,
  TWD: 2,
  USD: 2,
  VND: 0,
} as const;

export type CurrencyCode = keyof typeof currencyDecimals;

export const Currency = z.enum(
  Object.keys(currencyDecimals) as [CurrencyCode, ...CurrencyCode[]], // as: keys() forgets its keys
);

/** The shop's virtual currency, used in place of a currency code; it is not money. */
export const pointsUnit = 'EPOINT' as const; // as: else an object made of it forgets which text it is

/** The unit of an order's price. */
export const PriceUnit = z.enum({ ...Currency.def.entries, [pointsUnit]: pointsUnit });
export type PriceUnit = z.output<typeof PriceUnit>;

/**
 * A whole number of a currency's smallest unit, or of points: `bigint` in memory, a decimal string
 * on the wire, because a JSON number loses digits.
 */
export const Amount = z.codec(
  z.string().check(z.regex(/^(0|-?[1-9]\d{0,17})$/, 'not a whole number')),
  z.bigint(),
  { decode: (digits) => BigInt(digits), encode: (amount) => amount.toString() },
);

export const Money = z.strictObject({ amountMinor: Amount, currency: Currency });
export type Money = z.output<typeof Money>;

/** Money or points. Amounts of different units are never added. */
export const Price = z.strictObject({ amountMinor: Amount, currency: PriceUnit });
export type Price = z.output<typeof Price>;

/** `499n USD` is `"4.99"`: exact, for display through Intl and for providers that want decimals. */
export function toDecimalString({ amountMinor, currency }: Money): string {
  const decimals = currencyDecimals[currency];
  if (decimals === 0) return amountMinor.toString();
  const sign = amountMinor < 0n ? '-' : '';
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor)
    .toString()
    .padStart(decimals + 1, '0');
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** For JSON that requires a number; throws if the conversion would not be exact. */
export function toSafeNumber(amount: bigint): number {
  const number = Number(amount);
  if (!Number.isSafeInteger(number)) throw new Error(`${amount} does not fit a JSON number`);
  return number;
}
