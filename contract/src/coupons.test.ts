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
  ['a percentage discount is rounded down', share(1500), 499n, 74n], // of 74.85
  ['a coupon of 2.5 percent takes off 2.5 percent', share(250), 1000n, 25n],
  ['a coupon of 100 percent leaves the smallest unit to pay', share(10_000), 499n, 498n],
  [
    'a percentage discount is limited by its cap',
    share(5000, { currency: 'USD', capMinor: 100n }),
    499n,
    100n,
  ],
  [
    'a cap above the percentage discount has no effect',
    share(1000, { currency: 'USD', capMinor: 100n }),
    499n,
    49n,
  ],
  ['a coupon of a fixed amount takes off that amount', off(100n), 499n, 100n],
  ['a coupon of an amount above the price leaves the smallest unit to pay', off(500n), 499n, 498n],
  ['a coupon of exactly the price leaves the smallest unit to pay', off(499n), 499n, 498n],
  [
    'a coupon applies to a price of exactly its minimum',
    off(100n, { minimumMinor: 499n }),
    499n,
    100n,
  ],
])(
  'the discount of a coupon is computed by its terms: %s',
  (_what, terms, priceMinor, discountMinor) => {
    expect(discountOf(terms, costing(priceMinor))).toBe(discountMinor);
  },
);

test.each([
  ['a price below its minimum', off(100n, { minimumMinor: 500n }), 499n, {}, 'CouponBelowMinimum'],
  ['a price of the smallest unit', off(100n), 1n, {}, 'CouponBelowMinimum'],
  ['a discount of less than the smallest unit', share(1), 499n, {}, 'CouponBelowMinimum'],
  [
    'a price in another currency',
    off(100n),
    499n,
    { price: { amountMinor: 499n, currency: 'JPY' } },
    'CouponNotForThis',
  ],
  [
    'a price in points',
    share(1000),
    499n,
    { price: { amountMinor: 499n, currency: 'EPOINT' } },
    'CouponNotForThis',
  ],
  ['another kind of purchase', share(1000, { kind: 'points' }), 499n, {}, 'CouponNotForThis'],
  ['another game', share(1000, { kind: 'item', gameIds: ['a'] }), 499n, {}, 'CouponNotForThis'],
  ['another item', share(1000, { kind: 'item', itemIds: ['a'] }), 499n, {}, 'CouponNotForThis'],
  [
    'a purchase without a game if it is limited to a game',
    share(1000, { gameIds: ['solmere'] }),
    499n,
    { kind: 'points', gameId: null },
    'CouponNotForThis',
  ],
] as const)('a coupon is refused for %s', (_what, terms, priceMinor, more, refusal) => {
  expect(discountOf(terms as CouponTerms, costing(priceMinor, more))).toBe(refusal); // as: read-only lists
});

test('a coupon limited to a kind of goods, a game and an item gives its discount on that item', () => {
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

test('an order with a coupon costs at least one minor unit of its currency and never more than its price', () => {
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
        const discount = discountOf(given, costing(0n, purchase as Partial<CouponPurchase>)); // as above
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
  // Each outcome occurs often enough for the test to be meaningful.
  for (const times of Object.values(seen)) expect(times).toBeGreaterThan(500);
});
