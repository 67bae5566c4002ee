import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { isId } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs.ts';
import type { RefundToMake } from '../orders/order-effects.ts';
import { keyOf, type Order } from '../orders/orders.ts';
import { findAttempt, placesForProviders } from '../payments/payments.ts';
import { insertRefund, type RefundRow, updateState } from './refunds.queries.ts';

const RefundKey = z.object({ accountId: z.uuid(), paymentId: z.uuid(), refundId: z.uuid() });

/** Sends money back through the provider it came from. */
export const refundPaymentJob = {
  name: 'refund_payment',
  payload: RefundKey,
  ...placesForProviders,
};

/** Part of the commit that decides it, so that no refund is promised and forgotten. */
export async function queueRefund(
  tx: Tx,
  { jobs, checkSeconds }: { jobs: Jobs; checkSeconds: readonly number[] },
  { order, refund }: { order: Order; refund: RefundToMake },
): Promise<void> {
  const key = { ...keyOf(order), refundId: refund.refundId };
  await insertRefund(tx, { ...refund, ...key, firstCheckSeconds: checkSeconds[0] ?? 30 });
  const attempt = await findAttempt(tx, { ...key, attemptId: refund.attemptId });
  await jobs.enqueue(tx, refundPaymentJob, key, {
    id: refund.refundId,
    group: attempt?.psp ?? 'none',
  });
}

/** Part of the commit that records what became of a refund. */
export async function settleRefund(
  tx: Tx,
  order: Order,
  { refundId, state }: { refundId: string; state: RefundRow['state'] },
): Promise<void> {
  // One with a provider's own id was made there and is not ours to follow.
  if (isId(refundId)) await updateState(tx, { ...keyOf(order), refundId }, state);
}
