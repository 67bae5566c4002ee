import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  creationOptions,
  givenPasskeyDevice,
  madePasskey,
  requestOptions,
  shownPasskey,
} from '../../../test/passkey-device.ts';
import { callsOf, givenShop, open, player, refused } from '../../../test/shop.tsx';

const path = (end: string) => `/api/user/passkey/${end}`;
const [list, remove] = [path('list'), path('remove')];
const [start, finish] = [path('register/start'), path('register/finish')];
const stepUp = {
  '/api/user/step-up/start': { options: requestOptions },
  '/api/user/step-up/finish': {},
};
const desk = {
  passkeyId: '00000000-0000-4000-8000-000000000001',
  name: 'Windows',
  createdAt: '2026-11-01T10:00:00.000Z',
  lastUsedAt: null,
};
const phone = {
  passkeyId: '00000000-0000-4000-8000-000000000002',
  name: 'iPhone',
  createdAt: '2026-11-02T10:00:00.000Z',
  lastUsedAt: '2026-11-14T10:00:00.000Z',
};

async function openPasskeys(other: Parameters<typeof givenShop>[0]) {
  const calls = givenShop(other);
  await open('/main/account/user');
  const region = within(await screen.findByRole('region', { name: 'Passkeys' }));
  return { calls, region };
}

const press = (within: { getByRole: typeof screen.getByRole }, name: string | RegExp) =>
  fireEvent.click(within.getByRole('button', { name }));

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  window.history.replaceState(null, '', '/');
});

test('the account page lists each passkey by name with the dates of creation and last use', async () => {
  givenPasskeyDevice();
  const { region } = await openPasskeys({ [list]: { passkeys: [desk, phone] } });
  const rows = await region.findAllByRole('listitem');
  expect(rows.map((row) => row.querySelector('.passkey-name')?.textContent)).toEqual([
    'Windows',
    'iPhone',
  ]);
  expect(rows[0]?.textContent).toContain('Not used yet');
  expect(rows[1]?.textContent).toMatch(/Added Nov 2, 2026.*Last used Nov 14, 2026/);
});

test('the passkey list of the account page shows an error when it fails to load, and can be reloaded', async () => {
  givenPasskeyDevice();
  const answers = [refused('SystemBusy', 503)];
  const { region } = await openPasskeys({ [list]: () => answers.shift() ?? { passkeys: [desk] } });
  const alert = await region.findByRole('alert');
  expect(alert.textContent).toContain('Failed to get the passkeys');
  press(region, 'Try again');
  await region.findByText('Windows');
});

test('the account page lets the device create the first passkey and saves it under the name that the player enters', async () => {
  const asked = givenPasskeyDevice();
  const { calls, region } = await openPasskeys({
    [list]: { passkeys: [] },
    [start]: { options: creationOptions },
    [finish]: { ...desk, name: 'Desk' },
  });
  await region.findByText('No passkeys yet');
  press(region, 'Add a passkey');
  const dialog = within(await screen.findByRole('dialog'));
  const name = dialog.getByRole<HTMLInputElement>('textbox', { name: 'Name of this passkey' });
  expect(name.value).toBe('This device');

  fireEvent.change(name, { target: { value: '  ' } });
  press(dialog, 'Continue');
  dialog.getByText('Please enter a name');
  expect(callsOf(calls, start)).toEqual([]);

  fireEvent.change(name, { target: { value: ' Desk ' } });
  press(dialog, 'Continue');
  await screen.findByText('Passkey added');
  expect(asked).toEqual(['create']);
  expect(callsOf(calls, finish).map(({ body }) => body)).toEqual([
    { response: madePasskey, name: 'Desk' },
  ]);
  region.getByText('Desk');
  expect(screen.queryByRole('dialog')).toBeNull();
});

test.each([
  ['cancels', /It was cancelled or took too long/],
  ['has one already', /This device already has a passkey/],
] as const)(
  'a passkey creation in which the device %s shows an explanation and saves nothing',
  async (behaviour, words) => {
    givenPasskeyDevice(behaviour);
    const { calls, region } = await openPasskeys({
      [list]: { passkeys: [] },
      [start]: { options: creationOptions },
    });
    await region.findByText('No passkeys yet');
    press(region, 'Add a passkey');
    const dialog = within(await screen.findByRole('dialog'));
    press(dialog, 'Continue');
    expect((await dialog.findByRole('alert')).textContent).toMatch(words);
    expect(callsOf(calls, finish)).toEqual([]);
  },
);

test('the account page adds a further passkey after a confirmation with an existing passkey', async () => {
  const asked = givenPasskeyDevice();
  const answers = [refused('StepUpNeeded')];
  const { region } = await openPasskeys({
    ...stepUp,
    [list]: { passkeys: [phone] },
    [start]: () => answers.shift() ?? { options: creationOptions },
    [finish]: desk,
  });
  await region.findByText('iPhone');
  press(region, 'Add a passkey');
  const dialog = within(await screen.findByRole('dialog'));
  press(dialog, 'Continue');
  await dialog.findByRole('heading', { name: 'Confirm it is you' });
  press(dialog, 'Confirm with a passkey');
  await dialog.findByRole('button', { name: 'Continue' });
  press(dialog, 'Continue');
  await screen.findByText('Passkey added');
  expect(asked).toEqual(['get', 'create']);
  region.getByText('Windows');
});

test('the account page asks a player without passkeys to sign in again before adding one if the sign-in is old', async () => {
  givenPasskeyDevice();
  const { calls, region } = await openPasskeys({
    [list]: { passkeys: [] },
    [start]: refused('StepUpNeeded'),
    '/api/user/logout': refused('SystemBusy', 503),
  });
  await region.findByText('No passkeys yet');
  press(region, 'Add a passkey');
  const dialog = within(await screen.findByRole('dialog'));
  press(dialog, 'Continue');
  await dialog.findByText(/please sign in again first/);
  expect(dialog.queryByRole('button', { name: /Confirm/ })).toBeNull();
  press(dialog, 'Sign in again');
  await dialog.findByRole('alert');
  expect(callsOf(calls, '/api/user/logout')).toHaveLength(1);
});

test('the account page removes a passkey only after a confirmation, and after a proof of identity if the server requires one', async () => {
  const asked = givenPasskeyDevice();
  const answers = [refused('StepUpNeeded')];
  const { calls, region } = await openPasskeys({
    ...stepUp,
    [list]: { passkeys: [desk, phone] },
    [remove]: () => answers.shift() ?? {},
  });
  await region.findByText('iPhone');
  press(region, 'Remove iPhone');
  let dialog = within(await screen.findByRole('dialog'));
  dialog.getByText(/You can then no longer sign in with “iPhone”/);
  press(dialog, 'Cancel');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(callsOf(calls, remove)).toEqual([]);

  press(region, 'Remove iPhone');
  dialog = within(await screen.findByRole('dialog'));
  press(dialog, 'Remove');
  await dialog.findByRole('heading', { name: 'Confirm it is you' });
  press(dialog, 'Confirm with a passkey');
  await screen.findByText('Passkey removed');
  expect(asked).toEqual(['get']);
  expect(callsOf(calls, remove).map(({ body }) => body)).toEqual([
    { passkeyId: phone.passkeyId },
    { passkeyId: phone.passkeyId },
  ]);
  expect(region.queryByText('iPhone')).toBeNull();
  region.getByText('Windows');
});

test('the account page offers no button to add a passkey to an account with ten passkeys', async () => {
  givenPasskeyDevice();
  const passkeys = Array.from({ length: 10 }, (_, index) => ({
    ...desk,
    passkeyId: `00000000-0000-4000-8000-00000000001${index}`,
  }));
  const { region } = await openPasskeys({ [list]: { passkeys } });
  await region.findByText(/You have 10 passkeys/);
  expect(region.queryByRole('button', { name: 'Add a passkey' })).toBeNull();
});

test('a browser without WebAuthn offers no passkeys on the account page or the sign-in page', async () => {
  const calls = givenShop();
  await open('/main/account/user');
  await screen.findByRole('region', { name: 'Monthly budget' });
  expect(screen.queryByRole('region', { name: 'Passkeys' })).toBeNull();
  expect(callsOf(calls, list)).toEqual([]);
  cleanup();

  givenShop({ '/api/user/info': { login: false } });
  await open('/login');
  await screen.findByRole('button', { name: /Google/ });
  expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
});

test('the sign-in page in an in-app web view offers no passkey sign-in even though WebAuthn is present', async () => {
  givenPasskeyDevice();
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(
    'Mozilla/5.0 (Linux; Android 15; wv) AppleWebKit/537.36 Version/4.0 Chrome/140.0 Mobile',
  );
  givenShop({ '/api/user/info': { login: false } });
  await open('/login');
  await screen.findByRole('button', { name: /WeChat/ });
  expect(screen.queryByRole('button', { name: 'Sign in with a passkey' })).toBeNull();
});

test('a player can sign in with a passkey after a refused attempt; the sign-in page then marks passkeys as the method used last', async () => {
  const asked = givenPasskeyDevice();
  const answers = [refused('PasskeyRefused')];
  const calls = givenShop({
    '/api/user/info': { login: false },
    [path('login/start')]: { options: requestOptions },
    [path('login/finish')]: () => answers.shift() ?? player,
  });
  await open('/login?redirect=%2Fmain%2Frecharge');
  const button = await screen.findByRole('button', { name: 'Sign in with a passkey' });
  fireEvent.click(button);
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Login failed');
  expect(alert.textContent).toContain("We couldn't verify that passkey");

  fireEvent.click(button);
  await screen.findByText('Login successful');
  await waitFor(() => expect(window.location.pathname).toBe('/main/recharge'));
  expect(asked).toEqual(['get', 'get']);
  expect(callsOf(calls, path('login/finish'))[1]?.body).toEqual({ response: shownPasskey });
  cleanup();

  givenShop({ '/api/user/info': { login: false } });
  await open('/login');
  const marked = await screen.findByRole('button', { name: 'Sign in with a passkey' });
  within(marked).getByText('Last used');
});
