import type { ExternalHistory } from '../check-cache.ts';
import type { Refund } from '../expected-order.ts';
import { gracePeriodMs } from '../invariant.ts';

/** A refund as the provider lists it. */
export interface TheirRefund {
  id: string;
  /** The capture id in our tables. */
  payment_intent: string;
  amount: number;
  currency: string;
  status: string;
  /** In seconds. */
  created: number;
  /** Our refund id, if the shop requested it. */
  metadata: { refundId?: string | undefined };
}

/** Refunds by the ids that the order histories use. */
export function refundsOf(orders: readonly ExternalHistory[]): Map<string, Refund> {
  return new Map(
    orders
      .flatMap(({ refunds }) => refunds)
      .filter(({ currency }) => currency !== 'EPOINT')
      .map((refund) => [refund.refundId, refund]),
  );
}

/**
 * I3: every refund of the provider is in our books. The ids of matched refunds are added to `seen`.
 */
export function checkRefunds(
  theirs: readonly TheirRefund[],
  { ours, seen, nowMs }: { ours: ReadonlyMap<string, Refund>; seen: Set<string>; nowMs: number },
): string[] {
  const violations: string[] = [];
  for (const refund of theirs) {
    const { refundId } = refund.metadata;
    // If two refunds have the same id of ours, the first is the one that we requested.
    const name = refundId === undefined || seen.has(refundId) ? refund.id : refundId;
    seen.add(name);
    const isUnderWay = nowMs - refund.created * 1000 < gracePeriodMs;
    if (!isUnderWay) violations.push(...checkRefund(refund, ours.get(name)));
  }
  return violations;
}

/** I3: every completed refund of ours exists at the provider. */
export function checkMissingRefunds(
  ours: ReadonlyMap<string, Refund>,
  seen: ReadonlySet<string>,
): string[] {
  return [...ours]
    .filter(([refundId, { state }]) => state === 'done' && !seen.has(refundId))
    .map(([refundId]) => `refund ${refundId} is done here, the provider knows nothing of it`);
}

function checkRefund(theirs: TheirRefund, refund: Refund | undefined): string[] {
  const { id, status, amount, currency } = theirs;
  if (refund === undefined) {
    // A refund made elsewhere that failed has no effect.
    return status === 'succeeded' ? [`refund ${id} is not in our books`] : [];
  }
  // A pending refund is checked again by the worker; I4 covers a missing check.
  if (refund.state === 'pending') return [];
  const isDone = refund.state === 'done';
  const is = `${amount} ${currency.toUpperCase()} of ${theirs.payment_intent}`;
  const says = `${refund.amountMinor} ${refund.currency} of ${refund.captureId}`;
  if (isDone !== (status === 'succeeded')) {
    return [`refund ${refund.refundId} is ${refund.state} here and ${status} at the provider`];
  }
  return isDone && is !== says ? [`refund ${id} is ${is}, in our books ${says}`] : [];
}
