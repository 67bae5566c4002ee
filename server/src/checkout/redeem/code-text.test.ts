import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { canonicalCode, newCodes } from '../../platform/typed-codes.ts';
import { bitsOf, openCodeHash } from './code-text.ts';

const codes = newCodes(5_000);
const plain = codes.map((code) => code.replaceAll('-', '')).join('');

test('a generated redeem code is four groups of four characters without look-alikes such as 0 and O', () => {
  for (const code of codes) expect(code).toMatch(/^[2-79ACDEFGHJKMNPRTVWXY]{4}(-[2-79A-Y]{4}){3}$/);
  expect(plain).not.toMatch(/[018BILOQSUZ]/);
});

test('a generated redeem code has more than 64 random bits, with evenly distributed characters', () => {
  const kinds = new Set(plain).size;
  expect(kinds).toBe(25);
  expect(16 * Math.log2(kinds)).toBeGreaterThan(64);
  for (let place = 0; place < 16; place += 1) {
    const counts = new Map<string, number>();
    for (const code of codes) {
      const character = code.replaceAll('-', '').charAt(place);
      counts.set(character, (counts.get(character) ?? 0) + 1);
    }
    // 200 of each are expected; a difference of 98 is seven standard deviations.
    for (const count of counts.values()) expect(Math.abs(count - 200)).toBeLessThan(98);
  }
  expect(new Set(codes).size).toBe(codes.length);
});

test.each([
  ['in lower case', 'a7kd-9xmp-3twr-cv25'],
  ['without dashes', 'A7KD9XMP3TWRCV25'],
  ['with spaces', '  A7KD 9XMP\t3TWR CV25\n'],
  ['with typographic dashes', 'A7KD–9XMP—3TWR‐CV25'],
  ['in full-width characters', 'Ａ７ＫＤ－９ＸＭＰ　３ＴＷＲ－ＣＶ２５'],
  ['with invisible characters', 'A7KD-9XMP-3TWR-CV25\u200B\uFEFF'],
  ['with look-alike characters', 'A7KD-9XMP-3TWR-CUZS'],
])('a redeem code that a player types %s is normalized', (_how, typed) => {
  expect(canonicalCode(typed)).toBe('A7KD9XMP3TWRCV25');
});

test('look-alikes of 0 and 1 in imported redeem codes are normalized, and a hexadecimal code stays unchanged', () => {
  expect(canonicalCode('oOqQ-iIlL')).toBe('00001111');
  const digits = '0123456789ABCDEF';
  expect(canonicalCode(digits)).toBe(digits);
});

test.each([
  ['12345678901234567890', 66.4],
  ['1234567890123456789', 63.1],
  ['0123456789ABCDEF', 64],
  ['0123456789ABCDE', 60],
  ['G7KD9XMP3TWRCV', 65],
  ['G7KD9XMP3TWRC', 60.4],
])('the redeem code %s is rated with a guessing strength of %d bits', (code, bits) => {
  expect(bitsOf(code)).toBeCloseTo(bits, 1);
});

test('the hash of a redeem code does not depend on its spelling but depends on the hash key', () => {
  const hash = openCodeHash(randomBytes(32));
  expect(hash('A7KD-9XMP-3TWR-CV25')).toHaveLength(16);
  expect(hash('a7kd 9xmp 3twr cvzs')).toEqual(hash('A7KD-9XMP-3TWR-CV25'));
  expect(hash('A7KD-9XMP-3TWR-CV26')).not.toEqual(hash('A7KD-9XMP-3TWR-CV25'));
  expect(openCodeHash(randomBytes(32))('A7KD-9XMP-3TWR-CV25')).not.toEqual(
    hash('A7KD-9XMP-3TWR-CV25'),
  );
});

test('the hash of a redeem code is a truncated HMAC-SHA-256 of its text', () => {
  for (const code of ['', ...newCodes(20)]) {
    const key = randomBytes(32);
    const text = `redeem code\0${code.replaceAll('-', '')}`;
    const whole = createHmac('sha256', key).update(text).digest();
    expect(openCodeHash(key)(code)).toEqual(whole.subarray(0, 16));
  }
});
