import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { encodeQR } from 'qr';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../test/browser.ts';
import { givenBulletin, givenPage } from '../../test/news.ts';
import {
  expectAddress,
  givenItem,
  givenShop,
  open,
  refused,
  siteConfig,
} from '../../test/shop.tsx';

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

test('[S2.08] home shows features, info, hot news, redeem code, top-up center, download and a footer', async () => {
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

test('a pack leads to the top-up page, where it is chosen', async () => {
  givenShop();
  await open('/main/home');
  const pack = await screen.findByRole('link', { name: /^300 Shards.*\+30 bonus = 330.*\$4\.99/ });
  fireEvent.click(pack);
  const chosen = await screen.findByRole('radio', { name: /^300/ });
  expect(chosen).toHaveProperty('checked', true);
  expectAddress('/main/recharge?item=shards_300');
});

test('six packs are shown at most, and none that cannot be bought', async () => {
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

test('without packs the top-up center says so', async () => {
  givenShop({ [itemsPath]: { countedFor: null, groups: [] } });
  await open('/main/home');
  await screen.findByText('There is nothing for sale right now.');
});

test('packs that cannot be had do not take the page with them', async () => {
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

test('the first three of what is pinned are hot, in that order, and each leads to its page', async () => {
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

test('without hot news there is still the way to all of them', async () => {
  givenShop();
  await open('/main/home');
  await screen.findByText('No announcement content');
  expect(region('Hot news').getByRole('link', { name: 'All news' })).toBeTruthy();
});

test('hot news that cannot be had can be asked for again', async () => {
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

test('while the parts are on the way, their places are kept', async () => {
  const { promise } = Promise.withResolvers<object>();
  const wait = () => promise;
  givenShop({ [itemsPath]: wait, [topPath]: wait, [featuresPath]: wait, [infoPath]: wait });
  const { container } = await open('/main/home');
  await screen.findByRole('region', { name: 'Hot news' });
  expect(container.querySelectorAll('.strip-skeleton')).toHaveLength(6);
  expect(container.querySelectorAll('.hot-news .news-card-skeleton')).toHaveLength(3);
  expect(container.querySelectorAll('.publisher-skeleton')).toHaveLength(2);
});

test('while the game is on the way, the places of packs, redeeming and news are kept', async () => {
  givenShop({ '/api/character/game/info': () => new Promise<object>(() => {}) });
  const { container } = await open('/main/home');
  await waitFor(() => expect(container.querySelector('.home-redeem-skeleton')).not.toBeNull());
  expect(container.querySelectorAll('.strip-skeleton')).toHaveLength(6);
  expect(container.querySelectorAll('.hot-news .news-card-skeleton')).toHaveLength(3);
});

test('what the publisher has not written has no place on the page', async () => {
  givenShop({ [infoPath]: info });
  const { container } = await open('/main/home');
  await screen.findByText('What game-info says');
  await waitFor(() => expect(container.querySelector('.publisher-skeleton')).toBeNull());
  expect(screen.queryByText('Game features')).toBeNull();
  expect(screen.queryByRole('alert')).toBeNull();
});

test('what the publisher wrote and cannot be had can be asked for again', async () => {
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

test('the game is had for this device first, and nowhere if nobody said where', async () => {
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

test('at a desktop, phones are shown a code to scan; a phone needs none for itself', async () => {
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
