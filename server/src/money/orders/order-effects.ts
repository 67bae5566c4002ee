import { pointsUnit } from '@pointgate/contract/money.ts';
import type { RefundReason } from '@pointgate/contract/orders.ts';
import type { Tx } from '../../platform/db.ts';
import { type Moved, openCases } from './order-cases.ts';
import { type FactOf, factsOf } from './order-fact.ts';
import type { Refund } from './order-money.ts';
import type { Projection } from './order-state.ts';
import type { OrderKey, OrderRow } from './orders.queries.ts';

/** Side effects of new facts, run in the transaction that records them. */
export interface OrderEffects {
  /**
   * Called when money arrives after the order has released its reservations. Reserves everything again
   * and answers true if all conditions of the purchase still allow the payment.
   */
  takeAgain(tx: Tx, order: OrderRow): Promise<boolean>;
  /**
   * The order is paid and has to be delivered; `isLate` means that it had expired before. Called
   * again when a refund has failed and when a dispute no longer holds the money.
   */
  onPaid(tx: Tx, order: OrderRow, how: { isLate: boolean }): Promise<void>;
  /** Money has to go back through its provider. */
  onRefundRequested(tx: Tx, order: OrderRow, refund: RefundToMake): Promise<void>;
  /** A refund has reached a final state, or a different one than before. */
  onRefundSettled(tx: Tx, order: OrderRow, refund: Refund): Promise<void>;
  /** The order is fully refunded, for these reasons. */
  onRefunded(tx: Tx, order: OrderRow, reasons: readonly RefundReason[]): Promise<void>;
  /**
   * The order is fully refunded, so goods that were delivered or may still be have to be revoked.
   */
  onTakenBack(tx: Tx, order: OrderRow): Promise<void>;
  /** The order expired unpaid and releases its reservations. */
  onClosed(tx: Tx, order: OrderRow): Promise<void>;
  /** The kept part of a delivered order has changed, to more or to less. */
  onKept(tx: Tx, order: OrderRow, keptMinor: bigint): Promise<void>;
  /** Called after the commit to notify clients that watch the order. */
  onMoved(key: OrderKey): void;
}

export interface RefundToMake extends FactOf<'refund_requested'> {
  attemptId: string;
}

/** Runs the side effects of new facts in their transaction. */
export async function runEffects(tx: Tx, effects: OrderEffects, moved: Moved): Promise<void> {
  const { key, before, after, order, learnt } = moved;
  tx.afterCommit(() => effects.onMoved(key));
  for (const fact of factsOf(learnt, 'refund_requested')) {
    if (fact.currency === pointsUnit) continue;
    const capture = after.money.captures.find(({ captureId }) => captureId === fact.captureId);
    if (capture === undefined) throw new Error(`there is no capture ${fact.captureId}`);
    await effects.onRefundRequested(tx, order, { ...fact, attemptId: capture.attemptId });
  }
  for (const refund of after.money.refunds) {
    const known = before.money.refunds.find(({ refundId }) => refundId === refund.refundId);
    if (refund.state === 'pending' || refund.state === known?.state) continue;
    await effects.onRefundSettled(tx, order, refund);
  }
  await openCases(tx, moved);
  if (after.state === 'closed' && before.state !== 'closed') await effects.onClosed(tx, order);
  if (after.state === 'refunded' && before.state !== 'refunded') {
    await effects.onRefunded(tx, order, reasonsOf(after));
  }
  const keptMinor = keptOf(order, after);
  if (keptMinor !== keptOf(order, before)) await effects.onKept(tx, order, keptMinor);
  if (order.kind === 'points') return;
  // A delivery that a dispute held up is queued as soon as the dispute is over.
  const isFreed = before.money.isDisputed && !after.money.isDisputed;
  if (after.state === 'paid' && (before.state !== 'paid' || isFreed)) {
    await effects.onPaid(tx, order, { isLate: before.state === 'closed' });
  }
  const isGone = after.state === 'refunded';
  const isNews = before.state !== 'refunded' || before.isDelivered !== after.isDelivered;
  if (isGone && isNews) await effects.onTakenBack(tx, order);
}

function reasonsOf({ money: { refunds, disputes } }: Projection): RefundReason[] {
  const done = refunds.filter(({ state }) => state === 'done').map(({ reason }) => reason);
  const isChargedBack = disputes.some(({ stage }) => stage === 'lost');
  return isChargedBack ? [...done, 'chargeback'] : done;
}

/** The kept part of the price; pending refunds are deducted, as for the points of a top-up. */
function keptOf(order: OrderRow, { isDelivered, isTakenBack, money }: Projection): bigint {
  if (!isDelivered || isTakenBack || !money.isPaid) return 0n;
  const keptMinor = order.amount_minor - money.lossMinor - money.pendingLossMinor;
  return keptMinor > 0n ? keptMinor : 0n;
}
