import type { Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import { readDecimalAmount } from '../decimal-amount.ts';
import type { PaymentReference } from '../psp.ts';

/** Alipay takes letters, digits and underscores: the attempt's id without its dashes. */
export function outTradeNoOf({ attemptId }: PaymentReference): string {
  return attemptId.replaceAll('-', '');
}

/** Alipay returns this text with every answer and notification. It needs no URL encoding. */
export function passbackOf({ accountId, paymentId, attemptId }: PaymentReference): string {
  return [accountId, paymentId, attemptId].join('.');
}

const Reference = z
  .tuple([z.uuid(), z.uuid(), z.uuid()])
  .transform(([accountId, paymentId, attemptId]) => ({ accountId, paymentId, attemptId }));

/** The reference of a payment; `undefined` if it is foreign or does not match the order number. */
export function referenceOf(trade: {
  passback_params?: string | undefined;
  out_trade_no: string;
}): PaymentReference | undefined {
  const reference = Reference.safeParse(trade.passback_params?.split('.'));
  if (!reference.success) return undefined;
  return outTradeNoOf(reference.data) === trade.out_trade_no ? reference.data : undefined;
}

export const TradeNo = z.string().regex(/^\d{16,64}$/);

/** `648.00` yuan is 64800 fen. */
export function moneyOf(yuan: string): Money | undefined {
  const amountMinor = readDecimalAmount(yuan, 'CNY');
  return amountMinor === undefined || amountMinor <= 0n
    ? undefined
    : { amountMinor, currency: 'CNY' };
}
