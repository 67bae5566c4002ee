import {
  allot,
  bringBack,
  type Cause,
  type Lot,
  type Movement,
  movePoints,
  type Share,
  settledOf,
} from './lots.ts';

/**
 * Returns points of a spend to the lots they were drawn from, the last drawn first. Basic points
 * settle a debt first.
 */
export function giveBack(
  wallet: { basic: bigint; at: Date },
  spent: { draws: readonly Share[]; backAlready: bigint },
  { points, cause }: { points: bigint; cause: Cause },
): Movement {
  const { roomsLeft } = allot(spent.backAlready, spent.draws.toReversed());
  const { shares, rest } = allot(points, roomsLeft);
  if (rest > 0n) throw new Error(`${cause.posting} gives back more than was spent`);

  const movement: Movement = { basicChange: 0n, presentChange: 0n, lots: [] };
  for (const share of shares) {
    if (share.lot.bucket === 'basic') {
      const basic = wallet.basic + movement.basicChange;
      movement.basicChange += share.points;
      movement.lots.push(settleAndReturn(share, basic));
    } else {
      movement.presentChange += share.points;
      movement.lots.push(...bringBack(share, { from: 'spent', at: wallet.at, cause }));
    }
  }
  return movement;
}

function settleAndReturn({ lot, points }: Share, basic: bigint): Lot {
  const settled = settledOf(points, basic);
  const claimed = movePoints({ lot, points: settled }, { from: 'spent', to: 'claimed' });
  return movePoints({ lot: claimed, points: points - settled }, { from: 'spent', to: 'remaining' });
}
