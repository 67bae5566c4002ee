import type { BulletinSummary } from '@pointgate/contract/bulletins.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { givenBulletin } from '../../../test/news.ts';
import { callsOf, expectAddress, givenShop, open, refused } from '../../../test/shop.tsx';

const listPath = '/api/bulletin/list';
const topPath = '/api/bulletin/top';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const guide = givenBulletin(3, { category: 'strategy', title: 'How to sail' });
const race = givenBulletin(2, { title: 'The boat race' });

/** A server that filters the bulletins by tab. */
function givenNews(bulletins: BulletinSummary[], pinned: BulletinSummary[] = []) {
  return givenShop({
    [topPath]: { bulletins: pinned },
    [listPath]: ({ body }) => {
      const { tab } = body as { tab: string }; // as: what the page sent
      const found = bulletins.filter(({ category }) => tab === 'all' || category === tab);
      return { bulletins: found, nextAfter: null };
    },
  });
}

const titles = () => screen.getAllByRole('heading', { level: 2 }).map((each) => each.textContent);
const tabLink = (name: string) => within(tabs()).getByRole('link', { name });
const tabs = () => screen.getByRole('navigation', { name: 'Filter news' });

test('[S2.15] the news page has the tabs all, activity and strategy, which are kept in the URL', async () => {
  givenNews([guide, race]);
  await open('/main/event?lng=en-US');
  await screen.findByRole('link', { name: 'How to sail' });
  expect(
    within(tabs())
      .getAllByRole('link')
      .map((link) => link.textContent),
  ).toEqual(['All', 'Activity', 'Strategy']);
  expect(tabLink('All').getAttribute('aria-current')).toBe('page');

  fireEvent.click(tabLink('Strategy'));
  await waitFor(() => expect(titles()).toEqual(['How to sail']));
  expectAddress('/main/event?lng=en-US&tab=strategy');
  fireEvent.click(tabLink('Activity'));
  await waitFor(() => expect(titles()).toEqual(['The boat race']));
  expect(tabLink('Activity').getAttribute('aria-current')).toBe('page');

  window.history.back();
  await waitFor(() => expect(titles()).toEqual(['How to sail']));
  cleanup();
  await open('/main/event?tab=strategy');
  await waitFor(() => expect(titles()).toEqual(['How to sail']));
});

test('the news page ignores an unknown tab in its URL and shows all news', async () => {
  const calls = givenNews([guide, race]);
  await open('/main/event?tab=gossip');
  await waitFor(() => expect(titles()).toEqual(['How to sail', 'The boat race']));
  expect(callsOf(calls, listPath).map(({ body }) => body)).toMatchObject([{ tab: 'all' }]);
});

test('the news page shows cards with category, date, picture and link, and pinned cards come first and once', async () => {
  const pinned = givenBulletin(1, { title: 'Read me', isPinned: true, art: 'solmere-detail-1' });
  givenNews([guide, race, pinned], [pinned]);
  await open('/main/event');
  await screen.findByRole('link', { name: 'Read me' });
  expect(titles()).toEqual(['Read me', 'How to sail', 'The boat race']);

  const [first, second] = screen.getAllByRole('article');
  expect(first?.textContent).toContain('Activity');
  expect(first?.textContent).toContain('Oct 1, 2026');
  expect(first?.textContent).toContain('Pinned');
  expect(first?.querySelector('img')?.getAttribute('src')).toBe('/art/solmere-detail-1-640.avif');
  expect(second?.textContent).toContain('Strategy');
  expect(second?.textContent).not.toContain('Pinned');
  expect(second?.querySelector('img')?.getAttribute('src')).toBe('/art/shard1-384.avif');
  expect(screen.getByRole('link', { name: 'How to sail' }).getAttribute('href')).toBe(
    '/main/event/detail/news-3',
  );

  fireEvent.click(tabLink('Strategy'));
  await waitFor(() => expect(titles()).toEqual(['How to sail']));
});

test('a picture of the news page that fails to load leaves an empty placeholder', async () => {
  givenNews([race]);
  await open('/main/event');
  const picture = (await screen.findByRole('article')).querySelector('img');
  if (picture === null) throw new Error('no picture');
  fireEvent.error(picture);
  expect(screen.getByRole('article').querySelector('img')).toBeNull();
  expect(screen.getByRole('article').querySelector('.news-picture')).not.toBeNull();
});

test('the news page appends a further page of news, and the focus moves to the first entry of that page', async () => {
  const nextAfter = { publishedAt: race.publishedAt, bulletinId: race.bulletinId };
  const calls = givenShop({
    [listPath]: ({ body }) =>
      JSON.stringify(body).includes(race.bulletinId)
        ? { bulletins: [givenBulletin(1)], nextAfter: null }
        : { bulletins: [guide, race], nextAfter },
  });
  await open('/main/event');
  fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  const added = await screen.findByRole('link', { name: 'News 1' });
  expect(titles()).toEqual(['How to sail', 'The boat race', 'News 1']);
  await waitFor(() => expect(document.activeElement).toBe(added));
  expect(screen.queryByRole('button', { name: 'Show more' })).toBeNull();
  expect(callsOf(calls, listPath).map(({ body }) => body)).toEqual([
    { tab: 'all', after: null, limit: 8 },
    { tab: 'all', after: nextAfter, limit: 8 },
  ]);
});

test('[S8.15] a further page of news that fails keeps the loaded news and can be retried', async () => {
  let isDown = true;
  const nextAfter = { publishedAt: race.publishedAt, bulletinId: race.bulletinId };
  givenShop({
    [listPath]: ({ body }) => {
      if (!JSON.stringify(body).includes(race.bulletinId)) return { bulletins: [race], nextAfter };
      return isDown ? refused('SystemBusy', 503) : { bulletins: [guide], nextAfter: null };
    },
  });
  await open('/main/event');
  fireEvent.click(await screen.findByRole('button', { name: 'Show more' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the announcement list');
  expect(titles()).toEqual(['The boat race']);
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: 'How to sail' });
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a news page that is still loading shows as many skeletons as a page has entries', async () => {
  const { promise, resolve: letGo } = Promise.withResolvers<object>();
  givenShop({ [listPath]: () => promise });
  const { container } = await open('/main/event');
  await screen.findByRole('heading', { level: 1, name: 'News' });
  expect(container.querySelectorAll('.news-list .news-card-skeleton')).toHaveLength(8);
  letGo({ bulletins: [race], nextAfter: null });
  await screen.findByRole('link', { name: 'The boat race' });
  expect(container.querySelector('.news-card-skeleton')).toBeNull();
});

test('[S8.15] a news list without announcements shows a message', async () => {
  givenNews([race]);
  await open('/main/event?tab=strategy');
  await screen.findByText('No announcement content');
  fireEvent.click(tabLink('All'));
  await screen.findByRole('link', { name: 'The boat race' });
});

test.each([listPath, topPath])(
  '[S8.15] a news list that fails to load shows an error and can be reloaded: %s',
  async (path) => {
    vi.spyOn(console, 'error').mockImplementation(() => {});
    let isDown = true;
    const bulletins = { [listPath]: [race], [topPath]: [] }[path];
    givenShop({
      [listPath]: { bulletins: [race], nextAfter: null },
      [path]: () => {
        if (isDown) return refused('SystemBusy', 503);
        return path === topPath ? { bulletins } : { bulletins, nextAfter: null };
      },
    });
    await open('/main/event');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Failed to get the announcement list');
    expect(alert.textContent).toContain('The system is busy');
    tabLink('Strategy');
    isDown = false;
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
    await screen.findByRole('link', { name: 'The boat race' });
  },
);
