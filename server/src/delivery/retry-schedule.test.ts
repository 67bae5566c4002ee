import fc from 'fast-check';
import { expect, test } from 'vitest';
import { waitAfterTries } from './retry-schedule.ts';

const second = 1000;
const minute = 60 * second;
const hour = 60 * minute;

test('a failed delivery is retried after 1 s, 10 s, 1 min and further waits up to one week', () => {
  const waits = Array.from({ length: 11 }, (_, index) => waitAfterTries(index + 1, 0));
  expect(waits).toEqual([
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
  ]);
});

test('the retry schedule of a delivery ends after eleven waits', () => {
  expect(waitAfterTries(12, 0)).toBeUndefined();
  expect(waitAfterTries(13, 0.5)).toBeUndefined();
});

test('the random jitter of a delivery retry adds at most a tenth and never shortens the wait', () => {
  const tries = fc.integer({ min: 1, max: 11 });
  const chance = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  fc.assert(
    fc.property(tries, chance, (count, drawn) => {
      const least = waitAfterTries(count, 0) ?? 0;
      const wait = waitAfterTries(count, drawn) ?? 0;
      return wait >= least && wait < least * 1.1 + 1;
    }),
  );
  expect(waitAfterTries(1, 0.5)).toBe(1050);
});
