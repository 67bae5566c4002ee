import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseCsv } from './csv.ts';

// Text that is full of what has a meaning here.
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

test('whatever is written as a table is read back as it was', () => {
  fc.assert(
    fc.property(tables, (table) => {
      expect(parseCsv(write(table))).toEqual(table.records);
    }),
  );
});

test('any text is either refused or read without losing a letter', () => {
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
  ['nothing', '', []],
  ['one empty line', '\n', [['']]],
  [
    'empty fields',
    'a,\n,b',
    [
      ['a', ''],
      ['', 'b'],
    ],
  ],
  ['a line that ends with a comma and the text with it', 'a,', [['a', '']]],
  ['quoted commas, quotes and lines', '"a,""b""\r\nc",d\r\n', [['a,"b"\r\nc', 'd']]],
  ['spaces, which belong to the field', ' a , b', [[' a ', ' b']]],
])('%s is read', (_what, text, records) => {
  expect(parseCsv(text)).toEqual(records);
});

test.each([
  ['a quote that is never closed', 'a,"b\nc,d'],
  ['a quote inside a field', 'a"b,c'],
  ['a letter after a closed quote', '"a"b,c'],
  ['a lonely carriage return', 'a\rb'],
  ['a quote after a space', 'a, "b"'],
])('%s makes the whole refused', (_what, text) => {
  expect(parseCsv(text)).toBeUndefined();
});
