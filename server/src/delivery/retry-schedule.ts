const second = 1;
const minute = 60;
const hour = 3600;

// After the last one an operator is told.
const waitsSeconds = [
  1 * second,
  10 * second,
  1 * minute,
  10 * minute,
  30 * minute,
  1 * hour,
  6 * hour,
  12 * hour,
  24 * hour,
  72 * hour,
  168 * hour,
];

/**
 * How long to wait after this many failed tries, or nothing once all are used up. Up to a tenth is
 * added by chance, so that a game that comes back is not called by everybody at once.
 */
export function waitAfterTries(tries: number, chance: number): number | undefined {
  const waitSeconds = waitsSeconds[tries - 1];
  return waitSeconds === undefined ? undefined : waitSeconds * 1000 * (1 + chance / 10);
}
