import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, test, vi } from 'vitest';
import { givenPasskeyDevice, requestOptions } from '../../../test/passkey-device.ts';
import { callsOf, givenShop, open, refused } from '../../../test/shop.tsx';

const [exportPath, leavePath] = ['/api/user/account/export', '/api/user/account/leave'];
const passkey = {
  passkeyId: '33333333-3333-4333-8333-333333333333',
  name: 'My phone',
  createdAt: '2026-11-01T10:00:00.000Z',
  lastUsedAt: null,
};

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

async function openOwnData(answers: Parameters<typeof givenShop>[0]) {
  const calls = givenShop(answers);
  await open('/main/account/user');
  const section = within(await screen.findByRole('region', { name: 'Your data' }));
  return { calls, section };
}

test('the account page downloads the data export of the player as account.json', async () => {
  const fetched: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function click(
    this: HTMLAnchorElement,
  ) {
    fetched.push(`${this.getAttribute('href')} as ${this.download}`);
  });
  const { calls, section } = await openOwnData({ [exportPath]: {} });
  fireEvent.click(section.getByRole('button', { name: 'Download my data' }));
  await waitFor(() => expect(fetched).toEqual([`${exportPath} as account.json`]));
  expect(callsOf(calls, exportPath)).toHaveLength(1);
});

test('the account page asks a player without a passkey to sign in again before the data export', async () => {
  const { section } = await openOwnData({
    [exportPath]: refused('StepUpNeeded'),
    '/api/user/passkey/list': { passkeys: [] },
  });
  fireEvent.click(section.getByRole('button', { name: 'Download my data' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Confirm that it is you' }));
  dialog.getByRole('button', { name: 'Sign in again' });
});

test('a player with a passkey confirms the account deletion with the passkey and returns to the deletion dialog', async () => {
  givenPasskeyDevice();
  let isProven = false;
  const { section } = await openOwnData({
    [leavePath]: () =>
      isProven ? { erasedAt: '2026-12-03T10:00:00.000Z' } : refused('StepUpNeeded'),
    '/api/user/passkey/list': { passkeys: [passkey] },
    '/api/user/step-up/start': { options: requestOptions },
    '/api/user/step-up/finish': () => {
      isProven = true;
      return {};
    },
  });
  fireEvent.click(section.getByRole('button', { name: 'Delete my account' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Delete account' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Confirm with a passkey' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Delete account' }));
  const dialog = await screen.findByRole('dialog', { name: 'Your account will be deleted' });
  expect(dialog.textContent).toContain('Dec 3, 2026');
});

test('the account deletion dialog names what is lost, and deletes nothing when it is cancelled', async () => {
  const { calls, section } = await openOwnData({
    [leavePath]: { erasedAt: '2026-12-03T10:00:00.000Z' },
  });
  fireEvent.click(section.getByRole('button', { name: 'Delete my account' }));
  const dialog = await screen.findByRole('dialog', { name: 'Delete your account?' });
  expect(dialog.textContent).toContain('Your account is deleted in 14 days');
  expect(dialog.textContent).toContain('E Points and coupons you have not used are lost');
  fireEvent.click(within(dialog).getByRole('button', { name: 'Cancel' }));
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(callsOf(calls, leavePath)).toEqual([]);
});

test('the account deletion dialog shows an error message when the deletion fails, and the deletion can be retried', async () => {
  const { section } = await openOwnData({ [leavePath]: refused('SystemBusy', 503) });
  fireEvent.click(section.getByRole('button', { name: 'Delete my account' }));
  const dialog = within(await screen.findByRole('dialog', { name: 'Delete your account?' }));
  fireEvent.click(dialog.getByRole('button', { name: 'Delete account' }));
  await dialog.findByText('The account was not deleted');
  dialog.getByRole('button', { name: 'Delete account' });
});
