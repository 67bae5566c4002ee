import { expect, test } from 'vitest';
import { isStorableText } from './text.ts';

test.each([
  ['plain text', 'Aveline'],
  ['an emoji, which is a pair of surrogates', 'gem 💎'],
  ['every kind of value', { a: [1, 2n, null, true, undefined, { b: 'ü' }] }],
])('%s can be stored', (_what, value) => {
  expect(isStorableText(value)).toBe(true);
});

test.each([
  ['a NUL', 'a\0b'],
  ['the first half of a pair', 'a\ud83d'],
  ['the second half of a pair', '\udc8ea'],
  ['a NUL in a list', ['fine', '\0']],
  ['a NUL deep inside', { a: { b: [{ c: '\0' }] } }],
  ['a NUL in a name', { 'a\0': 1 }],
])('%s cannot', (_what, value) => {
  expect(isStorableText(value)).toBe(false);
});

test.each([33, 100_000])(
  'lists in %i lists cannot, which is found out without running out of stack',
  (depth) => {
    expect(isStorableText(JSON.parse('['.repeat(depth) + ']'.repeat(depth)))).toBe(false);
  },
);
