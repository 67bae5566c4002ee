import { allot, type Bucket, type Lot, type Movement, movePoints, roomsIn, sumOf } from './lots.ts';

export type SpendOrder = 'present_first' | 'basic_first';

/** Undefined if the lots do not hold enough points. Frozen points are not spent. */
export function spend(
  lots: readonly Lot[],
  { points, spendOrder }: { points: bigint; spendOrder: SpendOrder },
): Movement | undefined {
  const free = lots.filter(({ isFrozen }) => !isFrozen);
  const { shares, rest } = allot(points, roomsIn('remaining', inSpendOrder(free, spendOrder)));
  if (rest > 0n) return undefined;
  const drawnFrom = (bucket: Bucket) =>
    sumOf(shares.filter(({ lot }) => lot.bucket === bucket).map((share) => share.points));
  return {
    basicChange: -drawnFrom('basic'),
    presentChange: -drawnFrom('present'),
    lots: shares.map((share) => movePoints(share, { from: 'remaining', to: 'spent' })),
  };
}

/** Orders lots by bucket and then by expiry, the earliest first. */
export function inSpendOrder(lots: readonly Lot[], spendOrder: SpendOrder): Lot[] {
  const first: Bucket = spendOrder === 'present_first' ? 'present' : 'basic';
  const turnOf = ({ bucket }: Lot) => (bucket === first ? 0 : 1);
  return lots.toSorted(
    (one, other) =>
      turnOf(one) - turnOf(other) ||
      endOf(one) - endOf(other) ||
      one.createdAt.getTime() - other.createdAt.getTime() ||
      (one.lotId < other.lotId ? -1 : 1),
  );
}

function endOf({ expiresAt }: Lot): number {
  return expiresAt?.getTime() ?? Number.MAX_SAFE_INTEGER;
}
