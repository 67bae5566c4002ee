import { expect, test } from 'vitest';
import { lastLines } from './last-lines.ts';

test('the last lines of a log are shown without the earlier lines', () => {
  expect(lastLines('one\ntwo\nthree\n', 2)).toBe('  two\n  three');
});

test('an empty log is shown as one that has no output', () => {
  expect(lastLines('\n\n', 5)).toBe('  (it wrote nothing)');
});
