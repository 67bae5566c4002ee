import { type CurrencyCode, currencyDecimals } from '@pointgate/contract/money.ts';

/**
 * Reads `"4.99"` USD as `499n`. `undefined` if the text is not a plain decimal number or is finer than
 * the smallest unit of the currency.
 */
export function readDecimalAmount(text: string, currency: CurrencyCode): bigint | undefined {
  return readDecimals(text, currencyDecimals[currency]);
}

/** The same for a number of decimals instead of a currency. */
export function readDecimals(text: string, decimals: number): bigint | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const smaller = fraction.slice(decimals);
  if (/[^0]/.test(smaller)) return undefined;
  const digits = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return sign === '-' ? -digits : digits;
}
