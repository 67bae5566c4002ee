import { pointsUnit } from '@pointgate/contract/money.ts';
import type { RefundReason } from '@pointgate/contract/orders.ts';
import type { Tx } from '../../platform/db.ts';
import { type Moved, openCases } from './order-cases.ts';
import { type FactOf, factsOf } from './order-fact.ts';
import type { Refund } from './order-money.ts';
import type { Projection } from './order-state.ts';
import type { OrderKey, OrderRow } from './orders.queries.ts';

/** What follows from a move, in the same transaction. */
export interface OrderEffects {
  /**
   * Whether law, limits and coupon let the player pay this now: money came when the order had given
   * back what was held for it. What it locks stays locked until the commit.
   */
  isLawful(tx: Tx, order: OrderRow): Promise<boolean>;
  /**
   * Money is there and fits: see to the delivery. It is late when the order had expired. Called again
   * when a refund has failed, and when a bank no longer holds the money.
   */
  onPaid(tx: Tx, order: OrderRow, how: { isLate: boolean }): Promise<void>;
  /** Money has to go back through its provider. */
  onRefundRequested(tx: Tx, order: OrderRow, refund: RefundToMake): Promise<void>;
  /** What became of a refund, or what became of it after all. */
  onRefundSettled(tx: Tx, order: OrderRow, refund: Refund): Promise<void>;
  /** All money has gone back, for these reasons. */
  onRefunded(tx: Tx, order: OrderRow, reasons: readonly RefundReason[]): Promise<void>;
  /** All money has gone back: whatever the game gave, or may still give, has to come back too. */
  onTakenBack(tx: Tx, order: OrderRow): Promise<void>;
  /** Nobody paid in time: what the order has held is there for another. */
  onClosed(tx: Tx, order: OrderRow): Promise<void>;
  /** Of what was paid and has arrived, another part stays: more, or less when money goes back. */
  onKept(tx: Tx, order: OrderRow, keptMinor: bigint): Promise<void>;
  /** Called after the commit, for whoever is looking at the order. */
  onMoved(key: OrderKey): void;
}

export interface RefundToMake extends FactOf<'refund_requested'> {
  attemptId: string;
}

/** Sees to what follows from a move, in its transaction. */
export async function follow(tx: Tx, effects: OrderEffects, moved: Moved): Promise<void> {
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
  // What waited while a bank held the money need not wait any longer than the bank.
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

/** What is on its way back stays no more, as with the points of a top-up. */
function keptOf(order: OrderRow, { isDelivered, isTakenBack, money }: Projection): bigint {
  if (!isDelivered || isTakenBack || !money.isPaid) return 0n;
  const keptMinor = order.amount_minor - money.lossMinor - money.pendingLossMinor;
  return keptMinor > 0n ? keptMinor : 0n;
}
