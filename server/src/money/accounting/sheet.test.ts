import { expect, test } from 'vitest';
import { csvOf, decimalText } from './sheet.ts';

test.each<[bigint, string, string]>([
  [499n, 'USD', '4.99'],
  [-5n, 'USD', '-0.05'],
  [0n, 'EUR', '0.00'],
  [500n, 'JPY', '500'],
  [-500n, 'KRW', '-500'],
  [1234n, 'GBP', '12.34'],
  [12_345n, 'BHD', '12.345'],
  [525n, 'EPOINT', '525'],
  [90_071_992_547_409_931n, 'USD', '900719925474099.31'],
])('the accounting report writes an amount of %d minor units of %s as %s', (amount, unit, text) => {
  expect(decimalText(amount, unit)).toBe(text);
});

test('the accounting report quotes a CSV cell with a comma, a quote or a line break', () => {
  const rows = [
    ['a,b', 'say "no"'],
    ['c\nd', 'plain'],
  ];
  expect(csvOf({ file: 'a.csv', columns: ['one', 'two'], rows })).toBe(
    'one,two\r\n"a,b","say ""no"""\r\n"c\nd",plain\r\n',
  );
});
