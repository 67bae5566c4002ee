const second = 1;
const minute = 60;
const hour = 3600;

// After the last wait a case is opened for an operator.
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
 * The wait after this many failed tries, or `undefined` at the end of the schedule. Random jitter of up to a
 * tenth keeps the retries from hitting a recovering game all at once.
 */
export function waitAfterTries(tries: number, chance: number): number | undefined {
  const waitSeconds = waitsSeconds[tries - 1];
  return waitSeconds === undefined ? undefined : waitSeconds * 1000 * (1 + chance / 10);
}
