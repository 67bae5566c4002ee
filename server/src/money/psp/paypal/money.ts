import { type Money, toDecimalString } from '@pointgate/contract/money.ts';
import type { Capabilities } from '../psp.ts';

/** No won, no dong, and yuan only inside China. Taiwan's dollars and yen come whole. */
export const currencies: Capabilities['currencies'] = {
  USD: { decimals: 2 },
  EUR: { decimals: 2 },
  HKD: { decimals: 2 },
  THB: { decimals: 2 },
  TWD: { decimals: 0 },
  JPY: { decimals: 0 },
};

/** As PayPal wants to read it: exact, or nothing where it cannot be said. */
export function wireMoney(money: Money): { currencyCode: string; value: string } | undefined {
  const rule = currencies[money.currency];
  if (rule === undefined) return undefined;
  const [whole = '', fraction = ''] = toDecimalString(money).split('.');
  if (/[^0]/.test(fraction.slice(rule.decimals))) return undefined;
  const value = rule.decimals === 0 ? whole : `${whole}.${fraction.slice(0, rule.decimals)}`;
  return { currencyCode: money.currency, value };
}
