import { type CurrencyCode, currencyDecimals } from '@pointgate/contract/money.ts';

// An amount with more digits is rejected.
const wholeDigitsMax = 12;

/**
 * Parses a typed amount to minor units; `null` if it is malformed or ambiguous. Both `1.50` and
 * `1,50` are one and a half, but an amount whose separator could mean thousands or decimals is
 * rejected.
 */
export function toMinor(
  typed: string,
  { currency, locale }: { currency: CurrencyCode; locale: string },
): bigint | null {
  // Full-width digits, as East Asian keyboards type them, become plain ones.
  const text = typed.normalize('NFKC').replaceAll(/[\s'’]/g, '');
  const decimals = currencyDecimals[currency];
  const [, whole, fraction = ''] = /^(\d[\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(text) ?? [];
  if (whole === undefined || fraction.length > decimals) return null;
  const digits = withoutGroups(whole, decimalSign(locale));
  if (digits === null || digits.length > wholeDigitsMax) return null;
  return BigInt(digits + fraction.padEnd(decimals, '0'));
}

/** Removes the group separators of `1,234,567`, unless the separator is the decimal sign. */
function withoutGroups(whole: string, decimal: string): string | null {
  if (/^\d+$/.test(whole)) return whole;
  const [, sign] = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.exec(whole) ?? [];
  return sign === undefined || sign === decimal ? null : whole.replaceAll(sign, '');
}

function decimalSign(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}
