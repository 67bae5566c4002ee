import { smaller } from './lots.ts';

/** The money of a top-up and the points that were bought with it. */
export interface Deferral {
  /** The amount posted to `house:sales`. */
  soldMinor: bigint;
  /** The part of it that is kept; the rest is pending refund. */
  keptMinor: bigint;
  /** The bought points that the kept money pays for, and the unused points of the lot. */
  keptPoints: bigint;
  remaining: bigint;
}

/**
 * The part of the price that is not revenue yet. Used points count with their share of the kept
 * money, rounded down, and the last point takes the remainder. Money that is pending refund is
 * never revenue. Gift points have no price.
 */
export function deferredOf({ soldMinor, keptMinor, keptPoints, remaining }: Deferral): bigint {
  // The kept money is worth less than one point, so nothing of it is deferred.
  if (keptPoints === 0n) return soldMinor - keptMinor;
  const unused = smaller(remaining, keptPoints);
  return soldMinor - (keptMinor * (keptPoints - unused)) / keptPoints;
}
