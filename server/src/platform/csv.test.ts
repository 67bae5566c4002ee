import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from './csv.ts';

// Arbitrary text, and text made of the characters that have a meaning in CSV.
const field = fc.oneof(
  fc.string(),
  fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a', 'é', '😀') }),
);
interface Table {
  records: string[][];
  lineEnd: string;
  endsWithLine: boolean;
  quotesAll: boolean;
}
const tables: fc.Arbitrary<Table> = fc.record({
  records: fc.array(fc.array(field, { minLength: 1, maxLength: 5 }), { maxLength: 5 }),
  lineEnd: fc.constantFrom('\n', '\r\n'),
  endsWithLine: fc.boolean(),
  quotesAll: fc.boolean(),
});

function write({ records, lineEnd, endsWithLine, quotesAll }: Table): string {
  const quote = (value: string, isAlone: boolean) =>
    quotesAll || /[",\r\n]/.test(value) || (isAlone && value === '')
      ? `"${value.replaceAll('"', '""')}"`
      : value;
  const lines = records.map((record) =>
    record.map((value) => quote(value, record.length === 1)).join(','),
  );
  return lines.join(lineEnd) + (endsWithLine && lines.length > 0 ? lineEnd : '');
}

test('the CSV parser for settlement reports reads back any generated table unchanged', () => {
  fc.assert(
    fc.property(tables, (table) => {
      expect(parseCsv(write(table))).toEqual(table.records);
    }),
  );
});

test('the CSV parser for settlement reports refuses a random text or reads every letter of the text', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('"', ',', '\r', '\n', 'a') }), (text) => {
      const records = parseCsv(text);
      if (records === undefined) return;
      const again = { records, lineEnd: '\n', endsWithLine: false, quotesAll: true };
      expect(parseCsv(write(again))).toEqual(records);
      const letters = (some: string) => some.replaceAll(/[^a]/g, '');
      expect(letters(records.flat().join(''))).toBe(letters(text));
    }),
  );
});

test.each<[string, string, string[][]]>([
  ['no content', '', []],
  ['one empty line', '\n', [['']]],
  [
    'empty fields',
    'a,\n,b',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['a trailing comma', 'a,', [['a', '']]],
  ['quoted commas, quotes and line breaks', '"a,""b""\r\nc",d\r\n', [['a,"b"\r\nc', 'd']]],
  ['spaces around fields', ' a , b', [[' a ', ' b']]],
])('the CSV parser for settlement reports reads a file with %s', (_what, text, records) => {
  expect(parseCsv(text)).toEqual(records);
});

test.each([
  ['an unclosed quote', 'a,"b\nc,d'],
  ['a quote inside a field', 'a"b,c'],
  ['a letter after a closing quote', '"a"b,c'],
  ['a lone carriage return', 'a\rb'],
  ['a quote after a space', 'a, "b"'],
])('the CSV parser for settlement reports refuses a whole file with %s', (_what, text) => {
  expect(parseCsv(text)).toBeUndefined();
});
