import { Currency, type Money, toDecimalString } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { readDecimalAmount } from '../../../platform/decimal-amount.ts';
import type { Capabilities } from '../psp.ts';

/** PayPal takes no KRW or VND, and CNY only inside China. TWD and JPY have no decimals. */
export const currencies: Capabilities['currencies'] = {
  USD: { decimals: 2 },
  EUR: { decimals: 2 },
  HKD: { decimals: 2 },
  THB: { decimals: 2 },
  TWD: { decimals: 0 },
  JPY: { decimals: 0 },
};

/** PayPal's form of an amount; `undefined` if the amount cannot be expressed exactly. */
export function wireMoney(money: Money): { currencyCode: string; value: string } | undefined {
  const rule = currencies[money.currency];
  if (rule === undefined) return undefined;
  const [whole = '', fraction = ''] = toDecimalString(money).split('.');
  if (/[^0]/.test(fraction.slice(rule.decimals))) return undefined;
  const value = rule.decimals === 0 ? whole : `${whole}.${fraction.slice(0, rule.decimals)}`;
  return { currencyCode: money.currency, value };
}

/** An amount that is exact in the shop's minor units; anything else fails to parse. */
export const WireMoney = z
  .object({ currency_code: Currency, value: z.string() })
  .transform(({ currency_code: currency, value }, context): Money => {
    const amountMinor = readDecimalAmount(value, currency);
    if (amountMinor !== undefined) return { amountMinor, currency };
    context.addIssue({ code: 'custom', message: 'no exact amount' });
    return z.NEVER;
  });
