import { expect, test } from 'vitest';
import { givenBulletin } from '../../test/news.ts';
import { pinnedFirst } from './pinned-first.ts';

const [one, two, three] = [givenBulletin(1), givenBulletin(2), givenBulletin(3)];
const guide = givenBulletin(4, { category: 'strategy' });

test('what is pinned comes first in the order it is pinned, and not a second time', () => {
  expect(
    pinnedFirst({ tab: 'all', pinned: [one, three], listed: [guide, three, two, one] }),
  ).toEqual([one, three, guide, two]);
});

test('in a tab only what is of its kind is on top', () => {
  expect(pinnedFirst({ tab: 'strategy', pinned: [one, guide], listed: [guide] })).toEqual([guide]);
  expect(pinnedFirst({ tab: 'activity', pinned: [guide], listed: [two] })).toEqual([two]);
});

test('what is pinned is there even if the list has not come that far', () => {
  expect(pinnedFirst({ tab: 'all', pinned: [one], listed: [three, two] })).toEqual([
    one,
    three,
    two,
  ]);
});
