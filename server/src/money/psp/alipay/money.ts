import type { Money } from '@pointgate/contract/money.ts';
import { readDecimalAmount } from '../../../platform/decimal-amount.ts';
import type { Capabilities } from '../psp.ts';

export const currencies: Capabilities['currencies'] = {
  CNY: { decimals: 2, minMinor: 1n, maxMinor: 10_000_000_000n },
};

/** `648.00` yuan is 64800 fen. */
export function moneyOf(yuan: string): Money | undefined {
  const amountMinor = readDecimalAmount(yuan, 'CNY');
  return amountMinor === undefined || amountMinor <= 0n
    ? undefined
    : { amountMinor, currency: 'CNY' };
}
