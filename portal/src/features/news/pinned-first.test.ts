import { expect, test } from 'vitest';
import { givenBulletin } from '../../../test/news.ts';
import { pinnedFirst } from './pinned-first.ts';

const [one, two, three] = [givenBulletin(1), givenBulletin(2), givenBulletin(3)];
const guide = givenBulletin(4, { category: 'strategy' });

test('pinned bulletins come first in pinned order and are not listed twice', () => {
  expect(
    pinnedFirst({ tab: 'all', pinned: [one, three], listed: [guide, three, two, one] }),
  ).toEqual([one, three, guide, two]);
});

test('a news tab shows only pinned bulletins of its own category', () => {
  expect(pinnedFirst({ tab: 'strategy', pinned: [one, guide], listed: [guide] })).toEqual([guide]);
  expect(pinnedFirst({ tab: 'activity', pinned: [guide], listed: [two] })).toEqual([two]);
});

test('a pinned bulletin is shown even when the loaded part of the list does not contain that bulletin', () => {
  expect(pinnedFirst({ tab: 'all', pinned: [one], listed: [three, two] })).toEqual([
    one,
    three,
    two,
  ]);
});
