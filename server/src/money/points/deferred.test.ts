import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Deferral, deferredOf } from './deferred.ts';

const unused: Deferral = { soldMinor: 499n, keptMinor: 499n, keptPoints: 500n, remaining: 500n };

test.each<[string, Partial<Deferral>, bigint]>([
  ['nothing is used', {}, 499n],
  ['one point is used, which is not worth a cent', { remaining: 499n }, 499n],
  ['two points are used', { remaining: 498n }, 498n],
  ['half is used', { remaining: 250n }, 250n],
  ['all but one point is used', { remaining: 1n }, 1n],
  ['all is used, and the last point takes the rest', { remaining: 0n }, 0n],
  ['more lies in the lot than it stands for', { remaining: 600n }, 499n],
  ['a fifth is on its way back', { keptMinor: 399n, keptPoints: 399n, remaining: 399n }, 499n],
  ['a fifth has gone back', { soldMinor: 399n, keptMinor: 399n, keptPoints: 399n }, 399n],
  [
    'a fifth is on its way back and all the rest is used',
    { keptMinor: 399n, keptPoints: 399n, remaining: 0n },
    100n,
  ],
  ['all is on its way back', { keptMinor: 0n, keptPoints: 0n, remaining: 0n }, 499n],
  ['all has gone back', { soldMinor: 0n, keptMinor: 0n, keptPoints: 0n, remaining: 0n }, 0n],
  ['what stays is worth no point', { soldMinor: 1n, keptMinor: 1n, keptPoints: 0n }, 0n],
])('of 4.99 for 500 points, when %s', (_what, changes, deferred) => {
  expect(deferredOf({ ...unused, ...changes })).toBe(deferred);
});

const amount = fc.bigInt({ min: 0n, max: 10_000_000n });
const anyDeferral: fc.Arbitrary<Deferral> = fc
  .tuple(amount, amount, amount, amount)
  .map(([one, other, keptPoints, remaining]) => ({
    soldMinor: one + other,
    keptMinor: one,
    keptPoints,
    remaining,
  }));

test('what is deferred is never below nothing and never more than was sold', () => {
  fc.assert(
    fc.property(anyDeferral, (deferral) => {
      const deferred = deferredOf(deferral);
      expect(deferred >= deferral.soldMinor - deferral.keptMinor).toBe(true);
      expect(deferred <= deferral.soldMinor).toBe(true);
    }),
  );
});

test('a point that is used never makes more deferred, and one that comes back never less', () => {
  fc.assert(
    fc.property(anyDeferral, amount, (deferral, other) => {
      const more = { ...deferral, remaining: deferral.remaining + other };
      expect(deferredOf(deferral) <= deferredOf(more)).toBe(true);
    }),
  );
});

test('all points used is all that stays recognised, whatever the price and the steps to it', () => {
  fc.assert(
    fc.property(anyDeferral, fc.array(amount), (deferral, ways) => {
      let [deferred, recognised] = [0n, 0n];
      for (const remaining of [deferral.keptPoints, ...ways, 0n]) {
        const now = deferredOf({ ...deferral, remaining });
        // Posted are differences.
        recognised += deferred === 0n ? deferral.soldMinor - now - recognised : deferred - now;
        deferred = now;
        expect(deferred + recognised).toBe(deferral.soldMinor);
      }
      expect(recognised).toBe(deferral.keptMinor);
    }),
  );
});
