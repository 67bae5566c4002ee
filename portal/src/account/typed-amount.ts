import { type CurrencyCode, currencyDecimals } from '@pointgate/contract/money.ts';

// A budget of more digits than this is none.
const wholeDigitsMax = 12;

/**
 * What a player typed, in the currency's smallest unit; `null` if it cannot be told. Both `1.50` and
 * `1,50` are one and a half, but what could be a thousand to one reader and one to another is refused
 * rather than guessed.
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

/** `1,234,567` without its commas: groups of three after one sign, which is not the decimal one. */
function withoutGroups(whole: string, decimal: string): string | null {
  if (/^\d+$/.test(whole)) return whole;
  const [, sign] = /^\d{1,3}([.,])\d{3}(?:\1\d{3})*$/.exec(whole) ?? [];
  return sign === undefined || sign === decimal ? null : whole.replaceAll(sign, '');
}

function decimalSign(locale: string): string {
  const parts = new Intl.NumberFormat(locale).formatToParts(1.5);
  return parts.find(({ type }) => type === 'decimal')?.value ?? '.';
}
