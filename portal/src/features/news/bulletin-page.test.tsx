import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { givenBulletin } from '../../../test/news.ts';
import { callsOf, expectAddress, givenShop, open, refused } from '../../../test/shop.tsx';

const detailPath = '/api/bulletin/detail/news-2';
const listPath = '/api/bulletin/list';
const address = '/main/event/detail/news-2';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const race = givenBulletin(2, { title: 'The boat race', category: 'strategy' });
const detail = {
  ...race,
  body: '<h2>When</h2><p>At noon. <a href="/main/recharge?item=shards_60">Top up</a></p>',
};

test('[S2.16] the announcement page shows title, date, category and text, and links back to all news', async () => {
  givenShop({ [detailPath]: detail });
  await open(address);
  await screen.findByRole('heading', { level: 1, name: 'The boat race' });
  await screen.findByRole('heading', { level: 2, name: 'When' });
  const article = screen.getByRole('article');
  expect(article.textContent).toContain('Strategy');
  expect(article.textContent).toContain('Oct 2, 2026');
  expect(article.querySelector('time')?.getAttribute('datetime')).toBe(race.publishedAt);
  expect(document.title).toBe('Announcement - Omni');
  fireEvent.click(screen.getByRole('link', { name: 'All news' }));
  await screen.findByRole('heading', { level: 1, name: 'News' });
  expectAddress('/main/event');
});

test('the announcement page lists other announcements of the same category, without a link to itself', async () => {
  const others = [5, 4, 2, 3].map((number) => givenBulletin(number, { category: 'strategy' }));
  const calls = givenShop({
    [detailPath]: detail,
    [listPath]: { bulletins: others, nextAfter: null },
    '/api/bulletin/detail/news-4': { ...givenBulletin(4), body: '<p>Of the fourth.</p>' },
  });
  await open(address);
  const more = within(await screen.findByRole('complementary', { name: 'More news' }));
  await more.findByRole('heading', { level: 2, name: 'More news' });
  expect(more.getAllByRole('link').map((link) => link.textContent)).toEqual([
    'News 5',
    'News 4',
    'News 3',
  ]);
  expect(callsOf(calls, listPath).map(({ body }) => body)).toEqual([
    { tab: 'strategy', after: null, limit: 4 },
  ]);
  fireEvent.click(more.getByRole('link', { name: 'News 4' }));
  await screen.findByText('Of the fourth.');
  expectAddress('/main/event/detail/news-4');
});

test('related announcements that fail to load leave the announcement visible and can be reloaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenShop({
    [detailPath]: detail,
    [listPath]: () =>
      isDown
        ? refused('SystemBusy', 503)
        : { bulletins: [givenBulletin(4, { category: 'strategy' })], nextAfter: null },
  });
  await open(address);
  await screen.findByRole('alert');
  screen.getByRole('heading', { level: 1, name: 'The boat race' });
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: 'News 4' });
});

test('a link in the announcement text to another portal page navigates without a page load', async () => {
  givenShop({ [detailPath]: detail });
  await open(address);
  const link = await screen.findByRole('link', { name: 'Top up' });
  // With a modifier key the browser opens a new tab, and this page stays.
  fireEvent.click(link, { ctrlKey: true });
  expectAddress(address);
  expect(fireEvent.click(link)).toBe(false);
  await screen.findByRole('radio', { name: /^60/ });
  expectAddress('/main/recharge?item=shards_60');
});

test('[S8.15] a missing announcement shows a message and a link to all news', async () => {
  givenShop({ [detailPath]: refused('BulletinMissing') });
  await open(address);
  await screen.findByRole('heading', { name: 'The announcement is missing' });
  screen.getByText('It may be over, or it was withdrawn.');
  expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull();
  expect(screen.getByRole('link', { name: 'All news' }).getAttribute('href')).toBe('/main/event');
});

test('a malformed announcement id in the URL shows that the announcement is missing, without a request', async () => {
  const calls = givenShop();
  await open('/main/event/detail/No%20such%20thing');
  await screen.findByRole('heading', { name: 'The announcement is missing' });
  expect(calls.filter(({ path }) => path.startsWith('/api/bulletin/detail'))).toEqual([]);
});

test('[S8.15] an announcement that fails to load shows an error and can be reloaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenShop({ [detailPath]: () => (isDown ? refused('SystemBusy', 503) : detail) });
  await open(address);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the announcement details');
  expect(alert.textContent).toContain('The system is busy');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { level: 1, name: 'The boat race' });
});

test('[S8.15] the announcement page of an announcement without text shows a message', async () => {
  givenShop({ [detailPath]: { ...detail, body: '  ' } });
  await open(address);
  await screen.findByRole('heading', { level: 1, name: 'The boat race' });
  screen.getByText('No announcement content');
});

test('the announcement page shows a skeleton while its announcement is loading', async () => {
  const { promise, resolve: letGo } = Promise.withResolvers<object>();
  givenShop({ [detailPath]: () => promise });
  const { container } = await open(address);
  await waitFor(() => expect(container.querySelector('.bulletin-title-skeleton')).not.toBeNull());
  letGo(detail);
  await screen.findByRole('heading', { level: 1, name: 'The boat race' });
  expect(container.querySelector('.bulletin-title-skeleton')).toBeNull();
});
