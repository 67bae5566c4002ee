import { derivedId } from '../../platform/ids.ts';

export type Bucket = 'basic' | 'present';

/** Where a point of a lot can be. */
interface Places {
  remaining: bigint;
  spent: bigint;
  expired: bigint;
  /** Clawed back, or used to settle a debt. */
  claimed: bigint;
}

/** Points that came together and end together. Its places add up to what was granted. */
export interface Lot extends Places {
  lotId: string;
  bucket: Bucket;
  /** The top-up the points came with. */
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

/** What an entry does to a wallet. */
export interface Movement {
  basicChange: bigint;
  presentChange: bigint;
  /** The lots it touches or makes, as they are afterwards, in the order they are drawn on. */
  lots: Lot[];
}

/** What causes an entry; the same cause twice is one entry. */
export interface Cause {
  originId: string;
  posting: string;
}

/** Hands points out in the order of the rooms, to each as many as fit. */
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

/** What lies in one place of each lot. */
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
 * Brings present points back to what remains of their lot. A lot that has expired meanwhile stays
 * so: its points live on in a new one, for thirty days.
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

/** How much of a credit to basic a debt takes. */
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
