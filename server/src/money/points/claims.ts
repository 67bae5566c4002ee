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

/** A movement and its effect on the top-up. */
type ClaimMovement = Movement & Pick<TopUp, 'presentClaimed' | 'presentOwed'>;

/** Must contain at least the open lots and all lots of the top-up. */
interface ClaimedWallet {
  basic: bigint;
  lots: readonly Lot[];
  at: Date;
}

/**
 * Takes points of a top-up back, from its own lots first. Spent points are taken from other basic
 * points, and what these do not cover becomes a debt. Expired points are not owed.
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
 * The inverse of a claw-back. A debt is settled first. The rest returns to lots from which other
 * top-ups have claimed points. There is always enough room, because the claimed points of all basic
 * lots and the debt together equal the claims of all top-ups. Needs the steps of this top-up and
 * the current state of the top-ups of all lots.
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

/** The lots of a top-up, and the basic lots of other top-ups, with frozen ones last. */
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
 * The claims at the time when the top-up last kept this number of present points, because the
 * points taken last are restored first. Within a claw-back, remaining points were taken before
 * spent ones.
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

/** The points of a top-up that have to be claimed from basic points. */
function basicClaimOf({ basicGranted, basicKept, presentOwed }: TopUp): bigint {
  return basicGranted - basicKept + presentOwed;
}

/** The points of each lot that were claimed for other top-ups. */
function roomsBeyondClaims(lots: readonly Lot[], claims: ReadonlyMap<string, bigint>): Share[] {
  return lots.map((lot) => {
    const ownClaim = smaller(claims.get(lot.originId) ?? 0n, lot.remaining + lot.claimed);
    return { lot, points: atLeastZero(lot.claimed - ownClaim) };
  });
}
