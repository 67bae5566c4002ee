import type { Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { readDecimalAmount } from '../decimal-amount.ts';
import type { PaymentReference } from '../psp.ts';

/** Alipay takes letters, digits and underscores: the attempt's id without its dashes. */
export function outTradeNoOf({ attemptId }: PaymentReference): string {
  return attemptId.replaceAll('-', '');
}

/** What comes back with every word about the payment. None of its letters would be encoded. */
export function passbackOf({ accountId, paymentId, attemptId }: PaymentReference): string {
  return [accountId, paymentId, attemptId].join('.');
}

const Reference = z
  .tuple([z.uuid(), z.uuid(), z.uuid()])
  .transform(([accountId, paymentId, attemptId]) => ({ accountId, paymentId, attemptId }));

/** Whose payment it is; nothing where it is not one of ours, or says so under another number. */
export function referenceOf(trade: {
  passback_params?: string | undefined;
  out_trade_no: string;
}): PaymentReference | undefined {
  const reference = Reference.safeParse(trade.passback_params?.split('.'));
  if (!reference.success) return undefined;
  return outTradeNoOf(reference.data) === trade.out_trade_no ? reference.data : undefined;
}

export const TradeNo = z.string().regex(/^\d{16,64}$/);

/** `648.00` is 64800 fen. Without a word about the currency it is yuan. */
export function moneyOf(yuan: string): Money | undefined {
  const amountMinor = readDecimalAmount(yuan, 'CNY');
  return amountMinor === undefined || amountMinor <= 0n
    ? undefined
    : { amountMinor, currency: 'CNY' };
}
