import { collectPath } from '@pointgate/contract/analytics.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  givenBeacons,
  openBatch,
  pageKey,
  showPage,
  siteWithLogger,
} from '../../../test/logger.ts';
import {
  callsOf,
  dawnreach,
  emberfall,
  givenOrder,
  givenShop,
  open,
  orderId,
  player,
  refused,
  siteConfig,
} from '../../../test/shop.tsx';
import { Tracking } from './tracking.tsx';

const config = siteWithLogger();
let beacons: string[] = [];
let clock = { ms: 0 };

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  beacons = givenBeacons();
  // Adds an offset to the real clock, which other code on the page keeps using.
  const real = performance.now.bind(performance);
  clock = { ms: 0 };
  vi.spyOn(performance, 'now').mockImplementation(() => real() + clock.ms);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const follow = (address: string, site = config) => open(address, site, <Tracking />);

/** Hides the page and returns the events reported so far. */
async function leave() {
  const before = beacons.length;
  showPage('hidden');
  await waitFor(() => expect(beacons.length).toBeGreaterThan(before));
  return beacons.slice(before).flatMap((text) => openBatch(text).events);
}

const paramsOf = (events: Awaited<ReturnType<typeof leave>>, name: string) =>
  events.filter(({ n }) => n === `web_payment_${name}`).map(({ p }) => p);

/** Waits until the page shows the signed-in player. */
const home = () => screen.findAllByText(player.displayName);

describe('[S4.13] [S7.37] [S7.39] arrival events', () => {
  test('the portal reports page load and user info to analytics once, after the API has answered the user/info request', async () => {
    let answer = (_reply: object) => {};
    givenShop({
      '/api/user/info': () => new Promise<object>((resolve) => (answer = resolve)),
    });
    await follow('/main/home?from=game');
    await waitFor(() => expect(localStorage.getItem('pointgate.device')).not.toBeNull());
    clock.ms += 3_000;
    expect(paramsOf(await leave(), 'page_load')).toEqual([]);
    showPage('visible');
    answer(player);
    await home();
    const events = await leave();
    expect(paramsOf(events, 'page_load')).toEqual([
      { loading_request_time: expect.any(Number), loading_time: expect.any(Number) },
    ]);
    expect(paramsOf(events, 'user_info')).toEqual([{ traffic_source: 'game', link: '/' }]);

    showPage('visible');
    fireEvent.click(screen.getAllByRole('link', { name: 'Top-up' })[0] ?? document.body);
    await screen.findAllByRole('radio');
    clock.ms += 3_000;
    const later = await leave();
    expect([...paramsOf(later, 'page_load'), ...paramsOf(later, 'user_info')]).toEqual([]);
  });

  test('a page load is reported to analytics for a visitor who is not signed in', async () => {
    givenShop({ '/api/user/info': { login: false } });
    await follow('/login');
    await screen.findByRole('heading', { name: 'Sign in' });
    expect(paramsOf(await leave(), 'page_load')).toHaveLength(1);
  });

  test('a page reloaded in the same tab reports a page load but no second arrival to analytics, in the same session', async () => {
    givenShop();
    await follow('/main/home?from=game');
    await home();
    await leave();
    cleanup();
    showPage('visible');
    await follow('/main/home?from=game');
    await home();
    const events = await leave();
    expect(paramsOf(events, 'page_load')).toHaveLength(1);
    expect(paramsOf(events, 'user_info')).toEqual([]);
    const [first, second] = beacons.map((text) => openBatch(text));
    expect(second).toMatchObject({ sid: first?.sid, did: first?.did, seq: 1 });
    expect(second?.events[0]?.i).toBe(first?.events.length);
  });
});

describe('[S4.20] [S7.38] page stay', () => {
  test('the time spent on a page is reported to analytics on navigation, without the order id in the page name', async () => {
    givenShop({ '/api/payment/order/detail': givenOrder() });
    await follow(`/main/recharge/detail/${orderId}`);
    await screen.findByText('Unpaid');
    clock.ms += 5_000;
    // The clock is fixed: even on a slow machine the stay on the next page is half a second.
    const left = performance.now();
    vi.mocked(performance.now).mockReturnValue(left);
    fireEvent.click(screen.getAllByRole('link', { name: 'Home' })[0] ?? document.body);
    await home();
    vi.mocked(performance.now).mockReturnValue(left + 500);
    const stays = paramsOf(await leave(), 'page_stay');
    expect(stays).toEqual([
      { page: '/main/recharge/detail/id', page_duration: expect.any(Number) },
    ]);
  });

  test('the time spent on a page is reported to analytics when the page is hidden and restarts when it is shown', async () => {
    givenShop();
    await follow('/main/home');
    await home();
    clock.ms += 4_000;
    expect(paramsOf(await leave(), 'page_stay')).toMatchObject([{ page: '/main/home' }]);
    clock.ms += 60_000;
    showPage('visible');
    clock.ms += 7_000;
    const [stay] = paramsOf(await leave(), 'page_stay');
    expect(stay).toMatchObject({ page: '/main/home' });
    expect(Object(stay).page_duration).toBeGreaterThanOrEqual(7_000);
    expect(Object(stay).page_duration).toBeLessThan(60_000);
  });

  test('the time spent on a page is reported to analytics on pagehide', async () => {
    givenShop();
    await follow('/main/home');
    await home();
    clock.ms += 4_000;
    window.dispatchEvent(new Event('pagehide'));
    await waitFor(() => expect(beacons).toHaveLength(1));
    const { events } = openBatch(beacons[0] ?? '');
    expect(paramsOf(events, 'page_stay')).toHaveLength(1);
  });

  test('the time spent on a page is reported to analytics on beforeunload, and then counted anew until the page is hidden', async () => {
    givenShop();
    await follow('/main/home');
    await home();
    clock.ms += 4_000;
    window.dispatchEvent(new Event('beforeunload'));
    await waitFor(() => expect(beacons).toHaveLength(1));
    expect(paramsOf(openBatch(beacons[0] ?? '').events, 'page_stay')).toHaveLength(1);
    clock.ms += 7_000;
    const [stay] = paramsOf(await leave(), 'page_stay');
    expect(stay).toMatchObject({ page: '/main/home' });
    expect(Object(stay).page_duration).toBeGreaterThanOrEqual(7_000);
    expect(Object(stay).page_duration).toBeLessThan(11_000);
  });
});

describe('[S4.20] [S7.41] dialogs', () => {
  test('the session-expired dialog and its confirmation by the close button are reported to analytics', async () => {
    let isEnded = false;
    givenShop({
      '/api/payment/order/detail': () => (isEnded ? refused('InvalidToken', 203) : givenOrder()),
    });
    await follow(`/main/recharge/detail/${orderId}`);
    await screen.findByText('Unpaid');
    isEnded = true;
    fireEvent.click(screen.getByRole('button', { name: 'Refresh' }));
    const dialog = await screen.findByRole('dialog');
    // The close icon counts as a confirmation.
    fireEvent.click(within(dialog).getByRole('button', { name: 'Close' }));
    const events = await leave();
    expect(paramsOf(events, 'show_pop')).toEqual([{ page: '/login', pop: 'expired' }]);
    expect(paramsOf(events, 'click_button')).toEqual([
      { page: '/main/recharge/detail/id', button: 'refresh' },
      { page: '/login', button: 'expired-confirm' },
    ]);
  });

  test('the choice of a game character is reported to analytics as two dialogs, one for the server and one for the character', async () => {
    givenShop({
      '/api/character/game/info': {
        gameId: 'solmere',
        name: 'Solmere',
        subtitle: '',
        character: null,
      },
      '/api/character/server/list': { servers: [dawnreach, emberfall] },
    });
    await follow('/main/recharge');
    fireEvent.click(await screen.findByRole('button', { name: /Choose server and role/ }));
    fireEvent.click(await screen.findByRole('button', { name: /Dawnreach/ }));
    fireEvent.click(await screen.findByRole('button', { name: /Aveline/ }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    const events = await leave();
    const page = '/main/recharge';
    expect(paramsOf(events, 'show_pop')).toEqual([
      { page, pop: 'choose-server' },
      { page, pop: 'choose-role' },
    ]);
    expect(paramsOf(events, 'click_button')).toEqual([
      { page, button: 'change-role' },
      { page, button: 'choose-role' },
    ]);
  });
});

describe('[S7.41] buttons', () => {
  test('a payment with E Points reports the pay button, the confirmation dialog and its button to analytics', async () => {
    givenShop({ '/api/payment/order/create': refused('SystemBusy', 503) });
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await follow('/main/recharge');
    fireEvent.click(await screen.findByRole('radio', { name: 'E Points' }));
    fireEvent.click(screen.getByRole('button', { name: 'Pay 500 E Points' }));
    const dialog = await screen.findByRole('dialog', { name: 'Pay with E Points' });
    fireEvent.click(await within(dialog).findByRole('button', { name: 'Pay 500 E Points' }));
    await within(dialog).findByRole('alert');
    const events = await leave();
    const page = '/main/recharge';
    expect(paramsOf(events, 'click_button')).toEqual([
      { page, button: 'pay' },
      { page, button: 'pay-points' },
    ]);
    expect(paramsOf(events, 'show_pop')).toEqual([{ page, pop: 'pay-points' }]);
  });

  test('a click on a button that is waiting for a response is not reported to analytics', async () => {
    givenShop({ '/api/payment/order/create': () => new Promise<object>(() => {}) });
    await follow('/main/recharge');
    const pay = await screen.findByRole('button', { name: 'Pay $4.99' });
    fireEvent.click(pay);
    await waitFor(() => expect(pay.ariaBusy ?? pay.getAttribute('aria-busy')).toBe('true'));
    fireEvent.click(pay);
    expect(paramsOf(await leave(), 'click_button')).toEqual([
      { page: '/main/recharge', button: 'pay' },
    ]);
  });

  test('a click outside of the buttons that analytics track is not reported to analytics', async () => {
    givenShop();
    await follow('/main/home');
    const [name = document.body] = await home();
    fireEvent.click(name);
    fireEvent.click(document.documentElement);
    expect(paramsOf(await leave(), 'click_button')).toEqual([]);
  });
});

test('[S8.05] a site without an analytics logger sends and stores no analytics events, and its pages keep working', async () => {
  const complain = vi.spyOn(console, 'error').mockImplementation(() => {});
  const calls = givenShop();
  await follow('/main/home', siteConfig);
  await home();
  await waitFor(() => expect(complain).toHaveBeenCalledTimes(1));
  clock.ms += 5_000;
  showPage('hidden');
  fireEvent.click(screen.getAllByRole('link', { name: 'Top-up' })[0] ?? document.body);
  await screen.findAllByRole('radio');
  expect(beacons).toEqual([]);
  expect(callsOf(calls, collectPath)).toEqual([]);
  expect(localStorage.getItem('pointgate.device')).toBeNull();
});

test('[S9.02] a browser with an outdated analytics signing key requests a new key and keeps its device id', async () => {
  const before = { ...pageKey, kid: 'k0', did: '01930000-0000-7000-8000-000000000002' };
  const renewed = { ...before, kid: 'k1', key: 'cd'.repeat(32) };
  localStorage.setItem('pointgate.device', JSON.stringify(before));
  const calls = givenShop({ '/api/log/key': renewed });
  await follow('/main/home');
  await home();
  await waitFor(() => expect(callsOf(calls, '/api/log/key')).toHaveLength(1));
  await waitFor(() => expect(localStorage.getItem('pointgate.device')).toContain('cdcd'));
  showPage('hidden');
  await waitFor(() => expect(beacons).toHaveLength(1));
  expect(openBatch(beacons[0] ?? '', renewed)).toMatchObject({ kid: 'k1', did: before.did });
});

test('a batch of analytics events names the browser, the language and the site, but no player data', async () => {
  const userAgent = 'Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) Version/4.0 Chrome/120 Mobile';
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  givenShop();
  await follow('/main/home');
  await home();
  await leave();
  expect(openBatch(beacons[0] ?? '')).toMatchObject({
    brandId: 'omni',
    gameId: 'solmere',
    env: ['webview', 'android'],
    lng: 'en-US',
  });
  const sent = beacons.join();
  for (const secret of [player.displayName, player.accountId, player.gameAccountId, 'Aveline']) {
    expect(sent).not.toContain(secret);
  }
});

test('a portal page keeps working when its analytics module fails to load', async () => {
  vi.doMock('./tracking.tsx', () => {
    throw new Error('the file is gone');
  });
  const { LaterTracking } = await import('./later-tracking.tsx');
  givenShop();
  await open('/main/home', siteConfig, <LaterTracking />);
  await home();
  await new Promise((resolve) => setTimeout(resolve, 50));
  await home();
  vi.doUnmock('./tracking.tsx');
});
