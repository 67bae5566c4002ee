import { z } from 'zod';
import type { Tx } from '../../platform/db.ts';
import { isId } from '../../platform/ids.ts';
import type { Jobs } from '../../platform/jobs.ts';
import type { RefundToMake } from '../orders/order-effects.ts';
import { keyOf, type Order } from '../orders/orders.ts';
import { findAttempt, placesForProviders } from '../payments/payments.ts';
import { insertRefund, type RefundRow, updateState } from './refunds.queries.ts';

const RefundKey = z.object({ accountId: z.uuid(), paymentId: z.uuid(), refundId: z.uuid() });

/** Sends a refund through the provider of its payment. */
export const refundPaymentJob = {
  name: 'refund_payment',
  payload: RefundKey,
  ...placesForProviders,
};

/** Runs in the transaction that requests the refund, so that none is recorded without a job. */
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

/** Runs in the transaction that records the outcome of a refund. */
export async function settleRefund(
  tx: Tx,
  order: Order,
  { refundId, state }: { refundId: string; state: RefundRow['state'] },
): Promise<void> {
  // A refund made at the provider has the provider's own id and no row here.
  if (isId(refundId)) await updateState(tx, { ...keyOf(order), refundId }, state);
}
