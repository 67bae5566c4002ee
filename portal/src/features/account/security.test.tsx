import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { exportJWK, generateKeyPair, jwtDecrypt } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callsOf, givenShop, open, refused } from '../../../test/shop.tsx';

const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
const { x, y } = await exportJWK(publicKey);
const keys = { keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: 'key-1' }], ts: 1_800_000_000 };
const state = {
  hasPassword: true,
  canHavePassword: true,
  email: { masked: 'a***@example.com', canBeRemoved: true },
  phone: { masked: '+1 ********123', canBeRemoved: true },
  recoveryCodes: null,
};
const change = '/api/user/psw/change';
const make = '/api/user/recovery-code/make';
const remove = '/api/user/address/remove';

async function openSecurity(other: Parameters<typeof givenShop>[0] = {}, changes: object = {}) {
  const calls = givenShop({
    '/api/user/keys': keys,
    '/api/user/security': { ...state, ...changes },
    ...other,
  });
  await open('/main/account/user');
  const region = within(await screen.findByRole('region', { name: 'Sign-in and security' }));
  await region.findByText('Password');
  return { calls, region };
}

const press = (where: { getByRole: typeof screen.getByRole }, name: string) =>
  fireEvent.click(where.getByRole('button', { name }));
const dialog = async () => within(await screen.findByRole('dialog'));
const type = (
  where: { getByLabelText: typeof screen.getByLabelText },
  label: string,
  value: string,
) => fireEvent.change(where.getByLabelText(label), { target: { value } });
/** The decrypted content of the only call to a path. */
async function sentTo(calls: Parameters<typeof callsOf>[0], path: string) {
  const [call, ...more] = callsOf(calls, path);
  expect(more).toEqual([]);
  const options = { audience: path, currentDate: new Date(1_800_000_000_000) };
  const { payload } = await jwtDecrypt(Object(call?.body).data, privateKey, options);
  const { aud: _aud, iat: _iat, jti: _jti, ...content } = payload;
  return content;
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  window.history.replaceState(null, '', '/');
});

test('the account page shows email and phone masked, and cannot remove the last of them that can recover the account', async () => {
  const { region } = await openSecurity(
    {},
    { email: { masked: 'a***@example.com', canBeRemoved: false }, phone: null },
  );
  region.getByText('a***@example.com');
  region.getByText(/last way back in/);
  expect(region.queryByRole('button', { name: 'Remove email' })).toBeNull();
  region.getByRole('button', { name: 'Add phone number' });
});

test('the password dialog of the account page sends the current and the new password, and rejects an empty field', async () => {
  const { calls, region } = await openSecurity({ [change]: {} });
  press(region, 'Change password');
  const form = await dialog();
  type(form, 'New password', 'Tide-41-hollow');
  type(form, 'New password again', 'Tide-41-hollow');
  press(form, 'Save');
  form.getByText('Please enter your current password');
  expect(callsOf(calls, change)).toEqual([]);
  type(form, 'Current password', 'Dawn-58');
  press(form, 'Save');
  await screen.findByText('Password updated');
  expect(await sentTo(calls, change)).toEqual({ current: 'Dawn-58', password: 'Tide-41-hollow' });
});

test('the account page sets the first password of an account without a current password, after a new sign-in', async () => {
  const { calls, region } = await openSecurity(
    { [change]: refused('StepUpNeeded') },
    { hasPassword: false },
  );
  press(region, 'Set a password');
  const form = await dialog();
  expect(form.queryByLabelText('Current password')).toBeNull();
  type(form, 'New password', 'Tide-41-hollow');
  type(form, 'New password again', 'Tide-41-hollow');
  press(form, 'Save');
  await screen.findByRole('button', { name: 'Sign in again' });
  expect(await sentTo(calls, change)).toEqual({ current: null, password: 'Tide-41-hollow' });
});

test('the account page shows the reason why the removal of a phone number is refused', async () => {
  const { region } = await openSecurity({ [remove]: refused('LastWayBack') });
  press(region, 'Remove phone number');
  const form = await dialog();
  type(form, 'Current password', 'Dawn-58');
  press(form, 'Remove');
  expect((await form.findByRole('alert')).textContent).toMatch(/could not get back in/);
});

test('the account page shows recovery codes to the player after they are generated', async () => {
  const codes = ['G7KD-9XMP-3TWR-CV25', 'A2CE-4FGH-5JKM-6NPR'];
  const { region } = await openSecurity({ [make]: { codes } });
  press(region, 'Make recovery codes');
  const form = await dialog();
  type(form, 'Current password', 'Dawn-58');
  press(form, 'Show my codes');
  const shown = within(await screen.findByRole('dialog', { name: 'Your recovery codes' }));
  expect(shown.getAllByRole('listitem').map((item) => item.textContent)).toEqual(codes);
});

test('the recovery code dialog closes only when the player confirms that the codes are saved', async () => {
  const { region } = await openSecurity({ [make]: { codes: ['G7KD-9XMP-3TWR-CV25'] } });
  press(region, 'Make recovery codes');
  const form = await dialog();
  type(form, 'Current password', 'Dawn-58');
  press(form, 'Show my codes');
  const shown = await screen.findByRole('dialog', { name: 'Your recovery codes' });

  fireEvent.click(shown);
  // False means that the default action was prevented: the browser does not close the dialog.
  expect(fireEvent.keyDown(shown, { key: 'Escape' })).toBe(false);
  expect(fireEvent(shown, new Event('cancel', { cancelable: true }))).toBe(false);
  within(shown).getByText('G7KD-9XMP-3TWR-CV25');

  press(within(shown), 'I have kept them');
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
});
