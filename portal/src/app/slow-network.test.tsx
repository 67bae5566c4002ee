import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../test/browser.ts';
import { givenPasskeyDevice } from '../../test/passkey-device.ts';
import { givenPlatform, platformConfig } from '../../test/platform.ts';
import { callsOf, givenShop, open, orderId, refused } from '../../test/shop.tsx';

// Behaviour of lists and forms on a slow or broken connection that their own tests do not cover.

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
])('the portal shows a skeleton during the loading of %s', async (_what, address, path, place) => {
  givenPasskeyDevice();
  givenShop({ [path]: never });
  await open(address);
  await waitFor(() => expect(document.querySelector(place)).not.toBeNull());
  expect(screen.queryByRole('alert')).toBeNull();
});

test('the page of a game on a game hub shows skeletons while its packs are loading', async () => {
  givenPlatform({ [itemsPath]: never });
  await open('/dream/recharge/solmere?system=android', platformConfig);
  await waitFor(() =>
    expect(document.querySelectorAll('.pack-skeleton').length).toBeGreaterThan(3),
  );
});

test.each([serversPath, rolesPath])(
  'the character dialog of the top-up page shows skeletons while the request %s is unanswered',
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

test('the budget section of the account page shows an error when it fails to load, and can be reloaded', async () => {
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

test('the sign-in button is marked as busy during a slow sign-in, and further clicks on it send no request', async () => {
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

test('the receipt page reloads when the connection returns, if it failed while the connection was lost', async () => {
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
