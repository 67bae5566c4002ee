import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Deferral, deferredOf } from './deferred.ts';

const unused: Deferral = { soldMinor: 499n, keptMinor: 499n, keptPoints: 500n, remaining: 500n };

test.each<[string, Partial<Deferral>, bigint]>([
  ['defers 4.99 while no point is used', {}, 499n],
  ['defers 4.99 after one used point, which is worth less than a cent', { remaining: 499n }, 499n],
  ['defers 4.98 after two used points', { remaining: 498n }, 498n],
  ['defers 2.50 after half of the points are used', { remaining: 250n }, 250n],
  ['defers 0.01 after all but one point are used', { remaining: 1n }, 1n],
  ['defers nothing after all points are used', { remaining: 0n }, 0n],
  ['defers 4.99 while its lot holds more points than were sold', { remaining: 600n }, 499n],
  [
    'defers 4.99 while a refund of a fifth is pending',
    { keptMinor: 399n, keptPoints: 399n, remaining: 399n },
    499n,
  ],
  [
    'defers 3.99 after a refund of a fifth',
    { soldMinor: 399n, keptMinor: 399n, keptPoints: 399n },
    399n,
  ],
  [
    'defers 1.00 while a refund of a fifth is pending and the rest is used',
    { keptMinor: 399n, keptPoints: 399n, remaining: 0n },
    100n,
  ],
  [
    'defers 4.99 while a full refund is pending',
    { keptMinor: 0n, keptPoints: 0n, remaining: 0n },
    499n,
  ],
  [
    'defers nothing after a full refund',
    { soldMinor: 0n, keptMinor: 0n, keptPoints: 0n, remaining: 0n },
    0n,
  ],
  [
    'defers nothing when the kept cent is worth no point',
    { soldMinor: 1n, keptMinor: 1n, keptPoints: 0n },
    0n,
  ],
])(
  'the deferred revenue of a top-up of 500 points for 4.99 depends on its unspent points and refunds: the shop %s',
  (_what, changes, deferred) => {
    expect(deferredOf({ ...unused, ...changes })).toBe(deferred);
  },
);

const amount = fc.bigInt({ min: 0n, max: 10_000_000n });
const anyDeferral: fc.Arbitrary<Deferral> = fc
  .tuple(amount, amount, amount, amount)
  .map(([one, other, keptPoints, remaining]) => ({
    soldMinor: one + other,
    keptMinor: one,
    keptPoints,
    remaining,
  }));

test('the deferred revenue of a point top-up is never negative and never exceeds the price of the top-up', () => {
  fc.assert(
    fc.property(anyDeferral, (deferral) => {
      const deferred = deferredOf(deferral);
      expect(deferred >= deferral.soldMinor - deferral.keptMinor).toBe(true);
      expect(deferred <= deferral.soldMinor).toBe(true);
    }),
  );
});

test('the deferred revenue of a top-up never grows when points are spent and never shrinks when points are returned', () => {
  fc.assert(
    fc.property(anyDeferral, amount, (deferral, other) => {
      const more = { ...deferral, remaining: deferral.remaining + other };
      expect(deferredOf(deferral) <= deferredOf(more)).toBe(true);
    }),
  );
});

test('after any sequence of spends and returns, the revenue of a fully spent top-up equals its price less refunds', () => {
  fc.assert(
    fc.property(anyDeferral, fc.array(amount), (deferral, ways) => {
      let [deferred, recognised] = [0n, 0n];
      for (const remaining of [deferral.keptPoints, ...ways, 0n]) {
        const now = deferredOf({ ...deferral, remaining });
        // The ledger posts only the differences.
        recognised += deferred === 0n ? deferral.soldMinor - now - recognised : deferred - now;
        deferred = now;
        expect(deferred + recognised).toBe(deferral.soldMinor);
      }
      expect(recognised).toBe(deferral.keptMinor);
    }),
  );
});
