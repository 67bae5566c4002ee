const withoutDecimals = new Set(
  'bif clp djf gnf jpy kmf krw mga pyg rwf ugx vnd vuv xaf xof xpf'.split(' '),
);
const withThreeDecimals = new Set(['bhd', 'jod', 'kwd', 'omr', 'tnd']);

/** `$4.99`, `¥500`: what the payer reads. The amount is in the provider's smallest unit. */
export function displayAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency: currency.toUpperCase(),
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(amount / 10 ** decimals);
}

/** `4.99`, `-500`, `0.001`: the same amount in the major unit, exactly. */
export function majorAmount(amount: number, currency: string): string {
  const decimals = decimalsOf(currency);
  if (decimals === 0) return String(amount);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const sign = amount < 0 ? '-' : '';
  return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/** Reads an ISO 4217 currency code. */
export function isCurrency(code: string): boolean {
  return currencies.has(code.toUpperCase());
}

/** The minimum amount of a charge by its currency; 1 where Stripe documents none. */
export function leastAmountOf(currency: string): number {
  return leastAmounts.get(currency) ?? 1;
}

/** Minimums documented by Stripe for an account with payouts in the same currency. */
const leastAmounts = new Map<string, number>([
  ...['usd', 'aud', 'brl', 'cad', 'chf', 'eur', 'inr', 'nzd', 'sgd'].map(
    (currency): [string, number] => [currency, 50],
  ),
  ['aed', 200],
  ['bgn', 100],
  ['czk', 1500],
  ['dkk', 250],
  ['gbp', 30],
  ['hkd', 400],
  ['huf', 17_500],
  ['jpy', 50],
  ['mxn', 1000],
  ['myr', 200],
  ['nok', 300],
  ['pln', 200],
  ['ron', 200],
  ['sek', 300],
  ['thb', 1000],
]);

const currencies = new Set(Intl.supportedValuesOf('currency'));

function decimalsOf(currency: string): number {
  if (withoutDecimals.has(currency)) return 0;
  return withThreeDecimals.has(currency) ? 3 : 2;
}
