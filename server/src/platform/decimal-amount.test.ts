import { type CurrencyCode, currencyDecimals, toDecimalString } from '@pointgate/contract/money.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDecimalAmount } from './decimal-amount.ts';

const currencies = fc.constantFrom(...(Object.keys(currencyDecimals) as CurrencyCode[]));
const amounts = fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });
const zeros = fc.nat({ max: 5 }).map((count) => '0'.repeat(count));

test('an amount of money written as a decimal string for a provider is read back exactly', () => {
  fc.assert(
    fc.property(amounts, currencies, (amountMinor, currency) => {
      const text = toDecimalString({ amountMinor, currency });
      expect(readDecimalAmount(text, currency)).toBe(amountMinor);
    }),
  );
});

test('trailing zeros of a decimal string do not change the amount of money read from it', () => {
  fc.assert(
    fc.property(amounts, currencies, zeros, (amountMinor, currency, more) => {
      const text = toDecimalString({ amountMinor, currency });
      const longer = more === '' || text.includes('.') ? text + more : `${text}.${more}`;
      expect(readDecimalAmount(longer, currency)).toBe(amountMinor);
    }),
  );
});

test('a decimal string finer than the smallest unit of its currency is refused, never rounded', () => {
  fc.assert(
    fc.property(amounts, currencies, zeros, (amountMinor, currency, between) => {
      const text = toDecimalString({ amountMinor, currency });
      const finer = `${text}${text.includes('.') ? '' : '.'}${between}1`;
      expect(readDecimalAmount(finer, currency)).toBeUndefined();
    }),
  );
});

test.each<[string, CurrencyCode, bigint]>([
  ['4.99', 'USD', 499n],
  ['-4.9', 'USD', -490n],
  ['0.05', 'EUR', 5n],
  ['5', 'USD', 500n],
  ['648', 'JPY', 648n],
  ['648.00', 'JPY', 648n],
  ['-0.00', 'USD', 0n],
  ['999999999999999.99', 'USD', 99999999999999999n],
])(
  'the decimal string %s of a provider is read exactly as an amount in %s',
  (text, currency, amount) => {
    expect(readDecimalAmount(text, currency)).toBe(amount);
  },
);

test.each([
  '',
  '-',
  '.',
  '5.',
  '.5',
  '+5',
  ' 5',
  '5 ',
  '5\n',
  '1e3',
  '1,000.00',
  '1.000,00',
  '--5',
  '0x5',
  '٥',
  'NaN',
  '1'.repeat(16),
])('the decimal string "%s" is refused as an amount of money', (text) => {
  expect(readDecimalAmount(text, 'USD')).toBeUndefined();
});
