import type { Abroad } from '../court.ts';
import { patienceMs } from '../invariant.ts';
import type { Refund } from '../order-story.ts';

/** A refund as a provider knows it. */
export interface TheirRefund {
  id: string;
  /** What our tables call the capture by. */
  payment_intent: string;
  amount: number;
  currency: string;
  status: string;
  /** In seconds. */
  created: number;
  /** Our id, if we asked for it. */
  metadata: { refundId?: string | undefined };
}

/** Refunds of money, by the ids that histories know them by. */
export function refundsOf(orders: readonly Abroad[]): Map<string, Refund> {
  return new Map(
    orders
      .flatMap(({ refunds }) => refunds)
      .filter(({ currency }) => currency !== 'EPOINT')
      .map((refund) => [refund.refundId, refund]),
  );
}

/** I3: every refund there is one here. The names of those that were found go into `seen`. */
export function judgeRefunds(
  theirs: readonly TheirRefund[],
  { ours, seen, nowMs }: { ours: ReadonlyMap<string, Refund>; seen: Set<string>; nowMs: number },
): string[] {
  const violations: string[] = [];
  for (const refund of theirs) {
    const { refundId } = refund.metadata;
    // Of two that bear one id of ours the first is what we asked for.
    const name = refundId === undefined || seen.has(refundId) ? refund.id : refundId;
    seen.add(name);
    const isUnderWay = nowMs - refund.created * 1000 < patienceMs;
    if (!isUnderWay) violations.push(...judgeRefund(refund, ours.get(name)));
  }
  return violations;
}

/** I3: every refund that is done here is one there. */
export function judgeUnrefunded(
  ours: ReadonlyMap<string, Refund>,
  seen: ReadonlySet<string>,
): string[] {
  return [...ours]
    .filter(([refundId, { state }]) => state === 'done' && !seen.has(refundId))
    .map(([refundId]) => `refund ${refundId} is done here, the provider knows nothing of it`);
}

function judgeRefund(theirs: TheirRefund, refund: Refund | undefined): string[] {
  const { id, status, amount, currency } = theirs;
  if (refund === undefined) {
    // One that came to nothing elsewhere never was.
    return status === 'succeeded' ? [`refund ${id} is not in our books`] : [];
  }
  // We go on asking about it, and whoever stops asking is found by that.
  if (refund.state === 'pending') return [];
  const isDone = refund.state === 'done';
  const is = `${amount} ${currency.toUpperCase()} of ${theirs.payment_intent}`;
  const says = `${refund.amountMinor} ${refund.currency} of ${refund.captureId}`;
  if (isDone !== (status === 'succeeded')) {
    return [`refund ${refund.refundId} is ${refund.state} here and ${status} at the provider`];
  }
  return isDone && is !== says ? [`refund ${id} is ${is}, in our books ${says}`] : [];
}
