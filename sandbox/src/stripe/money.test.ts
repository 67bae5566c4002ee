import { expect, test } from 'vitest';
import { displayAmount, leastAmountOf, majorAmount } from './money.ts';

test.each([
  [499, 'usd', '$4.99'],
  [500, 'usd', '$5.00'],
  [500, 'jpy', '¥500'],
  [12_000, 'krw', '₩12,000'],
  [129_000, 'vnd', '₫129,000'],
  [15_000, 'twd', 'NT$150.00'],
  [1234, 'kwd', 'KWD 1.234'],
])(
  'the Stripe sandbox displays an amount of %i in the smallest unit of %s as %s',
  (amount, currency, shown) => {
    expect(displayAmount(amount, currency).replaceAll('\u00a0', ' ')).toBe(shown);
  },
);

test.each([
  [499, 'usd', '4.99'],
  [-5, 'usd', '-0.05'],
  [0, 'eur', '0.00'],
  [-12_000, 'krw', '-12000'],
  [1, 'kwd', '0.001'],
])(
  'a Stripe sandbox settlement file has an amount of %i in the smallest unit of %s as %s',
  (amount, currency, written) => {
    expect(majorAmount(amount, currency)).toBe(written);
  },
);

test.each([
  ['usd', 50],
  ['eur', 50],
  ['gbp', 30],
  ['hkd', 400],
  ['jpy', 50],
  ['thb', 1000],
  ['krw', 1],
])(
  'the Stripe sandbox takes no charge in %s below %i in the smallest unit of that currency',
  (currency, least) => {
    expect(leastAmountOf(currency)).toBe(least);
  },
);
