import { type CurrencyCode, currencyDecimals, toDecimalString } from '@pointgate/contract/money.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readDecimalAmount } from './decimal-amount.ts';

const currencies = fc.constantFrom(...(Object.keys(currencyDecimals) as CurrencyCode[]));
const amounts = fc.bigInt({ min: -(10n ** 15n) + 1n, max: 10n ** 15n - 1n });
const zeros = fc.nat({ max: 5 }).map((count) => '0'.repeat(count));

test('an amount of money that is sent to a provider as a decimal string is read back exactly', () => {
  fc.assert(
    fc.property(amounts, currencies, (amountMinor, currency) => {
      const text = toDecimalString({ amountMinor, currency });
      expect(readDecimalAmount(text, currency)).toBe(amountMinor);
    }),
  );
});

test('an amount of money in a decimal string is read the same with and without trailing zeros', () => {
  fc.assert(
    fc.property(amounts, currencies, zeros, (amountMinor, currency, more) => {
      const text = toDecimalString({ amountMinor, currency });
      const longer = more === '' || text.includes('.') ? text + more : `${text}.${more}`;
      expect(readDecimalAmount(longer, currency)).toBe(amountMinor);
    }),
  );
});

test('an amount of money in a decimal string with more decimals than its currency has is refused, never rounded', () => {
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
  'an amount of money in a provider’s answer, the decimal string %s, is read exactly in the currency %s',
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
])(
  'an amount of money in a provider’s answer is refused if it is the malformed string "%s"',
  (text) => {
    expect(readDecimalAmount(text, 'USD')).toBeUndefined();
  },
);
