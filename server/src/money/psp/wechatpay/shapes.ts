import { Currency, type Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { PaymentReference } from '../psp.ts';

/** WeChat wants 32 letters at most: the attempt's id without its dashes. */
export function outTradeNoOf({ attemptId }: PaymentReference): string {
  return attemptId.replaceAll('-', '');
}

/** What comes back with every word about the payment. It has at most 128 letters; these are 110. */
export function attachOf({ accountId, paymentId, attemptId }: PaymentReference): string {
  return [accountId, paymentId, attemptId].join('.');
}

const Reference = z
  .tuple([z.uuid(), z.uuid(), z.uuid()])
  .transform(([accountId, paymentId, attemptId]) => ({ accountId, paymentId, attemptId }));

/** Whose payment it is; nothing where it is not one of ours, or says so under another number. */
export function referenceOf(transaction: {
  attach?: string | undefined;
  out_trade_no: string;
}): PaymentReference | undefined {
  const reference = Reference.safeParse(transaction.attach?.split('.'));
  if (!reference.success) return undefined;
  return outTradeNoOf(reference.data) === transaction.out_trade_no ? reference.data : undefined;
}

/** WeChat counts in fen, as we do. */
export const WireMoney = z
  .object({ total: z.int().nonnegative(), currency: Currency })
  .transform(({ total, currency }): Money => ({ amountMinor: BigInt(total), currency }));

export const TransactionId = z.string().regex(/^\d{1,32}$/);
