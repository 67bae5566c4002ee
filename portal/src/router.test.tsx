import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import german from '../public/locales/de-DE/shell.json';
import { givenWindowWidth } from '../test/browser.ts';
import { givenPlatform, platformConfig } from '../test/platform.ts';
import {
  callsOf,
  expectAddress,
  givenItem,
  givenOrder,
  givenShop,
  open,
  orderId,
  siteConfig,
} from '../test/shop.tsx';
import { addressAfterLogin } from './session/redirect.ts';

afterEach(async () => {
  cleanup();
  vi.unstubAllGlobals();
  await i18next.changeLanguage('en-US');
});

/** A shop that answers in the language it is asked in, once it is let go. */
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

test('[S2.07] the root leads to /main, and from there to its first page, with the query', async () => {
  givenShop();
  await open('/?from=mail&lng=en-US');
  await screen.findByRole('heading', { name: /Solmere/ });
  expectAddress('/main/home?from=mail&lng=en-US');
});

test('[S2.05] a spinner shows while a page is on the way', async () => {
  givenShop();
  await open('/main/home');
  screen.getByRole('progressbar', { name: 'Loading' });
  await screen.findByRole('heading', { name: /Solmere/ });
  expect(screen.queryByRole('progressbar')).toBeNull();
});

test('[S2.04] the tab names the page and the site, in the language of the moment', async () => {
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

test('a language chosen by hand also takes the place of the one in the address', async () => {
  givenShop({ '/locales/de-DE/shell.json': Response.json(german) });
  await open('/main/home?lng=en-US&from=mail');
  fireEvent.change(await screen.findByRole('combobox', { name: 'Language' }), {
    target: { value: 'de-DE' },
  });
  await waitFor(() => expectAddress('/main/home?lng=de-DE&from=mail'));
});

test('another language also changes what the shop says, without the page going away', async () => {
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

test('a language chosen while the page is still on the way wins', async () => {
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  const calls = givenBilingualShop(promise);
  await open('/main/recharge');
  await waitFor(() => expect(callsOf(calls, '/api/recharge/v2/items')).toHaveLength(1));
  await i18next.changeLanguage('de-DE');
  letGo();
  await screen.findByRole('radio', { name: /^60 Splitter/ });
  await screen.findByText('Echos der versunkenen Sonne');
});

test('[S2.23] 403 says that there is no permission and whom to ask, with a link home', async () => {
  givenShop();
  await open('/403');
  await screen.findByRole('heading', { name: '403' });
  screen.getByText(/do not have permission.*contact the administrator/);
  expect(screen.getByRole('link', { name: 'Back to home' })).toHaveProperty('pathname', '/');
});

test('[S2.24] any other path says 404 in the language of the player, with a link home', async () => {
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

/** Opens an address, and says where that ends. */
async function endOf(address: string, config = siteConfig): Promise<string> {
  const { container } = await open(address, config);
  // A page that stays has its content; one that goes on only waits.
  await waitFor(() => expect(container.querySelector('main:not([aria-busy])')).not.toBeNull());
  const { pathname, search } = window.location;
  cleanup();
  return pathname + search;
}

test('[S1.09] a site of one game serves /main, a platform serves /dream, and neither the pages of the other', async () => {
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

test('a site of one game whose game is not known shows none of its pages', async () => {
  givenShop();
  const gameInfo = { ...siteConfig.gameInfo, gameId: null };
  expect(await endOf('/main/recharge?from=mail', { ...siteConfig, gameInfo })).toBe(
    '/403?from=mail',
  );
});

test('[S2.01] every page of both groups sends a visitor to sign in, whatever the site is', async () => {
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
    // There is nothing to return to.
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
  '[S2.02][S2.03][S2.19] %s leads to %s, on a platform to %s, with the query',
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

test('[S2.22] after signing in at a platform the player is where they wanted to go', async () => {
  givenShop(visitor);
  const wanted = `/dream/order/detail?paymentId=${orderId}&lng=en-US`;
  const end = new URL(await endOf(wanted, platformConfig), window.origin);
  expect(end.searchParams.get('redirect')).toBe(wanted);
  expect(addressAfterLogin(end.search)).toBe(wanted);
});

test('[S2.04][S2.23][S2.24] a platform has titles, a 403 and a 404 of its own pages too', async () => {
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

test('a call that fails while a page opens says so, and can be repeated', async () => {
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

test('the pages are in the bar on a desktop and in a menu on a phone', async () => {
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
