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

describe('an amount as people read it', () => {
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
  ] as const)('499 of the smallest unit of %s is %s', (currency, shown) => {
    expect(toDecimalString({ amountMinor: 499n, currency })).toBe(shown);
  });

  test('every currency the shop can price in is in the list above', () => {
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
  ])('%d cents are %s dollars', (amountMinor, shown) => {
    expect(toDecimalString({ amountMinor, currency: 'USD' })).toBe(shown);
  });

  test('no digit is ever lost or made up', () => {
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

describe('an amount on the wire', () => {
  test('comes back as it went, however large', () => {
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
    ['a fraction', '4.99'],
    ['a comma', '4,99'],
    ['an exponent', '1e3'],
    ['a leading zero', '0499'],
    ['a plus', '+499'],
    ['minus nothing', '-0'],
    ['a hexadecimal number', '0x10'],
    ['nothing', ''],
    ['a blank', ' 499'],
    ['a line end', '499\n'],
    ['digits of another script', '٤٩٩'],
    ['more digits than the database holds', '1000000000000000000'],
    ['a JSON number', 499],
    ['null', null],
  ])('%s is refused', (_what, sent) => {
    expect(Amount.safeParse(sent).success).toBe(false);
  });
});

test('an amount becomes a number only if none of its digits are lost', () => {
  expect(toSafeNumber(9_007_199_254_740_991n)).toBe(9_007_199_254_740_991);
  expect(() => toSafeNumber(9_007_199_254_740_992n)).toThrow('does not fit');
});
