import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import * as z from 'zod/mini';
import {
  Amount,
  Currency,
  type CurrencyCode,
  currencyDecimals,
  toDecimalString,
  toSafeNumber,
} from './money.ts';

const currencies = Object.keys(currencyDecimals) as CurrencyCode[]; // as: keys() forgets its keys

describe('decimal amounts', () => {
  test.each([
    ['CNY', '4.99'],
    ['EUR', '4.99'],
    ['HKD', '4.99'],
    ['JPY', '499'],
    ['KRW', '499'],
    ['THB', '4.99'],
    ['TWD', '4.99'],
    ['USD', '4.99'],
    ['VND', '499'],
  ] as const)('an amount of 499 minor units of %s is shown as %s', (currency, shown) => {
    expect(toDecimalString({ amountMinor: 499n, currency })).toBe(shown);
  });

  test('the supported currencies are CNY, EUR, HKD, JPY, KRW, THB, TWD, USD and VND', () => {
    expect(currencies.toSorted()).toEqual(
      'CNY EUR HKD JPY KRW THB TWD USD VND'.split(' ').toSorted(),
    );
    expect(Object.values(Currency.def.entries).toSorted()).toEqual(currencies.toSorted());
  });

  test.each([
    [0n, '0.00'],
    [5n, '0.05'],
    [50n, '0.50'],
    [100n, '1.00'],
    [-5n, '-0.05'],
    [-499n, '-4.99'],
    [-100n, '-1.00'],
    [999_999_999_999_999_999n, '9999999999999999.99'],
  ])('an amount of %d US cents is shown as %s dollars', (amountMinor, shown) => {
    expect(toDecimalString({ amountMinor, currency: 'USD' })).toBe(shown);
  });

  test('an amount of money written in decimals has exactly the digits of the amount in minor units', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -(10n ** 18n), max: 10n ** 18n }),
        fc.constantFrom(...currencies),
        (amountMinor, currency) => {
          const shown = toDecimalString({ amountMinor, currency });
          const [, decimals = ''] = shown.split('.');
          expect(decimals).toHaveLength(currencyDecimals[currency]);
          expect(BigInt(shown.replace('.', ''))).toBe(amountMinor);
        },
      ),
    );
  });
});

describe('amounts in JSON', () => {
  test('an amount of money of any size is unchanged after encoding to JSON and decoding', () => {
    const largest = 10n ** 18n - 1n;
    fc.assert(
      fc.property(fc.bigInt({ min: -largest, max: largest }), (amount) => {
        const wire = z.encode(Amount, amount);
        expect(wire).toBe(amount.toString());
        expect(z.decode(Amount, wire)).toBe(amount);
      }),
    );
  });

  test.each([
    ['as a fraction', '4.99'],
    ['with a comma', '4,99'],
    ['with an exponent', '1e3'],
    ['with a leading zero', '0499'],
    ['with a plus sign', '+499'],
    ['as negative zero', '-0'],
    ['as a hexadecimal number', '0x10'],
    ['as an empty text', ''],
    ['with a leading blank', ' 499'],
    ['with a trailing line break', '499\n'],
    ['in digits of another script', '٤٩٩'],
    ['with more digits than the database holds', '1000000000000000000'],
    ['as a JSON number', 499],
    ['as null', null],
  ])('an amount of money in JSON is refused if it is given %s', (_what, sent) => {
    expect(Amount.safeParse(sent).success).toBe(false);
  });
});

test('an amount of money is converted to a JavaScript number only if it is a safe integer', () => {
  expect(toSafeNumber(9_007_199_254_740_991n)).toBe(9_007_199_254_740_991);
  expect(() => toSafeNumber(9_007_199_254_740_992n)).toThrow('does not fit');
});
