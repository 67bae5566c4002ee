/** The currencies of the account. CNY is for accounts in China only. */
const supported = new Set(
  'AUD BRL CAD CZK DKK EUR HKD HUF ILS JPY MXN MYR NOK NZD PHP PLN GBP SEK SGD CHF THB TWD USD'.split(
    ' ',
  ),
);

/** The currencies that the provider takes in whole units only, unlike ISO 4217. */
const withoutDecimals = new Set(['HUF', 'JPY', 'TWD']);

export function isSupported(currency: string): boolean {
  return supported.has(currency);
}

export function takesDecimals(currency: string): boolean {
  return !withoutDecimals.has(currency);
}

/** `"4.99"` USD is 499, `"150"` TWD is 15000: the smallest unit of ISO 4217. */
export function readValue(value: string, currency: string): number | undefined {
  const [, whole, fraction = ''] = /^(\d{1,12})(?:\.(\d+))?$/.exec(value) ?? [];
  const decimals = isoDecimals(currency);
  if (whole === undefined || fraction.length > decimals) return undefined;
  return Number(whole + fraction.padEnd(decimals, '0'));
}

/** `499` USD is `"4.99"`, `15000` TWD is `"150"`, `-499` USD is `"-4.99"`. */
function writeValue(amount: number, currency: string): string {
  const decimals = isoDecimals(currency);
  const digits = String(Math.abs(amount)).padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = takesDecimals(currency) ? digits.slice(digits.length - decimals) : '';
  return `${amount < 0 ? '-' : ''}${whole}${fraction === '' ? '' : `.${fraction}`}`;
}

export function wireMoney(amount: number, currency: string) {
  return { currency_code: currency, value: writeValue(amount, currency) };
}

/** `$4.99`, `¥500`: what the payer reads. */
export function displayAmount(amount: number, currency: string): string {
  return new Intl.NumberFormat('en-US', {
    style: 'currency',
    currency,
    minimumFractionDigits: takesDecimals(currency) ? isoDecimals(currency) : 0,
  }).format(amount / 10 ** isoDecimals(currency));
}

function isoDecimals(currency: string): number {
  // HUF is displayed without the fillér, which ISO 4217 still counts.
  if (currency === 'HUF' || currency === 'TWD') return 2;
  const format = new Intl.NumberFormat('en-US', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}
