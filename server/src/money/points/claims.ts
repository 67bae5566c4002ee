import {
  allot,
  atLeastZero,
  bringBack,
  type Cause,
  type Lot,
  type Movement,
  movePoints,
  roomsIn,
  type Share,
  settledOf,
  smaller,
  sumOf,
} from './lots.ts';
import { inSpendOrder } from './spend-order.ts';
import type { Kept, TopUp } from './top-up.ts';

/** A movement, and what it makes of the top-up. */
type ClaimMovement = Movement & Pick<TopUp, 'presentClaimed' | 'presentOwed'>;

/** Knows at least the open lots and all lots of the top-up. */
interface ClaimedWallet {
  basic: bigint;
  lots: readonly Lot[];
  at: Date;
}

/**
 * Takes points of a top-up back. Its own lots give first; what was spent of them is taken from other
 * basic points, and what these do not cover is a debt. What expired was of no use and is not owed.
 */
export function clawBack(wallet: ClaimedWallet, topUp: TopUp, kept: Kept): ClaimMovement {
  const own = ownLots(wallet, topUp);
  const present = allot(topUp.presentKept - kept.present, roomsIn('remaining', own.present));
  const spentNotOwed = sumOf(own.present.map(({ spent }) => spent)) - topUp.presentOwed;
  const owed = smaller(present.rest, atLeastZero(spentNotOwed));

  const points = topUp.basicKept - kept.basic + owed;
  const basic = allot(points, roomsIn('remaining', [...own.basic, ...own.others]));
  const claimed = sumOf(present.shares.map((share) => share.points));
  return {
    basicChange: -points,
    presentChange: -claimed,
    lots: [...basic.shares, ...present.shares].map((share) =>
      movePoints(share, { from: 'remaining', to: 'claimed' }),
    ),
    presentClaimed: topUp.presentClaimed + claimed,
    presentOwed: topUp.presentOwed + owed,
  };
}

/**
 * The inverse of a claw-back. A debt is settled first. What is left goes back to the lots that gave
 * for claims of others than their own top-up, and there is always room: what is claimed of all basic
 * lots and what is owed are together what all top-ups claim. Needs the top-up's own steps, and how
 * the top-ups of the wallet's lots stand.
 */
export function restore(
  wallet: ClaimedWallet,
  { topUp, steps, topUps }: { topUp: TopUp; steps: readonly TopUp[]; topUps: readonly TopUp[] },
  { kept, cause }: { kept: Kept; cause: Cause },
): ClaimMovement {
  const own = ownLots(wallet, topUp);
  const goal = presentBefore(steps, kept.present);
  const presentPoints = topUp.presentClaimed - goal.presentClaimed;
  const after = { ...topUp, ...goal, basicKept: kept.basic };
  const claims = new Map([...topUps, after].map((some) => [some.originId, basicClaimOf(some)]));

  const points = basicClaimOf(topUp) - basicClaimOf(after);
  const settled = settledOf(points, wallet.basic);
  const lots = [...own.basic, ...own.others.toReversed()];
  const basic = allot(points - settled, roomsBeyondClaims(lots, claims));
  const presentLots = allot(presentPoints, roomsIn('claimed', own.present.toReversed()));
  if (basic.rest + presentLots.rest > 0n) {
    throw new Error(`${cause.posting} restores more than was claimed`);
  }
  return {
    basicChange: points,
    presentChange: presentPoints,
    lots: [
      ...basic.shares.map((share) => movePoints(share, { from: 'claimed', to: 'remaining' })),
      ...presentLots.shares.flatMap((share) =>
        bringBack(share, { from: 'claimed', at: wallet.at, cause }),
      ),
    ],
    ...goal,
  };
}

/** A top-up's lots, and the basic lots of others: those that can be spent before the frozen ones. */
function ownLots({ lots }: ClaimedWallet, { originId }: TopUp) {
  const ordered = inSpendOrder(lots, 'basic_first');
  const ofBucket = (bucket: string) => ordered.filter((lot) => lot.bucket === bucket);
  const others = ofBucket('basic').filter((lot) => lot.originId !== originId);
  return {
    basic: ofBucket('basic').filter((lot) => lot.originId === originId),
    present: ofBucket('present').filter((lot) => lot.originId === originId),
    others: [
      ...others.filter(({ isFrozen }) => !isFrozen),
      ...others.filter(({ isFrozen }) => isFrozen),
    ],
  };
}

/**
 * How it stood when the top-up last had so much present: what was taken last comes back first. If
 * that was in the middle of a claw-back, it had taken what was there before what was spent.
 */
function presentBefore(steps: readonly TopUp[], kept: bigint) {
  const index = steps.findLastIndex(({ presentKept }) => presentKept >= kept);
  const before = steps[index];
  if (before === undefined) throw new Error(`${kept} was never kept`);
  const after = steps[index + 1] ?? before;
  const taken = before.presentKept - kept;
  const claimed = smaller(taken, after.presentClaimed - before.presentClaimed);
  const owed = smaller(taken - claimed, after.presentOwed - before.presentOwed);
  return {
    presentClaimed: before.presentClaimed + claimed,
    presentOwed: before.presentOwed + owed,
  };
}

/** What the top-up no longer stands for and basic points have to answer for. */
function basicClaimOf({ basicGranted, basicKept, presentOwed }: TopUp): bigint {
  return basicGranted - basicKept + presentOwed;
}

/** What each lot gave beyond what its own top-up claims from it. */
function roomsBeyondClaims(lots: readonly Lot[], claims: ReadonlyMap<string, bigint>): Share[] {
  return lots.map((lot) => {
    const ownClaim = smaller(claims.get(lot.originId) ?? 0n, lot.remaining + lot.claimed);
    return { lot, points: atLeastZero(lot.claimed - ownClaim) };
  });
}
