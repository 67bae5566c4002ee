import { expect, test } from 'vitest';
import { isStorableText } from './storable-text.ts';

test.each([
  ['plain text', 'Aveline'],
  ['text with an emoji', 'gem 💎'],
  ['a nested object of every kind of value', { a: [1, 2n, null, true, undefined, { b: 'ü' }] }],
])('the check for values that PostgreSQL can store accepts %s', (_what, value) => {
  expect(isStorableText(value)).toBe(true);
});

test.each([
  ['text with a NUL character', 'a\0b'],
  ['text with a lone high surrogate', 'a\ud83d'],
  ['text with a lone low surrogate', '\udc8ea'],
  ['a list with a NUL character', ['fine', '\0']],
  ['a nested object with a NUL character', { a: { b: [{ c: '\0' }] } }],
  ['an object with a NUL character in a field name', { 'a\0': 1 }],
])('the check for values that PostgreSQL can store refuses %s', (_what, value) => {
  expect(isStorableText(value)).toBe(false);
});

test.each([33, 100_000])(
  'the check for values that PostgreSQL can store refuses a list nested %i levels deep without a stack overflow',
  (depth) => {
    expect(isStorableText(JSON.parse('['.repeat(depth) + ']'.repeat(depth)))).toBe(false);
  },
);
