import type { RefundReason } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { giveBackCoupon } from '../coupons/coupons.ts';
import type { Refund } from '../orders/order-money.ts';
import { keyOf, type Order, type RefundToMake } from '../orders/orders.ts';
import { findAttempt, placesForProviders } from '../payments/payments.ts';
import type { Tx } from '../platform/db.ts';
import { isId } from '../platform/ids.ts';
import type { Jobs } from '../platform/jobs.ts';
import { insertRefund, selectIsRefundedFor, updateState } from './refunds.queries.ts';

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
  { refundId, state }: Refund,
): Promise<void> {
  // One with a provider's own id was made there and is not ours to follow.
  if (isId(refundId)) await updateState(tx, { ...keyOf(order), refundId }, state);
  // All money is back because nothing could be given: so is the coupon.
  if (order.snapshot.coupon === undefined || order.state !== 'refunded') return;
  if (await selectIsRefundedFor(tx, keyOf(order), shopsFault)) {
    await giveBackCoupon(tx, keyOf(order));
  }
}

/** What the shop could not give. Who changes their mind has had the coupon's price all the same. */
const shopsFault = [
  'declined_by_game',
  'not_delivered_in_time',
  'late_and_gone',
  'over_limit',
] as const satisfies RefundReason[];
