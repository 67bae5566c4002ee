import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import i18next from 'i18next';
import { afterEach, expect, test, vi } from 'vitest';
import german from '../public/locales/de-DE.json';
import { givenWindowWidth } from '../test/browser.ts';
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
    '/locales/de-DE.json': Response.json(german),
    '/api/character/game/info': async (call) => {
      await letGo;
      const subtitle = isGerman(call) ? 'Echos der versunkenen Sonne' : 'Echoes';
      return { gameId: 'solmere', name: 'Solmere', subtitle, character: null };
    },
    '/api/recharge/v2/items': async (call) => {
      await letGo;
      const item = { ...givenItem(60n), unit: isGerman(call) ? 'Splitter' : 'Shards' };
      return { groups: [{ groupId: 'shards', name: 'Shards', items: [item] }] };
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
    '/locales/de-DE.json': Response.json(german),
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
  givenShop({ '/locales/de-DE.json': Response.json(german) });
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
  givenShop({ '/locales/de-DE.json': Response.json(german) });
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

test('pages of a game are not permitted on a site without one', async () => {
  givenShop();
  const gameInfo = { ...siteConfig.gameInfo, gameId: null };
  await open('/main/recharge?from=mail', { ...siteConfig, gameInfo });
  await screen.findByRole('heading', { name: '403' });
  expectAddress('/403?from=mail');
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
