import { type CurrencyCode, currencyDecimals } from '@pointgate/contract/money.ts';

/**
 * `"4.99"` USD is `499n`: exact, or nothing where the text is no plain decimal number or says more
 * than the currency's smallest unit can hold.
 */
export function readDecimalAmount(text: string, currency: CurrencyCode): bigint | undefined {
  return readDecimals(text, currencyDecimals[currency]);
}

/** The same in a currency of so many decimals. */
export function readDecimals(text: string, decimals: number): bigint | undefined {
  const [, sign, whole, fraction = ''] = /^(-?)(\d{1,15})(?:\.(\d+))?$/.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const smaller = fraction.slice(decimals);
  if (/[^0]/.test(smaller)) return undefined;
  const digits = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  return sign === '-' ? -digits : digits;
}
