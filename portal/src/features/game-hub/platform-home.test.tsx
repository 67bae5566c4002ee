import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenGame, givenPlatform, lanternCourt, platformConfig } from '../../../test/platform.ts';
import { expectAddress, open, refused } from '../../../test/shop.tsx';

const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15';

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

const openHome = (query = '') => open(`/dream/home${query}`, platformConfig);
const cardOf = (name: RegExp) => screen.findByRole('link', { name });
const hrefOf = async (name: RegExp) => (await cardOf(name)).getAttribute('href');
const systemOf = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name });

test('[S2.17] the home page of a game hub lists games in the order given by the server, with links to their top-up pages', async () => {
  givenPlatform();
  await openHome();
  const list = await screen.findByRole('region', { name: 'Choose a game' });
  const cards = within(list).getAllByRole('link');
  expect(cards.map(({ textContent }) => textContent)).toEqual([
    ' Solmere Echoes of the Drowned Sun',
    ' Lantern Court A Thousand Red Lanterns',
  ]);
  fireEvent.click(await cardOf(/^Lantern Court/));
  await screen.findByRole('radio', { name: /^60 Shards/ });
  expectAddress('/dream/recharge/lantern-court?system=android');
});

test('[S2.17] the home page of a game hub remembers the chosen operating system and passes it to the game page in the URL', async () => {
  givenPlatform();
  await openHome('?lng=en-US');
  expect(await hrefOf(/^Solmere/)).toBe('/dream/recharge/solmere?system=android&lng=en-US');
  fireEvent.click(systemOf('iOS'));
  expect(systemOf('iOS').checked).toBe(true);
  expect(await hrefOf(/^Solmere/)).toBe('/dream/recharge/solmere?system=ios&lng=en-US');
  expectAddress('/dream/home?lng=en-US&system=ios');
  cleanup();

  await openHome();
  await cardOf(/^Solmere/);
  expect(systemOf('iOS').checked).toBe(true);
  cleanup();

  // A valid system in the address overrides the remembered choice.
  for (const [said, chosen] of [
    ['android', 'Android'],
    ['amiga', 'iOS'],
  ] as const) {
    await openHome(`?system=${said}`);
    await cardOf(/^Solmere/);
    expect(systemOf(chosen).checked).toBe(true);
    cleanup();
  }
});

test('the home page of a game hub preselects iOS on an iPhone and Android on a desktop', async () => {
  givenPlatform();
  await openHome();
  await cardOf(/^Solmere/);
  expect(systemOf('Android').checked).toBe(true);
  cleanup();

  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(iphone);
  await openHome();
  await cardOf(/^Solmere/);
  expect(systemOf('iOS').checked).toBe(true);
});

test('[S4.09][S8.18] a game card on the home page of a game hub shows maintenance and a missing operating system', async () => {
  const onAndroid = { ...lanternCourt, systems: ['android'] };
  const onIos = { gameId: 'ironvale', name: 'Ironvale', systems: ['ios'] };
  givenPlatform({
    '/api/game/list': {
      games: [givenGame({ isInMaintenance: true }), givenGame(onAndroid), givenGame(onIos)],
    },
  });
  await openHome();
  await cardOf(/^Maintenance Solmere/);
  await cardOf(/^Lantern Court/);
  await cardOf(/^Not Available in Android Ironvale/);
  fireEvent.click(systemOf('iOS'));
  await cardOf(/^Not Available in iOS Lantern Court/);
  await cardOf(/^Ironvale/);
});

test('the home page of a game hub links to the game that the player opened last, unless that game is no longer offered', async () => {
  givenPlatform();
  await open('/dream/recharge/lantern-court?system=ios', platformConfig);
  await screen.findByRole('radio', { name: /^60 Shards/ });
  cleanup();
  await openHome();
  expect(await hrefOf(/^Top-up Lantern Court$/)).toBe('/dream/recharge/lantern-court?system=ios');
  cleanup();

  // The game may have been removed since.
  givenPlatform({ '/api/game/list': { games: [givenGame()] } });
  await openHome();
  await cardOf(/^Solmere/);
  // Only the plain link in the navigation is left.
  expect(screen.queryByRole('link', { name: /^Top-up ./ })).toBeNull();
});

test('the home page of a game hub shows skeletons while the game list is loading', async () => {
  const { promise, resolve: letGo } = Promise.withResolvers<void>();
  givenPlatform({
    '/api/game/list': async () => {
      await promise;
      return { games: [givenGame()] };
    },
  });
  const { container } = await openHome();
  await waitFor(() => expect(container.querySelectorAll('.game-skeleton')).toHaveLength(6));
  letGo();
  await cardOf(/^Solmere/);
  expect(container.querySelector('.game-skeleton')).toBeNull();
});

test('the home page of a game hub without games says that nothing is for sale', async () => {
  givenPlatform({ '/api/game/list': { games: [] } });
  await openHome();
  await screen.findByText('There is nothing for sale right now.');
});

test('the home page of a game hub shows an error when the game list fails to load, and the list can be reloaded', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isDown = true;
  givenPlatform({
    '/api/game/list': () => (isDown ? refused('SystemBusy', 503) : { games: [givenGame()] }),
  });
  await openHome();
  expect((await screen.findByRole('alert')).textContent).toContain('The system is busy');
  isDown = false;
  fireEvent.click(screen.getByRole('button', { name: 'Try again' }));
  await cardOf(/^Solmere/);
});
