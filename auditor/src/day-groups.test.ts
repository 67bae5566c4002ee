import { expect, test } from 'vitest';
import { groupDays } from './day-groups.ts';

const grouped = (...counted: [psp: string, day: string, rows: string][]) =>
  groupDays(counted, 10).map(({ psp, days }) => [psp, ...days]);

test('the auditor reads several small settlement days together in one group, up to the row limit of the group', () => {
  expect(grouped(['a', '1', '4'], ['a', '2', '0'], ['a', '3', '6'], ['a', '4', '1'])).toEqual([
    ['a', '1', '2', '3'],
    ['a', '4'],
  ]);
});

test('the auditor reads a settlement day with more rows than the row limit alone, not in a group with other days', () => {
  expect(grouped(['a', '1', '1'], ['a', '2', '11'], ['a', '3', '1'])).toEqual([
    ['a', '1'],
    ['a', '2'],
    ['a', '3'],
  ]);
});

test('the auditor never puts settlement days of two providers into one group', () => {
  expect(grouped(['a', '1', '1'], ['b', '1', '1'])).toEqual([
    ['a', '1'],
    ['b', '1'],
  ]);
});
