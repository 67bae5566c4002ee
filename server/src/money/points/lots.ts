import { derivedId } from '../../platform/ids.ts';

export type Bucket = 'basic' | 'present';

/** The numbers of points of a lot by what became of them. */
interface Places {
  remaining: bigint;
  spent: bigint;
  expired: bigint;
  /** Clawed back, or used to settle a debt. */
  claimed: bigint;
}

/** Points that were credited together and expire together. The places add up to `granted`. */
export interface Lot extends Places {
  lotId: string;
  bucket: Bucket;
  /** The top-up or gift of the points. */
  originId: string;
  granted: bigint;
  expiresAt: Date | null;
  createdAt: Date;
  isFrozen: boolean;
}

/** Some points of a lot. */
export interface Share {
  lot: Lot;
  points: bigint;
}

/** The effect of an entry on a wallet. */
export interface Movement {
  basicChange: bigint;
  presentChange: bigint;
  /** The changed and new lots after the entry, in the order they are drawn from. */
  lots: Lot[];
}

/** The cause of an entry. An entry is written only once per cause. */
export interface Cause {
  originId: string;
  posting: string;
}

/** Distributes points over the rooms in their order, to each as many as fit. */
export function allot(
  points: bigint,
  rooms: readonly Share[],
): { shares: Share[]; roomsLeft: Share[]; rest: bigint } {
  let rest = points;
  const shares: Share[] = [];
  const roomsLeft: Share[] = [];
  for (const room of rooms) {
    const fitting = smaller(rest, room.points);
    rest -= fitting;
    if (fitting > 0n) shares.push({ lot: room.lot, points: fitting });
    if (fitting < room.points) roomsLeft.push({ lot: room.lot, points: room.points - fitting });
  }
  return { shares, roomsLeft, rest };
}

/** The points in one place of each lot. */
export function roomsIn(place: keyof Places, lots: readonly Lot[]): Share[] {
  return lots.map((lot) => ({ lot, points: lot[place] }));
}

export function movePoints(
  { lot, points }: Share,
  { from, to }: { from: keyof Places; to: keyof Places },
): Lot {
  return { ...lot, [from]: lot[from] - points, [to]: lot[to] + points };
}

export function newLot(
  lot: Pick<Lot, 'lotId' | 'bucket' | 'originId' | 'expiresAt' | 'createdAt' | 'isFrozen'>,
  { granted, claimed }: { granted: bigint; claimed: bigint },
): Lot {
  return { ...lot, granted, remaining: granted - claimed, spent: 0n, expired: 0n, claimed };
}

const secondLifeMs = 30 * 24 * 60 * 60_000;

/**
 * Returns present points to their lot. If the lot has expired meanwhile, a new lot holds the points
 * for thirty days.
 */
export function bringBack(
  share: Share,
  { from, at, cause }: { from: 'spent' | 'claimed'; at: Date; cause: Cause },
): Lot[] {
  const { lot, points } = share;
  if (!isDue(lot, at)) return [movePoints(share, { from, to: 'remaining' })];
  const second = {
    ...lot,
    lotId: derivedId('lot', lot.lotId, cause.originId, cause.posting),
    expiresAt: new Date(at.getTime() + secondLifeMs),
    createdAt: at,
  };
  return [
    movePoints(share, { from, to: 'expired' }),
    newLot(second, { granted: points, claimed: 0n }),
  ];
}

export function isDue({ expiresAt }: Lot, at: Date): boolean {
  return expiresAt !== null && expiresAt <= at;
}

export function expire(lot: Lot): Movement {
  const expired = movePoints({ lot, points: lot.remaining }, { from: 'remaining', to: 'expired' });
  return { basicChange: 0n, presentChange: -lot.remaining, lots: [expired] };
}

/** The part of a credit of basic points that settles a debt. */
export function settledOf(points: bigint, basic: bigint): bigint {
  return smaller(points, atLeastZero(-basic));
}

export function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export function atLeastZero(points: bigint): bigint {
  return points > 0n ? points : 0n;
}

export function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}
