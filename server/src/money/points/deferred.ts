import { smaller } from './lots.ts';

/** What the money of a top-up came to, and what became of the points that were bought with it. */
export interface Deferral {
  /** What was posted to `house:sales` for it. */
  soldMinor: bigint;
  /** What of that stays; the rest is on its way back to the payer. */
  keptMinor: bigint;
  /** How many bought points the kept money stands for, and how many of the lot nobody has used. */
  keptPoints: bigint;
  remaining: bigint;
}

/**
 * What of the price is no revenue yet. Of the points that the kept money stands for, the used ones are worth
 * their share, rounded down, and the last one takes the rest. Money on its way back is never revenue. Points
 * that were given on top have no price.
 */
export function deferredOf({ soldMinor, keptMinor, keptPoints, remaining }: Deferral): bigint {
  // So little was kept that it stands for no point: nothing of it is still to come.
  if (keptPoints === 0n) return soldMinor - keptMinor;
  const unused = smaller(remaining, keptPoints);
  return soldMinor - (keptMinor * (keptPoints - unused)) / keptPoints;
}
