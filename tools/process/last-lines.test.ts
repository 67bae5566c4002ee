import { expect, test } from 'vitest';
import { lastLines } from './last-lines.ts';

test('the excerpt of a program log shows its last lines without the earlier lines', () => {
  expect(lastLines('one\ntwo\nthree\n', 2)).toBe('  two\n  three');
});

test('the excerpt of an empty program log says that the program wrote nothing', () => {
  expect(lastLines('\n\n', 5)).toBe('  (it wrote nothing)');
});
