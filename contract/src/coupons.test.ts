import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CouponPurchase, type CouponTerms, discountOf } from './coupons.ts';

const anywhere: CouponTerms = {
  basisPoints: null,
  amountMinor: null,
  currency: null,
  capMinor: null,
  minimumMinor: null,
  kind: null,
  gameIds: null,
  itemIds: null,
};
const share = (basisPoints: number, more: Partial<CouponTerms> = {}): CouponTerms => ({
  ...anywhere,
  basisPoints,
  ...more,
});
const off = (amountMinor: bigint, more: Partial<CouponTerms> = {}): CouponTerms => ({
  ...anywhere,
  amountMinor,
  currency: 'USD',
  ...more,
});
const costing = (amountMinor: bigint, more: Partial<CouponPurchase> = {}): CouponPurchase => ({
  kind: 'item',
  gameId: 'solmere',
  itemId: 'shards_300',
  price: { amountMinor, currency: 'USD' },
  ...more,
});

test.each([
  ['a share is rounded down', share(1500), 499n, 74n], // of 74.85
  ['a part of a percent', share(250), 1000n, 25n],
  ['all of it leaves the smallest unit', share(10_000), 499n, 498n],
  ['a share stops at its cap', share(5000, { currency: 'USD', capMinor: 100n }), 499n, 100n],
  ['a cap above the share is none', share(1000, { currency: 'USD', capMinor: 100n }), 499n, 49n],
  ['an amount', off(100n), 499n, 100n],
  ['an amount above the price leaves the smallest unit', off(500n), 499n, 498n],
  ['the exact price leaves the smallest unit', off(499n), 499n, 498n],
  ['the exact minimum is enough', off(100n, { minimumMinor: 499n }), 499n, 100n],
])('%s', (_what, terms, priceMinor, discountMinor) => {
  expect(discountOf(terms, costing(priceMinor))).toBe(discountMinor);
});

test.each([
  ['less than the minimum', off(100n, { minimumMinor: 500n }), 499n, {}, 'CouponBelowMinimum'],
  ['the smallest unit', off(100n), 1n, {}, 'CouponBelowMinimum'],
  ['a share of less than the smallest unit', share(1), 499n, {}, 'CouponBelowMinimum'],
  [
    'another currency',
    off(100n),
    499n,
    { price: { amountMinor: 499n, currency: 'JPY' } },
    'CouponNotForThis',
  ],
  [
    'points, whatever the coupon says',
    share(1000),
    499n,
    { price: { amountMinor: 499n, currency: 'EPOINT' } },
    'CouponNotForThis',
  ],
  ['another kind', share(1000, { kind: 'points' }), 499n, {}, 'CouponNotForThis'],
  ['another game', share(1000, { kind: 'item', gameIds: ['a'] }), 499n, {}, 'CouponNotForThis'],
  ['another item', share(1000, { kind: 'item', itemIds: ['a'] }), 499n, {}, 'CouponNotForThis'],
  [
    'no game where it is for one',
    share(1000, { gameIds: ['solmere'] }),
    499n,
    { kind: 'points', gameId: null },
    'CouponNotForThis',
  ],
] as const)('nothing is taken off %s', (_what, terms, priceMinor, more, refusal) => {
  expect(discountOf(terms as CouponTerms, costing(priceMinor, more))).toBe(refusal); // as: read-only lists
});

test('what it names is what it is for', () => {
  const terms = share(1000, { kind: 'item', gameIds: ['solmere'], itemIds: ['shards_300'] });
  expect(discountOf(terms, costing(499n))).toBe(49n);
});

const amount = fc.oneof(
  fc.bigInt({ min: 1n, max: 200n }),
  fc.bigInt({ min: 1n, max: 9_999_999_999_999_999n }),
);
const maybe = fc.option(amount);
const terms = fc
  .record({
    isShare: fc.boolean(),
    basisPoints: fc.integer({ min: 1, max: 10_000 }),
    amountMinor: amount,
    currency: fc.constantFrom('USD', 'USD', 'JPY'),
    capMinor: maybe,
    minimumMinor: maybe,
    kind: fc.constantFrom(null, null, 'item', 'points'),
  })
  .map(({ isShare, ...rest }) => ({
    ...anywhere,
    ...rest,
    basisPoints: isShare ? rest.basisPoints : null,
    amountMinor: isShare ? null : rest.amountMinor,
    capMinor: isShare ? rest.capMinor : null,
  }));

test('of 50,000 orders each pays at least the smallest unit and never more than its price', () => {
  const seen = { discounted: 0, CouponNotForThis: 0, CouponBelowMinimum: 0 };
  fc.assert(
    fc.property(
      terms,
      amount,
      fc.integer({ min: 1, max: 99 }),
      fc.constantFrom('item', 'points'),
      fc.constantFrom('USD', 'USD', 'USD', 'JPY', 'EPOINT'),
      (drawn, each, packs, kind, currency) => {
        const given = drawn as CouponTerms; // as: drawn from what the schema allows
        const priceMinor = each * BigInt(packs);
        const purchase = { kind, price: { amountMinor: priceMinor, currency } } as const;
        const discount = discountOf(given, costing(0n, purchase as Partial<CouponPurchase>)); // as: see above
        if (typeof discount !== 'bigint') {
          seen[discount as 'CouponNotForThis'] += 1;
          const isOther =
            currency !== given.currency || (given.kind !== null && given.kind !== kind);
          expect(discount === 'CouponNotForThis').toBe(isOther);
          return;
        }
        seen.discounted += 1;
        expect(discount).toBeGreaterThan(0n);
        expect(priceMinor - discount).toBeGreaterThanOrEqual(1n);
        expect(priceMinor).toBeGreaterThanOrEqual(given.minimumMinor ?? 0n);
        expect(discount <= (given.capMinor ?? discount)).toBe(true);
        expect(discount <= (given.amountMinor ?? discount)).toBe(true);
        if (given.basisPoints === null) return;
        // Rounded down, and by less than one smallest unit unless a cap or the last unit stops it.
        const exact = priceMinor * BigInt(given.basisPoints);
        expect(discount * 10_000n).toBeLessThanOrEqual(exact);
        const isStopped = discount === given.capMinor || discount === priceMinor - 1n;
        if (!isStopped) expect((discount + 1n) * 10_000n).toBeGreaterThan(exact);
      },
    ),
    { numRuns: 50_000 },
  );
  // Each of them happens often, or nothing was tried.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(500);
});
