import { Currency, type Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { PaymentReference } from '../psp.ts';

/** WeChat allows at most 32 characters: the attempt id without its dashes. */
export function outTradeNoOf({ attemptId }: PaymentReference): string {
  return attemptId.replaceAll('-', '');
}

/** WeChat returns this text with every answer and notification. It allows 128 characters; this has 110. */
export function attachOf({ accountId, paymentId, attemptId }: PaymentReference): string {
  return [accountId, paymentId, attemptId].join('.');
}

const Reference = z
  .tuple([z.uuid(), z.uuid(), z.uuid()])
  .transform(([accountId, paymentId, attemptId]) => ({ accountId, paymentId, attemptId }));

/** The reference of a payment; `undefined` if it is foreign or does not match the order number. */
export function referenceOf(transaction: {
  attach?: string | undefined;
  out_trade_no: string;
}): PaymentReference | undefined {
  const reference = Reference.safeParse(transaction.attach?.split('.'));
  if (!reference.success) return undefined;
  return outTradeNoOf(reference.data) === transaction.out_trade_no ? reference.data : undefined;
}

/** WeChat uses fen, like the shop. */
export const WireMoney = z
  .object({ total: z.int().nonnegative(), currency: Currency })
  .transform(({ total, currency }): Money => ({ amountMinor: BigInt(total), currency }));

export const TransactionId = z.string().regex(/^\d{1,32}$/);
