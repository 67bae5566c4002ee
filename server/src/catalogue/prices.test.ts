import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PriceRule, priceIn, pricePoint } from './prices.ts';

const yenPoints = [120n, 600n, 1_200n, 3_000n];
const toYen: PriceRule = {
  currency: 'JPY',
  country: '*',
  baseCurrency: 'USD',
  rateNumerator: 120n, // 120 yen for a dollar, which is 100 cents
  rateDenominator: 100n,
  pointsMinor: yenPoints,
  stepMinor: 100n,
  rounding: 'nearest',
};

describe('price points', () => {
  test.each([
    ['4.99 USD to 600 yen', 499n, 600n],
    ['0.99 USD to 120 yen', 99n, 120n],
    ['an amount on a price point to that point', 500n, 600n],
    ['an amount below all price points to the lowest one', 1n, 120n],
    ['an amount halfway between two price points to the lower one', 300n, 120n],
    ['an amount above all price points to the nearest step', 4_999n, 6_000n],
    ['an amount just above the last price point to that point', 2_501n, 3_000n],
  ])(
    'a price rule converts a base price and rounds the result to a price that the rule allows (price point): it converts %s',
    (_what, base, expected) => {
      expect(pricePoint(base, toYen)).toBe(expected);
    },
  );

  test('a price rule that is set to round up or down chooses the next allowed price (price point) above or below the converted price', () => {
    expect(pricePoint(250n, { ...toYen, rounding: 'up' })).toBe(600n);
    expect(pricePoint(499n, { ...toYen, rounding: 'down' })).toBe(120n);
    expect(pricePoint(2_501n, { ...toYen, rounding: 'up' })).toBe(3_100n);
    expect(pricePoint(2_599n, { ...toYen, rounding: 'down' })).toBe(3_100n);
  });

  test('a price rule without a list of allowed prices (price points) rounds the converted price to a multiple of its step', () => {
    const toWon = { ...toYen, pointsMinor: [], rateNumerator: 14n, rateDenominator: 1n };
    expect(pricePoint(499n, toWon)).toBe(7_000n);
    const toDong = { ...toWon, rateNumerator: 25_123n, rateDenominator: 100n, stepMinor: 1_000n };
    expect(pricePoint(499n, toDong)).toBe(125_000n);
  });

  test('a price rule that rounds down converts even the smallest price to at least one step, never to zero', () => {
    const coarse = { ...toYen, pointsMinor: [], stepMinor: 1_000n, rounding: 'down' as const };
    expect(pricePoint(1n, coarse)).toBe(1_000n);
  });

  test('for random base prices, a price rule returns an allowed price or a multiple of its step, and never less when it rounds up', () => {
    const amount = fc.bigInt({ min: 1n, max: 10n ** 12n });
    fc.assert(
      fc.property(
        amount,
        fc.record({
          rateNumerator: fc.bigInt({ min: 1n, max: 10n ** 6n }),
          rateDenominator: fc.bigInt({ min: 1n, max: 10n ** 6n }),
          pointsMinor: fc.array(amount, { maxLength: 5 }),
          stepMinor: fc.bigInt({ min: 1n, max: 10n ** 6n }),
          rounding: fc.constantFrom('up' as const, 'nearest' as const, 'down' as const),
        }),
        (base, rule) => {
          const found = pricePoint(base, rule);
          const isOne = rule.pointsMinor.includes(found) || found % rule.stepMinor === 0n;
          expect(found > 0n && isOne).toBe(true);
          const exact = base * rule.rateNumerator;
          if (rule.rounding === 'up') expect(found * rule.rateDenominator >= exact).toBe(true);
        },
      ),
      { numRuns: 5_000 },
    );
  });
});

describe('prices by country', () => {
  const prices = { 'USD/*': 499n, 'USD/BR': 299n, 'JPY/*': 650n };
  const rules: PriceRule[] = [toYen, { ...toYen, country: 'JP' }, { ...toYen, currency: 'KRW' }];
  const yen = (country: string | null, known: Record<string, bigint> = prices) =>
    priceIn(known, rules, { unit: 'JPY', country })?.amountMinor;

  test('a catalogue price set for a country overrides the default price', () => {
    expect(priceIn(prices, rules, { unit: 'USD', country: 'BR' })?.amountMinor).toBe(299n);
    expect(priceIn(prices, rules, { unit: 'USD', country: 'DE' })?.amountMinor).toBe(499n);
    expect(priceIn(prices, rules, { unit: 'USD', country: null })?.amountMinor).toBe(499n);
  });

  test('a fixed country price overrides the price that a price rule derives for the same country', () => {
    expect(yen(null)).toBe(650n);
    expect(yen('JP')).toBe(600n);
    expect(yen('JP', { ...prices, 'JPY/JP': 640n })).toBe(640n);
    expect(yen('KR')).toBe(650n);
  });

  test('a price rule derives a price only from the base price of the item in its base currency, never from a price for a single country', () => {
    expect(yen(null, { 'EUR/*': 499n })).toBeUndefined();
    expect(yen(null, { 'USD/BR': 299n })).toBeUndefined();
    expect(priceIn(prices, rules, { unit: 'EUR', country: null })).toBeUndefined();
    expect(priceIn(prices, rules, { unit: 'EPOINT', country: null })).toBeUndefined();
  });
});
