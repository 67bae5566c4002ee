import type { SiteConfig } from '@pointgate/contract/site-config.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import { givenPlatform, platformConfig } from '../../../test/platform.ts';
import { expectAddress, givenShop, open, siteConfig } from '../../../test/shop.tsx';

const playUrls = {
  ios: 'https://solmere.example/ios',
  android: 'https://solmere.example/android',
  desktop: 'https://solmere.example/desktop',
};
const config = { ...siteConfig, gameInfo: { ...siteConfig.gameInfo, playUrls } };
const android =
  'Mozilla/5.0 (Linux; Android 14; Pixel 8) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  givenWindowWidth(1440);
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const hrefOf = (within_: HTMLElement, name: string) =>
  within(within_).getByRole('link', { name }).getAttribute('href');

async function openAccountMenu(): Promise<HTMLElement> {
  const button = await screen.findByRole('button', { name: 'Account' });
  fireEvent.click(button);
  const panel = document.getElementById(button.getAttribute('aria-controls') ?? '');
  if (panel === null) throw new Error('The account menu has no panel.');
  return panel;
}

describe('desktop navigation', () => {
  test('[S2.25] the top navigation on a desktop and its account menu offer every item, each with its link', async () => {
    givenShop();
    await open('/main/home', config);
    const bar = await screen.findByRole('navigation', { name: 'Main' });
    expect(hrefOf(bar, 'Home')).toBe('/main/home');
    expect(hrefOf(bar, 'Top-up')).toBe('/main/recharge');
    expect(hrefOf(bar, 'Account')).toBe('/main/account/user');
    within(bar).getByRole('button', { name: 'Help' });
    fireEvent.click(within(bar).getByRole('button', { name: 'News' }));
    expect(hrefOf(bar, 'All')).toBe('/main/event');
    expect(hrefOf(bar, 'Event')).toBe('/main/event?tab=activity');
    expect(hrefOf(bar, 'Strategy')).toBe('/main/event?tab=strategy');
    // One link is in the bar, and another for windows too narrow for the bar.
    const [start] = screen.getAllByRole('link', { name: 'Start Game' });
    expect(start?.getAttribute('href')).toBe(playUrls.desktop);

    const menu = await openAccountMenu();
    expect(hrefOf(menu, 'Account info')).toBe('/main/account/user');
    expect(hrefOf(menu, 'Recharge record')).toBe('/main/account/recharge');
    expect(hrefOf(menu, 'E Point record')).toBe('/main/account/epoint');
    expect(hrefOf(menu, 'Start Game')).toBe(playUrls.desktop);
    for (const name of ['Select Region', 'Help', 'Logout']) {
      within(menu).getByRole('button', { name });
    }
  });

  test('the Select Region button of the account menu changes the game server from any page and keeps the focus', async () => {
    const calls = givenShop();
    await open('/main/account/user', config);
    fireEvent.click(within(await openAccountMenu()).getByRole('button', { name: 'Select Region' }));
    // A dialog returns the focus to the element that had it on opening.
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Account' }));
    fireEvent.click(await screen.findByRole('button', { name: /Dawnreach/ }));
    fireEvent.click(await screen.findByRole('button', { name: /Aveline/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const chosen = calls.find(({ path }) => path === '/api/character/info/select');
    expect(chosen?.body).toEqual({ gameId: 'solmere', serverId: 's12', roleId: 'r1' });
    expectAddress('/main/account/user');
  });

  test('the top navigation of a site without play URLs offers no Start Game link', async () => {
    givenShop();
    await open('/main/home');
    await screen.findByRole('navigation', { name: 'Main' });
    expect(screen.queryByRole('link', { name: 'Start Game' })).toBeNull();
  });

  test('[S2.25] the top navigation of a game hub offers every item, and Select Region while a game is open', async () => {
    givenPlatform();
    const gameInfo = { ...platformConfig.gameInfo, playUrls };
    await open('/dream/recharge/solmere', { ...platformConfig, gameInfo });
    const bar = await screen.findByRole('navigation', { name: 'Main' });
    expect(hrefOf(bar, 'Home')).toBe('/dream/home');
    expect(hrefOf(bar, 'Top-up')).toBe('/dream/recharge/solmere');
    expect(hrefOf(bar, 'Orders')).toBe('/dream/order');
    expect(hrefOf(bar, 'Account')).toBe('/dream/account/user');
    within(bar).getByRole('button', { name: 'Help' });
    fireEvent.click(within(bar).getByRole('button', { name: 'News' }));
    expect(hrefOf(bar, 'All')).toBe('/dream/event');
    expect(hrefOf(bar, 'Event')).toBe('/dream/event?tab=activity');
    expect(hrefOf(bar, 'Strategy')).toBe('/dream/event?tab=strategy');
    const menu = await openAccountMenu();
    expect(hrefOf(menu, 'Start Game')).toBe(playUrls.desktop);
    within(menu).getByRole('button', { name: 'Logout' });
    fireEvent.click(within(menu).getByRole('button', { name: 'Select Region' }));
    await screen.findByRole('dialog', { name: 'Choose a server' });
  });

  test('[S2.25] the news pages of a game hub have URLs under /dream', async () => {
    givenPlatform();
    await open('/dream/event?tab=strategy', platformConfig);
    const tabs = await screen.findByRole('navigation', { name: 'Filter news' });
    expect(hrefOf(tabs, 'All')).toBe('/dream/event');
    await waitFor(() => expectAddress('/dream/event?tab=strategy'));
  });

  test('the account menu of a game hub without a chosen game offers neither Select Region nor Start Game', async () => {
    givenPlatform();
    await open('/dream/home', platformConfig);
    const bar = await screen.findByRole('navigation', { name: 'Main' });
    expect(hrefOf(bar, 'Top-up')).toBe('/dream/recharge');
    const menu = await openAccountMenu();
    expect(hrefOf(menu, 'E Point record')).toBe('/dream/account/epoint');
    expect(within(menu).queryByRole('button', { name: 'Select Region' })).toBeNull();
    expect(within(menu).queryByRole('link', { name: 'Start Game' })).toBeNull();
  });

  test('the top navigation on a desktop marks the open page as current', async () => {
    givenShop();
    for (const [address, name] of [
      ['/main/home', 'Home'],
      ['/main/recharge', 'Top-up'],
      ['/main/account/epoint', 'Account'],
    ] as const) {
      await open(address, config);
      const bar = await screen.findByRole('navigation', { name: 'Main' });
      const current = within(bar).getAllByRole('link', { current: 'page' });
      expect(current.map(({ textContent }) => textContent)).toEqual([name]);
      cleanup();
    }
  });
});

describe('phone navigation', () => {
  async function openSheet(address: string, of: SiteConfig = config): Promise<HTMLElement> {
    givenWindowWidth(390);
    await open(address, of);
    fireEvent.click(await screen.findByRole('button', { name: 'Menu' }));
    return await screen.findByRole('dialog', { name: 'Menu' });
  }

  test('[S2.25] the navigation menu on a phone offers every item and the choice of language', async () => {
    vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(android);
    givenShop();
    const sheet = await openSheet('/main/home');
    expect(hrefOf(sheet, 'Home')).toBe('/main/home');
    expect(hrefOf(sheet, 'Top-up')).toBe('/main/recharge');
    expect(hrefOf(sheet, 'Account')).toBe('/main/account/user');
    const news = within(sheet).getByRole('list', { name: 'News' });
    expect(hrefOf(news, 'All')).toBe('/main/event');
    expect(hrefOf(news, 'Event')).toBe('/main/event?tab=activity');
    expect(hrefOf(news, 'Strategy')).toBe('/main/event?tab=strategy');
    expect(hrefOf(sheet, 'Start Game')).toBe(playUrls.android);
    for (const name of ['Select Region', 'Help', 'Logout']) {
      within(sheet).getByRole('button', { name });
    }
    within(sheet).getByRole('combobox', { name: 'Language' });
  });

  test('the navigation menu on a phone closes after the player chooses one of its items', async () => {
    givenShop();
    const sheet = await openSheet('/main/home');
    fireEvent.click(within(sheet).getByRole('link', { name: 'Top-up' }));
    await waitFor(() => expectAddress('/main/recharge'));
    expect(screen.queryByRole('dialog')).toBeNull();
    fireEvent.click(screen.getByRole('button', { name: 'Menu' }));
    const again = await screen.findByRole('dialog', { name: 'Menu' });
    fireEvent.click(within(again).getByRole('button', { name: 'Select Region' }));
    await screen.findByRole('dialog', { name: 'Choose a server' });
    expect(screen.queryByRole('dialog', { name: 'Menu' })).toBeNull();
  });

  test('the navigation menu of a game hub on a phone links to the pages of the game hub', async () => {
    givenPlatform();
    const sheet = await openSheet('/dream/home', platformConfig);
    expect(hrefOf(sheet, 'Orders')).toBe('/dream/order');
    expect(hrefOf(sheet, 'Top-up')).toBe('/dream/recharge');
    const news = within(sheet).getByRole('list', { name: 'News' });
    expect(hrefOf(news, 'Event')).toBe('/dream/event?tab=activity');
    expect(within(sheet).queryByRole('button', { name: 'Select Region' })).toBeNull();
  });
});
