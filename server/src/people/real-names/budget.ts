const raiseAfterMs = 24 * 60 * 60_000;

/** A player's own monthly budget; null means no limit. */
export interface Budget {
  amountMinor: bigint | null;
  /** A raise that takes effect at this time. */
  pending: { amountMinor: bigint | null; from: Date } | null;
}

export const noBudget: Budget = { amountMinor: null, pending: null };

/** Applies a pending raise whose time has come. */
export function budgetAt(budget: Budget, now: Date): Budget {
  const { pending } = budget;
  return pending === null || pending.from > now
    ? budget
    : { amountMinor: pending.amountMinor, pending: null };
}

/**
 * A lower budget takes effect at once and cancels a pending raise. A raise takes effect after a
 * day, to prevent impulsive spending; repeating the same request does not restart the day.
 */
export function changeBudget(known: Budget, requested: bigint | null, now: Date): Budget {
  const current = budgetAt(known, now);
  if (!isMore(requested, current.amountMinor)) return { amountMinor: requested, pending: null };
  if (current.pending !== null && current.pending.amountMinor === requested) return current;
  return {
    amountMinor: current.amountMinor,
    pending: { amountMinor: requested, from: new Date(now.getTime() + raiseAfterMs) },
  };
}

function isMore(requested: bigint | null, current: bigint | null): boolean {
  if (current === null) return false;
  return requested === null || requested > current;
}
