import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { encodeQR } from 'qr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import { givenBulletin, givenPage } from '../../../test/news.ts';
import {
  expectAddress,
  givenItem,
  givenShop,
  open,
  refused,
  siteConfig,
} from '../../../test/shop.tsx';

const featuresPath = '/api/game/info/content/game-features';
const infoPath = '/api/game/info/content/game-info';
const topPath = '/api/bulletin/top';
const itemsPath = '/api/recharge/v2/items';

const playUrls = {
  ios: 'https://apps.example/solmere',
  android: 'https://play.example/solmere',
  desktop: 'https://solmere.example/pc',
};
const withDownload = { ...siteConfig, gameInfo: { ...siteConfig.gameInfo, playUrls } };

const hot = [3, 2, 1, 4].map((number) => givenBulletin(number, { isPinned: true }));
const features = givenPage('game-features', {
  title: 'What Solmere is',
  body: '<figure><img src="/art/solmere-detail-1-640.avif" alt=""><figcaption>A sea without a map</figcaption></figure>',
});
const info = givenPage('game-info', { title: 'The drowned sun' });
const written = { [featuresPath]: features, [infoPath]: info, [topPath]: { bulletins: hot } };

const region = (name: string) => within(screen.getByRole('region', { name }));

beforeEach(() => givenWindowWidth(1440));
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('[S2.08] the home page shows features, info, hot news, redeem code, top-up center, download and footer', async () => {
  givenShop(written);
  await open('/main/home', withDownload);
  await screen.findByText('A sea without a map');
  await screen.findByText('What game-info says');
  expect(region('What Solmere is').getByText('Game features')).toBeTruthy();
  expect(region('The drowned sun').getByText('Game info')).toBeTruthy();
  expect(region('Hot news').getAllByRole('heading', { level: 3 })).toHaveLength(3);
  expect(region('Redeem a code').getByRole('textbox', { name: 'Code' })).toBeTruthy();
  expect(region('Top-up center').getAllByRole('link', { name: /\$4\.99/ })).toHaveLength(2);
  expect(region('Get Solmere').getByText('Download')).toBeTruthy();

  const footer = within(screen.getByRole('contentinfo'));
  const links = footer
    .getAllByRole('link')
    .map((link) => [link.textContent, link.getAttribute('href')]);
  expect(links.slice(0, 4)).toEqual([
    ['About us', '/page/about-us'],
    ['Contact', '/page/contact'],
    ['Privacy policy', '/page/privacy-policy'],
    ['User agreement', '/page/user-agreement'],
  ]);
});

test('a pack on the home page links to the top-up page with that pack selected', async () => {
  givenShop();
  await open('/main/home');
  const pack = await screen.findByRole('link', { name: /^300 Shards.*\+30 bonus = 330.*\$4\.99/ });
  fireEvent.click(pack);
  const chosen = await screen.findByRole('radio', { name: /^300/ });
  expect(chosen).toHaveProperty('checked', true);
  expectAddress('/main/recharge?item=shards_300');
});

test('the home page shows at most six packs, and no pack whose purchase limit is used up', async () => {
  const many = [1n, 2n, 3n, 4n, 5n, 6n, 7n, 8n].map((count) => givenItem(count * 100n));
  const limit = { packsMax: 1, per: 'account', period: 'ever', packsLeft: 0, resetAt: null };
  const items = many.map((item, place) => (place === 0 ? { ...item, limit } : item));
  givenShop({
    [itemsPath]: { countedFor: null, groups: [{ groupId: 'shards', name: 'Shards', items }] },
  });
  await open('/main/home');
  const links = await screen.findAllByRole('link', { name: /Shards/ });
  expect(links.map((link) => Number.parseInt(link.textContent ?? '', 10))).toEqual([
    200, 300, 400, 500, 600, 700,
  ]);
});

test('the top-up center of the home page without packs says that nothing is for sale', async () => {
  givenShop({ [itemsPath]: { countedFor: null, groups: [] } });
  await open('/main/home');
  await screen.findByText('There is nothing for sale right now.');
});

test('the home page shows an error and a retry button for a failed pack list while the rest of the page loads', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  const groups = [{ groupId: 'shards', name: 'Shards', items: [givenItem(60n)] }];
  givenShop({
    ...written,
    [itemsPath]: () => (isDown ? refused('SystemBusy', 503) : { countedFor: null, groups }),
  });
  await open('/main/home');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the item list');
  await screen.findByRole('link', { name: 'News 3' });
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: /^60 Shards/ });
});

test('the home page shows the first three pinned bulletins as hot news, in order and linked to their pages', async () => {
  givenShop(written);
  await open('/main/home');
  await screen.findByRole('link', { name: 'News 3' });
  const links = within(screen.getByRole('region', { name: 'Hot news' })).getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    '/main/event',
    '/main/event/detail/news-3',
    '/main/event/detail/news-2',
    '/main/event/detail/news-1',
  ]);
});

test('the hot news section of the home page still links to all news when there are no bulletins', async () => {
  givenShop();
  await open('/main/home');
  await screen.findByText('No announcement content');
  expect(region('Hot news').getByRole('link', { name: 'All news' })).toBeTruthy();
});

test('the hot news section of the home page shows an error when it fails to load, and can be reloaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenShop({ [topPath]: () => (isDown ? refused('SystemBusy', 503) : { bulletins: hot }) });
  await open('/main/home');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the announcement list');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('link', { name: 'News 3' });
});

test('a home page that is still loading shows skeletons for packs, news and publisher texts', async () => {
  const { promise } = Promise.withResolvers<object>();
  const wait = () => promise;
  givenShop({ [itemsPath]: wait, [topPath]: wait, [featuresPath]: wait, [infoPath]: wait });
  const { container } = await open('/main/home');
  await screen.findByRole('region', { name: 'Hot news' });
  expect(container.querySelectorAll('.strip-skeleton')).toHaveLength(6);
  expect(container.querySelectorAll('.hot-news .news-card-skeleton')).toHaveLength(3);
  expect(container.querySelectorAll('.publisher-skeleton')).toHaveLength(2);
});

test('a home page waiting for the game info shows skeletons for packs, redeem box and news', async () => {
  givenShop({ '/api/character/game/info': () => new Promise<object>(() => {}) });
  const { container } = await open('/main/home');
  await waitFor(() => expect(container.querySelector('.home-redeem-skeleton')).not.toBeNull());
  expect(container.querySelectorAll('.strip-skeleton')).toHaveLength(6);
  expect(container.querySelectorAll('.hot-news .news-card-skeleton')).toHaveLength(3);
});

test('a publisher text that does not exist leaves no section on the home page', async () => {
  givenShop({ [infoPath]: info });
  const { container } = await open('/main/home');
  await screen.findByText('What game-info says');
  await waitFor(() => expect(container.querySelector('.publisher-skeleton')).toBeNull());
  expect(screen.queryByText('Game features')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('a publisher text of the home page that fails to load shows an error and can be reloaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenShop({ [featuresPath]: () => (isDown ? refused('SystemBusy', 503) : features) });
  await open('/main/home');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Some errors occurred while fetching information');
  isDown = false;
  fireEvent.click(region('Game features').getByRole('button', { name: 'Try again' }));
  await screen.findByText('A sea without a map');
});

test('the home page lists the download link for the device first, and a game without links has no download section', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 16) Chrome');
  givenShop();
  await open('/main/home', withDownload);
  await screen.findByRole('heading', { name: 'Get Solmere' });
  const links = region('Get Solmere').getAllByRole('link');
  expect(links.map((link) => link.getAttribute('href'))).toEqual([
    playUrls.android,
    playUrls.ios,
    playUrls.desktop,
  ]);
  cleanup();

  const onlyIos = { ...playUrls, android: null, desktop: null };
  const gameInfo = { ...siteConfig.gameInfo, playUrls: onlyIos };
  await open('/main/home', { ...siteConfig, gameInfo });
  await screen.findByRole('heading', { name: 'Get Solmere' });
  expect(region('Get Solmere').getAllByRole('link')).toHaveLength(1);
  cleanup();

  await open('/main/home');
  await screen.findByRole('region', { name: 'Hot news' });
  expect(screen.queryByRole('heading', { name: 'Get Solmere' })).toBeNull();
});

test('the home page shows download QR codes for phones on a desktop but not on a phone', async () => {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Windows NT 10.0) Chrome');
  givenShop();
  await open('/main/home', withDownload);
  await screen.findByRole('heading', { name: 'Get Solmere' });
  const codes = await region('Get Solmere').findAllByRole('img', { name: /^Scan with your phone/ });
  expect(codes.map((code) => [code.getAttribute('alt'), code.getAttribute('src')])).toEqual([
    ['Scan with your phone: iOS', encodeQR(playUrls.ios, 'data-url', { border: 2 })],
    ['Scan with your phone: Android', encodeQR(playUrls.android, 'data-url', { border: 2 })],
  ]);
  cleanup();

  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue('Mozilla/5.0 (Linux; Android 16) Chrome');
  await open('/main/home', withDownload);
  await screen.findByRole('heading', { name: 'Get Solmere' });
  expect(document.querySelector('.download-code')).toBeNull();
});
