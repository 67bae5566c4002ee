import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import german from '../../public/locales/de-DE/shell.json';
import { givenWindowWidth } from '../../test/browser.ts';
import { givenPlatform, platformConfig } from '../../test/platform.ts';
import {
  callsOf,
  expectAddress,
  givenItem,
  givenOrder,
  givenShop,
  open,
  orderId,
  siteConfig,
} from '../../test/shop.tsx';
import { addressAfterLogin } from '../entities/session/redirect.ts';

afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  await i18next.changeLanguage('en-US');
});

/** A server that answers in the requested language, once `letGo` resolves. */
function givenBilingualShop(letGo = Promise.resolve()) {
  const isGerman = ({ headers }: { headers: Record<string, string> }) =>
    headers['accept-language'] === 'de-DE';
  return givenShop({
    '/locales/de-DE/shell.json': Response.json(german),
    '/api/character/game/info': async (call) => {
      await letGo;
      const subtitle = isGerman(call) ? 'Echos der versunkenen Sonne' : 'Echoes';
      return { gameId: 'solmere', name: 'Solmere', subtitle, character: null };
    },
    '/api/recharge/v2/items': async (call) => {
      await letGo;
      const item = { ...givenItem(60n), unit: isGerman(call) ? 'Splitter' : 'Shards' };
      return { countedFor: null, groups: [{ groupId: 'shards', name: 'Shards', items: [item] }] };
    },
  });
}

test('[S2.07] the root URL of a game site redirects to /main/home and keeps the query', async () => {
  givenShop();
  await open('/?from=mail&lng=en-US');
  await screen.findByRole('heading', { name: /Solmere/ });
  expectAddress('/main/home?from=mail&lng=en-US');
});

test('[S2.05] the portal shows a spinner until the opened page has loaded', async () => {
  givenShop();
  await open('/main/home');
  screen.getByRole('progressbar', { name: 'Loading' });
  await screen.findByRole('heading', { name: /Solmere/ });
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('[S2.04] the document title of each portal page names the page and the site in the current language', async () => {
  givenShop({
    '/locales/de-DE/shell.json': Response.json(german),
    '/api/payment/order/detail': givenOrder(),
  });
  for (const [address, title] of [
    ['/main/home', 'Home - Omni'],
    ['/main/recharge', 'Top-up - Omni'],
    [`/main/recharge/detail/${orderId}`, 'Payment details - Omni'],
    ['/403', '403 - Omni'],
    ['/nowhere', '404 - Omni'],
  ] as const) {
    await open(address);
    await waitFor(() => expect(document.title).toBe(title));
    cleanup();
  }

  await open('/main/recharge');
  fireEvent.change(await screen.findByRole('combobox', { name: 'Language' }), {
    target: { value: 'de-DE' },
  });
  await waitFor(() => expect(document.title).toBe('Aufladen - Omni'));
  expect(document.documentElement.lang).toBe('de-DE');
  expect(localStorage.getItem('i18nextLng')).toBe('de-DE');
});

test('a language chosen in the navigation of the portal replaces the language in the URL', async () => {
  givenShop({ '/locales/de-DE/shell.json': Response.json(german) });
  await open('/main/home?lng=en-US&from=mail');
  fireEvent.change(await screen.findByRole('combobox', { name: 'Language' }), {
    target: { value: 'de-DE' },
  });
  await waitFor(() => expectAddress('/main/home?lng=de-DE&from=mail'));
});

test('a change of language on the top-up page translates packs and game name without hiding the page', async () => {
  givenBilingualShop();
  await open('/main/recharge');
  await screen.findByRole('radio', { name: /^60 Shards/ });
  fireEvent.change(screen.getByRole('combobox', { name: 'Language' }), {
    target: { value: 'de-DE' },
  });
  const isAway: boolean[] = [];
  await waitFor(() => {
    isAway.push(document.querySelector('.skeleton') !== null);
    screen.getByRole('radio', { name: /^60 Splitter/ });
    screen.getByText('Echos der versunkenen Sonne');
  });
  expect(isAway).not.toContain(true);
});

test('a language chosen while the top-up page is loading also applies to its packs and game name', async () => {
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const calls = givenBilingualShop(promise);
  await open('/main/recharge');
  await waitFor(() => expect(callsOf(calls, '/api/recharge/v2/items')).toHaveLength(1));
  await i18next.changeLanguage('de-DE');
  letGo();
  await screen.findByRole('radio', { name: /^60 Splitter/ });
  await screen.findByText('Echos der versunkenen Sonne');
});

test('[S2.23] the 403 page says that permission is missing, refers to the administrator and links to the home page', async () => {
  givenShop();
  await open('/403');
  await screen.findByRole('heading', { name: '403' });
  screen.getByText(/do not have permission.*contact the administrator/);
  expect(screen.getByRole('link', { name: 'Back to home' })).toHaveProperty('pathname', '/');
});

test('[S2.24] an unknown portal URL shows the 404 page in the language of the player, with a link home', async () => {
  givenShop({ '/locales/de-DE/shell.json': Response.json(german) });
  for (const address of ['/nowhere', '/main/nowhere', '/main/recharge/detail', '/login/x']) {
    await open(address);
    await screen.findByRole('heading', { name: '404' });
    screen.getByText('Sorry, the page you are looking for does not exist.');
    screen.getByRole('link', { name: 'Back to home' });
    cleanup();
  }
  await i18next.changeLanguage('de-DE');
  await open('/nowhere');
  await screen.findByText(german.global.error['404']);
});

const visitor = { '/api/user/info': { login: false } };

/** Opens an address and returns the address after all redirects. */
async function endOf(address: string, config = siteConfig): Promise<string> {
  const { container } = await open(address, config);
  // Only the last page has content; a page that redirects stays busy.
  await waitFor(() => expect(container.querySelector('main:not([aria-busy])')).not.toBeNull());
  const { pathname, search } = window.location;
  cleanup();
  return pathname + search;
}

test('[S1.09] a single-game site serves only pages under /main, and a game hub only pages under /dream', async () => {
  givenPlatform({ '/api/payment/order/detail': givenOrder() });
  const ofGame = ['/main/home', '/main/recharge', `/main/recharge/detail/${orderId}`];
  const ofPlatform = [
    '/dream/home',
    '/dream/recharge/solmere',
    '/dream/epoint',
    '/dream/order',
    `/dream/order/detail?paymentId=${orderId}`,
    '/dream/account/user',
  ];
  for (const address of ofGame) {
    expect(await endOf(address)).toBe(address);
    expect(await endOf(address, platformConfig)).toBe('/403');
  }
  for (const address of ofPlatform) {
    expect(await endOf(address, platformConfig)).toBe(address);
    expect(await endOf(address)).toBe(`/403${new URL(address, window.origin).search}`);
  }
  expect(await endOf('/dream')).toBe('/403');
});

test('a single-game site whose site config has no game id redirects to the 403 page', async () => {
  givenShop();
  const gameInfo = { ...siteConfig.gameInfo, gameId: null };
  expect(await endOf('/main/recharge?from=mail', { ...siteConfig, gameInfo })).toBe(
    '/403?from=mail',
  );
});

test('[S2.01] every page under /main and /dream redirects a visitor to sign-in, on a single-game site and on a game hub', async () => {
  givenShop(visitor);
  const ofGame = [
    '/main',
    '/main/home',
    '/main/recharge',
    '/main/recharge/detail/x',
    '/main/recharge/receipt/x',
    '/main/account/user',
    '/main/account/recharge',
    '/main/account/epoint',
    '/main/event',
    '/main/event/detail/x',
  ];
  const ofPlatform = [
    '/dream',
    '/dream/home',
    '/dream/recharge/solmere',
    '/dream/epoint',
    '/dream/order',
    '/dream/order/detail',
    '/dream/order/receipt',
    '/dream/event',
    '/dream/event/detail/x',
    '/dream/account/user',
    '/dream/account/epoint',
  ];
  const visits = [
    { config: siteConfig, wanted: [...ofGame, '/dream/home'] },
    { config: platformConfig, wanted: [...ofPlatform, '/main/home'] },
  ];
  for (const { config, wanted } of visits) {
    for (const address of wanted) {
      const path = encodeURIComponent(address);
      expect(await endOf(address, config)).toBe(`/login?redirect=${path}`);
    }
    // The root is no page to return to.
    expect(await endOf('/', config)).toBe('/login');
  }
});

test.each([
  ['/', '/main/home', '/dream/home'],
  ['/main', '/main/home', '/dream/home'],
  ['/main/account', '/main/account/user', '/403'],
  ['/dream', '/403', '/dream/home'],
  ['/dream/recharge', '/403', '/dream/home'],
  ['/dream/account', '/403', '/dream/account/user'],
])(
  '[S2.02][S2.03][S2.19] the path %s redirects to %s on a single-game site and to %s on a game hub, and keeps the query',
  async (address, ofGame, ofPlatform) => {
    givenPlatform();
    const query = '?from=mail&lng=en-US&x=a%20b';
    const end = new URLSearchParams(query).toString();
    const read = async (config: typeof siteConfig) => {
      const [path, search] = (await endOf(address + query, config)).split('?');
      return [path, new URLSearchParams(search).toString()];
    };
    expect(await read(siteConfig)).toEqual([ofGame, end]);
    expect(await read(platformConfig)).toEqual([ofPlatform, end]);
  },
);

test('[S2.22] a visitor who opens an order page of a game hub returns to that page after the sign-in', async () => {
  givenShop(visitor);
  const wanted = `/dream/order/detail?paymentId=${orderId}&lng=en-US`;
  const end = new URL(await endOf(wanted, platformConfig), window.origin);
  expect(end.searchParams.get('redirect')).toBe(wanted);
  expect(addressAfterLogin(end.search)).toBe(wanted);
});

test('[S2.04][S2.23][S2.24] the pages of a game hub, including 403 and 404, have document titles', async () => {
  givenPlatform({ '/api/payment/order/detail': givenOrder() });
  for (const [address, title] of [
    ['/dream/home', 'Home - Omni'],
    ['/dream/recharge/solmere', 'Top-up - Omni'],
    ['/dream/recharge/nowhere', 'Top-up - Omni'],
    ['/dream/epoint', 'Top-up - Omni'],
    ['/dream/order', 'Recharge record - Omni'],
    [`/dream/order/detail?paymentId=${orderId}`, 'Payment details - Omni'],
    ['/dream/account/user', 'Account info - Omni'],
    ['/dream/account/epoint', 'E Point record - Omni'],
    ['/main/home', '403 - Omni'],
    ['/dream/nowhere', '404 - Omni'],
  ] as const) {
    await open(address, platformConfig);
    await waitFor(() => expect(document.title).toBe(title));
    cleanup();
  }
});

test('the home page shows an error when the game info fails to load, and can be retried', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenShop({
    '/api/character/game/info': () =>
      isDown
        ? Response.json({ code: 'SystemBusy', msg: 'busy' }, { status: 503 })
        : { gameId: 'solmere', name: 'Solmere', subtitle: 'Echoes', character: null },
  });
  await open('/main/home');
  expect((await screen.findByRole('alert')).textContent).toContain('The system is busy');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await screen.findByRole('heading', { name: /Solmere/ });
  complain.mockRestore();
});

test('the main navigation of the portal is a bar on a desktop and a menu on a phone', async () => {
  givenShop();
  givenWindowWidth(751);
  await open('/main/home');
  await screen.findByRole('navigation', { name: 'Main' });
  expect(screen.queryByRole('button', { name: 'Menu' })).toBeNull();
  cleanup();

  givenWindowWidth(750);
  await open('/main/home');
  expect(screen.queryByRole('navigation', { name: 'Main' })).toBeNull();
  fireEvent.click(await screen.findByRole('button', { name: 'Menu' }));
  await screen.findByRole('navigation', { name: 'Main' });
  givenWindowWidth(1440);
});
