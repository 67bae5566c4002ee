import { expect, test } from 'vitest';
import { newCodes } from '../../platform/typed-codes.ts';
import { readCodeFile } from './code-file.ts';

const [one = '', two = '', three = ''] = newCodes(3);
const complaintsOf = (text: string) => readCodeFile(text).complaints;

test('a redeem code file holds one code per line, with or without a final line break', () => {
  for (const text of [`${one}\n${two}`, `${one}\n${two}\n`, `${one}\r\n${two}\r\n`]) {
    expect(readCodeFile(text)).toEqual({ codes: [one, two], complaints: [] });
  }
});

test('the errors of a redeem code file name every wrong line and never repeat a code', () => {
  const short = 'G7KD-9XMP';
  const complaints = complaintsOf([one, short, '', one.toLowerCase(), `${two}é`].join('\n'));
  expect(complaints).toEqual([
    'line 2 can be guessed: less than 64 bits are its own',
    'line 3 is empty',
    'line 4 is the code of line 1',
    'line 5 is not up to 100 plain letters and digits',
  ]);
  expect(complaints.join()).not.toContain(one);
});

test('an imported redeem code of digits has to be longer than one of letters to be strong enough against guessing', () => {
  expect(complaintsOf('12345678901234567890')).toEqual([]);
  expect(complaintsOf('1234567890123456')).toHaveLength(1);
  expect(complaintsOf('0123456789abcdef')).toEqual([]);
});

test('a prefix shared by all codes of a redeem code file does not count towards their strength against guessing', () => {
  const ends = ['A7KD9', 'CV25X', 'TWR9M'];
  const weak = ends.map((end) => `SUMMER-EVENT-2026-${end}`).join('\n');
  expect(complaintsOf(weak)).toHaveLength(3);
  const strong = [one, two, three].map((code) => `SUMMER-EVENT-2026-${code}`).join('\n');
  expect(complaintsOf(strong)).toEqual([]);
});

test('an empty redeem code file and one with more than a million codes are refused', () => {
  expect(complaintsOf('')).toEqual(['there is no code in it']);
  expect(complaintsOf('x\n'.repeat(1_000_001))).toEqual(['more than 1000000 codes']);
});
