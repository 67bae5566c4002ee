import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../test/browser.ts';
import { givenPasskeyDevice } from '../test/passkey-device.ts';
import { givenPlatform, platformConfig } from '../test/platform.ts';
import { callsOf, givenShop, open, orderId, refused } from '../test/shop.tsx';

// What every list and form does on a line that is slow or broken, where its own tests do not say it.

const never = () => new Promise<object>(() => {});
const itemsPath = '/api/recharge/v2/items';
const serversPath = '/api/character/server/list';
const rolesPath = '/api/character/role/list';

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  givenWindowWidth(1440);
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ['packs of a game', '/main/recharge', itemsPath, '.pack-skeleton'],
  ['packs of E Points', '/main/recharge?to=epoint', '/api/e-recharge/items', '.pack-skeleton'],
  [
    'an order',
    `/main/recharge/detail/${orderId}`,
    '/api/payment/order/detail',
    '.order-status-skeleton',
  ],
  [
    'a receipt',
    `/main/recharge/receipt/${orderId}`,
    '/api/payment/order/receipt',
    '.receipt-skeleton',
  ],
  [
    'real-name information',
    '/main/account/user',
    '/api/user/real/info/query',
    '.real-name-skeleton',
  ],
  ['a budget', '/main/account/user', '/api/user/budget/query', '.budget-skeleton'],
  ['passkeys', '/main/account/user', '/api/user/passkey/list', '.passkeys-skeleton'],
])('while %s is on its way, its place is held', async (_what, address, path, place) => {
  givenPasskeyDevice();
  givenShop({ [path]: never });
  await open(address);
  await waitFor(() => expect(document.querySelector(place)).not.toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
});

test('while the packs of a game of a platform are on their way, their places are held', async () => {
  givenPlatform({ [itemsPath]: never });
  await open('/dream/recharge/solmere?system=android', platformConfig);
  await waitFor(() =>
    expect(document.querySelectorAll('.pack-skeleton').length).toBeGreaterThan(3),
  );
});

test.each([serversPath, rolesPath])(
  'while %s is on its way, places are held for choices',
  async (path) => {
    givenShop({ [path]: never });
    await open('/main/recharge');
    fireEvent.click(await screen.findByRole('button', { name: /Deliver to/ }));
    const dialog = within(await screen.findByRole('dialog'));
    if (path === serversPath)
      fireEvent.click(dialog.getByRole('button', { name: /Change server/ }));
    await waitFor(() => expect(document.querySelectorAll('.choice-skeleton')).toHaveLength(3));
  },
);

test('a budget that cannot be had says so, and comes when it is asked for again', async () => {
  const replies = [refused('SystemBusy', 503)];
  const budget = { currency: 'USD', amountMinor: null, spentMinor: '0', pending: null };
  givenShop({ '/api/user/budget/query': () => replies.shift() ?? budget });
  await open('/main/account/user');
  const section = within(await screen.findByRole('region', { name: 'Monthly budget' }));
  expect((await section.findByRole('alert')).textContent).toContain('The system is busy');
  fireEvent.click(section.getByRole('button', { name: 'Try again' }));
  await section.findByText('No budget set');
  expect(section.queryByRole('alert')).toBeNull();
});

test('a sign-in on a slow line is busy, and a second press of the button is not a second one', async () => {
  const calls = givenShop({ '/api/user/info': { login: false }, '/api/user/keys': never });
  await open('/login');
  fireEvent.change(await screen.findByLabelText('Account'), { target: { value: 'aveline' } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: 'Dawn-58-reach' } });
  const button = screen.getByRole('button', { name: 'Sign in' });
  fireEvent.click(button);
  fireEvent.click(button);
  await waitFor(() => expect(button.getAttribute('aria-busy')).toBe('true'));
  fireEvent.click(button);
  expect(callsOf(calls, '/api/user/keys')).toHaveLength(1);
});

test('a page that failed while the line was cut comes by itself when the line is back', async () => {
  vi.spyOn(console, 'error').mockImplementation(() => {});
  let isCut = true;
  const path = '/api/payment/order/receipt';
  givenShop({ [path]: () => (isCut ? Promise.reject(new TypeError('cut')) : never()) });
  await open(`/main/recharge/receipt/${orderId}`);
  await screen.findByRole('alert');
  isCut = false;
  await act(async () => void window.dispatchEvent(new Event('online')));
  await waitFor(() => expect(document.querySelector('.receipt-skeleton')).not.toBeNull());
});
