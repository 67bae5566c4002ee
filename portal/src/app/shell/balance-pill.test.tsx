import { cleanup, screen } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { callsOf, givenShop, open, player, refused } from '../../../test/shop.tsx';

const balancePath = '/api/epoint/overage';

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test('[S4.19] the top navigation requests and shows the E Point balance once the game account of the player is known', async () => {
  const calls = givenShop();
  await open('/main/home');
  const pill = await screen.findByRole('link', { name: 'E Point balance: 1,240' });
  expect(pill.getAttribute('href')).toBe('/main/recharge?to=epoint');
  expect(callsOf(calls, balancePath).map(({ body }) => body)).toEqual([{ userId: 'g-1' }]);
});

test('the top navigation shows and logs an error when the E Point balance fails to load', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  givenShop({ [balancePath]: refused('SystemBusy', 503) });
  await open('/main/home');
  await screen.findByRole('link', { name: 'Failed to get the E Point balance' });
  expect(log).toHaveBeenCalledWith('The E Point balance cannot be read.', expect.anything());
});

test('the top navigation has no E Point balance for visitors or players without a game account, and requests none', async () => {
  for (const session of [{ login: false }, { ...player, gameAccountId: null }]) {
    const calls = givenShop({ '/api/user/info': session });
    await open('/403');
    await screen.findByRole('heading', { name: '403' });
    expect(screen.queryByRole('link', { name: /E Point/ })).toBeNull();
    expect(callsOf(calls, balancePath)).toEqual([]);
    cleanup();
  }
});
