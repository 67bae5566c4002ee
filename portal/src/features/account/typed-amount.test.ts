import type { CurrencyCode } from '@pointgate/contract/money.ts';
import { describe, expect, test } from 'vitest';
import { toMinor } from './typed-amount.ts';

type Case = [typed: string, currency: CurrencyCode, locale: string, minor: bigint | null];

describe('typed amounts', () => {
  test.each<Case>([
    ['50', 'USD', 'en-US', 5000n],
    ['0', 'USD', 'en-US', 0n],
    ['4.99', 'USD', 'en-US', 499n],
    ['4.9', 'USD', 'en-US', 490n],
    ['4,99', 'EUR', 'de-DE', 499n],
    ['1,234.50', 'USD', 'en-US', 123_450n],
    ['1.234,50', 'EUR', 'de-DE', 123_450n],
    ['1,000', 'USD', 'en-US', 100_000n],
    ['1.000', 'EUR', 'de-DE', 100_000n],
    ['1.000.000', 'VND', 'vi-VN', 1_000_000n],
    ["1'000", 'USD', 'en-US', 100_000n],
    [' 1 000 ', 'USD', 'en-US', 100_000n],
    ['５０００', 'JPY', 'ja-JP', 5000n],
    ['007', 'USD', 'en-US', 700n],
    ['999999999999.99', 'USD', 'en-US', 99_999_999_999_999n],
  ])(
    'the spending budget "%s" in %s, typed in locale %s, is parsed as %s minor units',
    (typed, currency, locale, minor) => {
      expect(toMinor(typed, { currency, locale })).toBe(minor);
    },
  );

  test.each<Case>([
    // Two digits after the separator leave only one meaning.
    ['4,99', 'USD', 'en-US', 499n],
    ['4.99', 'EUR', 'de-DE', 499n],
  ])(
    'the spending budget "%s" in %s is accepted although its decimal separator is not that of locale %s',
    (typed, currency, locale, minor) => {
      expect(toMinor(typed, { currency, locale })).toBe(minor);
    },
  );

  test.each<Case>([
    ['1.000', 'USD', 'en-US', null],
    ['1,000', 'EUR', 'de-DE', null],
    ['1,00,000', 'USD', 'en-US', null],
    ['1,000.000', 'USD', 'en-US', null],
    ['1.2.3', 'USD', 'en-US', null],
    ['50.5', 'JPY', 'ja-JP', null],
    ['4.999', 'USD', 'en-US', null],
    ['-5', 'USD', 'en-US', null],
    ['1e3', 'USD', 'en-US', null],
    ['.5', 'USD', 'en-US', null],
    ['5.', 'USD', 'en-US', null],
    ['$5', 'USD', 'en-US', null],
    ['', 'USD', 'en-US', null],
    ['1000000000000', 'USD', 'en-US', null],
  ])(
    'the spending budget "%s" in %s is rejected in locale %s as ambiguous or malformed',
    (typed, currency, locale, minor) => {
      expect(toMinor(typed, { currency, locale })).toBe(minor);
    },
  );
});
