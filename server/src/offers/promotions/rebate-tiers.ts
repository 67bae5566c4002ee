export interface Tier {
  tier: number;
  fromMinor: bigint;
  presentPoints: bigint;
}

/** A tier that was reached, with the terms of that moment. */
export interface Credit extends Tier {
  creditId: string;
  /** How many steps it has taken; it stands after every odd one. */
  steps: number;
}

export type CreditStep =
  | { kind: 'earned'; tier: Tier }
  | { kind: 'taken_back' | 'restored'; credit: Credit };

/**
 * What a progress means for each tier. A tier is earned once; money that goes back takes back what it
 * no longer reaches, and money that comes again restores the same credit, never a second one.
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

/** Tiers as the player sees them: whoever has reached one sees the terms it was reached under. */
export function tiersShown(tiers: readonly Tier[], credits: readonly Credit[]) {
  const known = new Map(credits.map((credit) => [credit.tier, credit]));
  const left = tiers.filter(({ tier }) => !known.has(tier));
  const shown = [
    ...left.map((tier) => ({ ...tier, state: 'open' as const })), // as: else it is any text
    ...credits.map((credit) => {
      const { tier, fromMinor, presentPoints } = credit;
      const state: 'earned' | 'taken_back' = isStanding(credit) ? 'earned' : 'taken_back';
      return { tier, fromMinor, presentPoints, state };
    }),
  ];
  return shown.toSorted((one, other) => (one.fromMinor < other.fromMinor ? -1 : 1));
}

/** The lowest tier that is not reached, and what is missing to it. */
export function nextTier(shown: ReturnType<typeof tiersShown>, progressMinor: bigint) {
  const next = shown.find(({ state }) => state !== 'earned');
  if (next === undefined) return null;
  const { tier, fromMinor, presentPoints } = next;
  // A tier that was lowered below what is paid already is earned by the next order.
  const missingMinor = fromMinor > progressMinor ? fromMinor - progressMinor : 0n;
  return { tier, fromMinor, presentPoints, missingMinor };
}
