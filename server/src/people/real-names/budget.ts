const raiseAfterMs = 24 * 60 * 60_000;

/** What a player allows themselves in a month; null is without limit. */
export interface Budget {
  amountMinor: bigint | null;
  /** What holds instead from a time on. */
  pending: { amountMinor: bigint | null; from: Date } | null;
}

export const noBudget: Budget = { amountMinor: null, pending: null };

/** The budget with everything that has become true by now. */
export function budgetAt(budget: Budget, now: Date): Budget {
  const { pending } = budget;
  return pending === null || pending.from > now
    ? budget
    : { amountMinor: pending.amountMinor, pending: null };
}

/**
 * Less holds at once and forgets a raise that was on its way. More waits a day, so that nobody lifts
 * their own limit in the heat of a moment; asking for the same again does not begin the day anew.
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
