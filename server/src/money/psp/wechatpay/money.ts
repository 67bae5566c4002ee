import { Currency, type Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { Capabilities } from '../psp.ts';

export const currencies: Capabilities['currencies'] = { CNY: { decimals: 2, minMinor: 1n } };

/** WeChat uses fen, like the shop. */
export const WireMoney = z
  .object({ total: z.int().nonnegative(), currency: Currency })
  .transform(({ total, currency }): Money => ({ amountMinor: BigInt(total), currency }));
