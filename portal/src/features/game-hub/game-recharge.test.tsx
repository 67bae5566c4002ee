import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenGame, givenPlatform, lanternCourt, platformConfig } from '../../../test/platform.ts';
import {
  callsOf,
  dawnreach,
  expectAddress,
  givenBalance,
  givenOrder,
  open,
  orderId,
  refused,
} from '../../../test/shop.tsx';
import { tokensOf } from '../../shared/config/theme.ts';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  document.documentElement.removeAttribute('style');
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openGame = (rest: string) => open(`/dream/recharge/${rest}`, platformConfig);
const pack = () => screen.findByRole('radio', { name: /^60 Shards/ });
const accent = () => document.documentElement.style.getPropertyValue('--accent-text');

test('[S2.18] the page of a game on a game hub requests packs, servers and orders for its game and the chosen operating system', async () => {
  const calls = givenPlatform({
    '/api/payment/order/create': givenOrder({ shown: 'Paid' }),
    '/api/payment/order/detail': givenOrder({ shown: 'Paid' }),
  });
  await openGame('lantern-court?system=ios');
  await pack();
  const asked = { gameId: 'lantern-court', system: 'ios' };
  expect(callsOf(calls, '/api/recharge/v2/items')[0]?.body).toEqual(asked);
  expect(callsOf(calls, '/api/character/game/info')[0]?.body).toEqual({ gameId: 'lantern-court' });

  fireEvent.click(screen.getByRole('button', { name: /Deliver to/ }));
  fireEvent.click(await screen.findByRole('button', { name: /Change server/ }));
  await screen.findByRole('button', { name: /Emberfall/ });
  expect(callsOf(calls, '/api/character/server/list')[0]?.body).toEqual(asked);
  fireEvent.click(screen.getByRole('button', { name: 'Close' }));

  fireEvent.click(screen.getByRole('button', { name: /^Pay/ }));
  await waitFor(() => expectAddress(`/dream/order/detail?paymentId=${orderId}`));
  const [order] = callsOf(calls, '/api/payment/order/create');
  expect(order?.body).toMatchObject({ ...asked, serverId: 's12', roleId: 'r1' });
});

test.each(['ios', 'android'])(
  '[S3.07] an order placed for %s on the page of a game on a game hub is created with that operating system',
  async (system) => {
    const calls = givenPlatform({ '/api/payment/order/create': refused('ItemNotForSale') });
    await openGame(`solmere?system=${system}`);
    await pack();
    fireEvent.click(screen.getByRole('button', { name: /^Pay/ }));
    await screen.findByText('This item is not for sale');
    expect(callsOf(calls, '/api/payment/order/create')[0]?.body).toMatchObject({ system });
  },
);

test('the page of a game on a game hub reloads the packs for another operating system and keeps the system in the URL', async () => {
  const calls = givenPlatform();
  await openGame('solmere?system=ios&item=shards_60');
  await pack();
  fireEvent.click(screen.getByRole('radio', { name: 'Android' }));
  await waitFor(() =>
    expect(callsOf(calls, '/api/recharge/v2/items').map(({ body }) => body)).toEqual([
      { gameId: 'solmere', system: 'ios' },
      { gameId: 'solmere', system: 'android' },
    ]),
  );
  expectAddress('/dream/recharge/solmere?system=android&item=shards_60');
  expect(localStorage.getItem('pointgate.system')).toBe('android');
});

test('a game hub applies the theme of a game on the page of the game and removes the theme when the player leaves the page', async () => {
  givenPlatform();
  const { container } = await openGame('lantern-court');
  await pack();
  expect(accent()).toBe(tokensOf(lanternCourt.theme)['--accent-text']);
  expect(container.querySelector('.key-art source')?.getAttribute('srcset')).toContain(
    '/art/lantern-court-hero-tall-',
  );
  fireEvent.click(screen.getByRole('link', { name: 'All games' }));
  await screen.findByRole('region', { name: 'Choose a game' });
  expectAddress('/dream/home');
  expect(accent()).toBe('');
});

test.each(['nowhere', 'galewrack', 'Solmere', '%F0%9F%A6%8A', 'a'.repeat(70)])(
  'the game page of a game hub for the unknown or malformed game id "%s" is a 404 page with a link to all games',
  async (gameId) => {
    const calls = givenPlatform();
    await openGame(gameId);
    await screen.findByRole('heading', { name: '404' });
    screen.getByText('This game is not here, or not any more.');
    expect(screen.getByRole('link', { name: 'All games' }).getAttribute('href')).toBe(
      '/dream/home',
    );
    expect(callsOf(calls, '/api/recharge/v2/items')).toEqual([]);
    expect(localStorage.getItem('pointgate.game')).toBeNull();
  },
);

test('[S8.18] the page of a game without iOS support on a game hub shows "Not Available in iOS" and sells packs for Android', async () => {
  const games = [givenGame({ systems: ['android'] })];
  const calls = givenPlatform({ '/api/game/list': { games } });
  await openGame('solmere?system=ios');
  await screen.findByText('Not Available in iOS');
  screen.getByText('You can top up Solmere on Android.');
  expect(callsOf(calls, '/api/recharge/v2/items')).toEqual([]);
  fireEvent.click(screen.getByRole('radio', { name: 'Android' }));
  await pack();
});

test('[S8.18] the page of a game without packs for iOS on a game hub shows "Not Available in iOS"', async () => {
  givenPlatform({ '/api/recharge/v2/items': { countedFor: null, groups: [] } });
  await openGame('solmere?system=ios');
  await screen.findByText('Not Available in iOS');
});

test('[S4.09] the page of a game on a game hub disables payment for a game character on a server in maintenance', async () => {
  const server = { ...dawnreach, status: 1 };
  givenPlatform({
    '/api/character/game/info': {
      gameId: 'solmere',
      name: 'Solmere',
      subtitle: 'Echoes',
      character: { server, role: { roleId: 'r1', name: 'Aveline', level: 58 } },
    },
  });
  await openGame('solmere');
  await pack();
  screen.getByText('The server is under maintenance, please try again later.');
  expect(screen.getByRole('button', { name: /^Pay/ })).toHaveProperty('disabled', true);
});

test('a maintenance with an end is shown with it, and its end opens the payment by itself', async () => {
  const maintenanceUntil = new Date(Date.now() + 400_000_000).toISOString();
  const server = { ...dawnreach, status: 1, maintenanceUntil };
  givenPlatform({
    '/api/character/game/info': {
      gameId: 'solmere',
      name: 'Solmere',
      subtitle: 'Echoes',
      character: { server, role: { roleId: 'r1', name: 'Aveline', level: 58 } },
    },
  });
  await openGame('solmere');
  await pack();
  const day = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeStyle: 'short' });
  const word = `Maintenance until ${day.format(new Date(maintenanceUntil))}`;
  expect(screen.getAllByText(word).length).toBeGreaterThan(1);
  expect(screen.getByRole('button', { name: /^Pay/ })).toHaveProperty('disabled', true);
  cleanup();

  server.maintenanceUntil = new Date(Date.now() - 1_000).toISOString();
  await openGame('solmere');
  await pack();
  expect(screen.getByRole('button', { name: /^Pay/ })).toHaveProperty('disabled', false);
});

test('a player without enough E Points can top up E Points on the page of a game on a game hub', async () => {
  givenPlatform({ '/api/epoint/overage': givenBalance({ basicNum: 0, presentNum: 0 }) });
  await openGame('solmere');
  await pack();
  expect(screen.getByRole('link', { name: /^E Point balance/ }).getAttribute('href')).toBe(
    '/dream/recharge/solmere?to=epoint',
  );
  fireEvent.click(screen.getByRole('radio', { name: /E Points/ }));
  fireEvent.click(await screen.findByRole('link', { name: 'Top up E Points' }));
  await screen.findByRole('radio', { name: /^100 E Points/ });
  expectAddress('/dream/recharge/solmere?to=epoint&need=500');
});

test('the page of a game on a game hub shows an error and a retry button, not a 404 page, if the game list fails to load', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenPlatform({
    '/api/game/list': () => (isDown ? refused('SystemBusy', 503) : { games: [givenGame()] }),
  });
  await openGame('solmere');
  expect((await screen.findByRole('alert')).textContent).toContain('The system is busy');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await pack();
});
