import { expect, test } from 'vitest';
import { lastLines } from './last-lines.ts';

test('only the end of a log is shown', () => {
  expect(lastLines('one\ntwo\nthree\n', 2)).toBe('  two\n  three');
});

test('an empty log is said to be empty', () => {
  expect(lastLines('\n\n', 5)).toBe('  (it wrote nothing)');
});
