const withoutDecimals = new Set(
  'CVE DJF GNF IDR JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);
const withThreeDecimals = new Set(['BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND']);
const known = new Set(Intl.supportedValuesOf('currency'));

/** Reads an upper-case ISO 4217 currency code. */
export function isCurrency(code: string): boolean {
  return known.has(code);
}

/** `$4.99`, `¥500`: what the payer reads. The amount is in the provider's smallest unit. */
export function displayAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount / 10 ** decimals);
}

/** `4.99`: the same amount in the major unit, exactly, as reports show it. */
export function majorAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  if (decimals === 0) return String(amount);
  const digits = String(amount).padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** The decimals of a currency at this provider, which differ from ISO 4217 for some currencies. */
function decimalsOf(currency: string): number {
  if (withoutDecimals.has(currency)) return 0;
  return withThreeDecimals.has(currency) ? 3 : 2;
}
