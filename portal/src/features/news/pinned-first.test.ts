import { expect, test } from 'vitest';
import { givenBulletin } from '../../../test/news.ts';
import { pinnedFirst } from './pinned-first.ts';

const [one, two, three] = [givenBulletin(1), givenBulletin(2), givenBulletin(3)];
const guide = givenBulletin(4, { category: 'strategy' });

test('the news page lists pinned bulletins first, in pinned order, and not a second time', () => {
  expect(
    pinnedFirst({ tab: 'all', pinned: [one, three], listed: [guide, three, two, one] }),
  ).toEqual([one, three, guide, two]);
});

test('a tab of the news page shows no pinned bulletins of other categories', () => {
  expect(pinnedFirst({ tab: 'strategy', pinned: [one, guide], listed: [guide] })).toEqual([guide]);
  expect(pinnedFirst({ tab: 'activity', pinned: [guide], listed: [two] })).toEqual([two]);
});

test('the news page shows a pinned bulletin even when the loaded part of the news list does not contain that bulletin', () => {
  expect(pinnedFirst({ tab: 'all', pinned: [one], listed: [three, two] })).toEqual([
    one,
    three,
    two,
  ]);
});
