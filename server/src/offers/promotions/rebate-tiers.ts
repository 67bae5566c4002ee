export interface Tier {
  tier: number;
  fromMinor: bigint;
  presentPoints: bigint;
}

/** A tier that was reached, with its terms at that moment. */
export interface Credit extends Tier {
  creditId: string;
  /** The number of its steps so far; an odd number means that the credit is valid. */
  steps: number;
}

export type CreditStep =
  | { kind: 'earned'; tier: Tier }
  | { kind: 'taken_back' | 'restored'; credit: Credit };

/**
 * The steps that a progress causes. A tier is earned once; a lower progress takes back the tiers
 * that it no longer reaches, and a higher one restores the same credit, never a second one.
 */
export function creditSteps(
  tiers: readonly Tier[],
  credits: readonly Credit[],
  progressMinor: bigint,
): CreditStep[] {
  const known = new Set(credits.map(({ tier }) => tier));
  const isReached = ({ fromMinor }: Tier) => progressMinor >= fromMinor;
  const changed = credits
    .filter((credit) => isReached(credit) !== isStanding(credit))
    .map(
      (credit): CreditStep => ({ kind: isStanding(credit) ? 'taken_back' : 'restored', credit }),
    );
  const earned = tiers
    .filter((tier) => !known.has(tier.tier) && isReached(tier))
    .map((tier): CreditStep => ({ kind: 'earned', tier }));
  return [...changed, ...earned];
}

function isStanding({ steps }: Credit): boolean {
  return steps % 2 === 1;
}

/** The tiers shown to a player; a reached tier keeps the terms under which it was reached. */
export function tiersShown(tiers: readonly Tier[], credits: readonly Credit[]) {
  const known = new Map(credits.map((credit) => [credit.tier, credit]));
  const left = tiers.filter(({ tier }) => !known.has(tier));
  const shown = [
    ...left.map((tier) => ({ ...tier, state: 'open' as const })), // as: keeps the literal types
    ...credits.map((credit) => {
      const { tier, fromMinor, presentPoints } = credit;
      const state: 'earned' | 'taken_back' = isStanding(credit) ? 'earned' : 'taken_back';
      return { tier, fromMinor, presentPoints, state };
    }),
  ];
  return shown.toSorted((one, other) => (one.fromMinor < other.fromMinor ? -1 : 1));
}

/** The lowest open tier and the amount that is missing. */
export function nextTier(shown: ReturnType<typeof tiersShown>, progressMinor: bigint) {
  const next = shown.find(({ state }) => state !== 'earned');
  if (next === undefined) return null;
  const { tier, fromMinor, presentPoints } = next;
  // If its threshold was lowered below the progress, the next order earns the tier.
  const missingMinor = fromMinor > progressMinor ? fromMinor - progressMinor : 0n;
  return { tier, fromMinor, presentPoints, missingMinor };
}
