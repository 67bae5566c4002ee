import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../test/browser.ts';
import { creationOptions, givenPasskeyDevice, requestOptions } from '../../test/passkey-device.ts';
import { aveline, callsOf, givenShop, open, player, refused } from '../../test/shop.tsx';

// Every form and button that writes must send one request when pressed twice before React renders
// again. Buttons that pay are tested elsewhere.

const { publicKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
const { x, y } = await exportJWK(publicKey);
const keys = {
  '/api/user/keys': { keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: 'key-1' }], ts: 1_800_000_000 },
};
const visitor = { '/api/user/info': { login: false }, ...keys };
const never = () => new Promise<object>(() => {});

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const button = (name: string | RegExp) => screen.findByRole('button', { name });
const dialog = async () => within(await screen.findByRole('dialog'));

const passkeyId = '00000000-0000-4000-8000-000000000001';
const passkey = {
  passkeyId,
  name: 'Desk',
  createdAt: '2026-11-01T10:00:00.000Z',
  lastUsedAt: null,
};
const budget = { currency: 'USD', amountMinor: '5000', spentMinor: '0' };
const pending = { amountMinor: '8000', from: '2026-11-16T10:00:00.000Z' };
const session = {
  siteId: 'omni',
  siteTitle: 'Omni Games',
  device: { browser: 'edge', system: 'windows' },
  startedAt: '2026-11-15T10:00:00.000Z',
  seenAt: null,
  endsAt: '2026-12-15T10:00:00.000Z',
  isByLink: false,
  isThis: false,
};

async function writeReset(by: 'email' | 'phone') {
  await screen.findByRole('heading', { name: 'Reset password' });
  if (by === 'email') type('Email', 'aveline@example.com');
  else type('Phone number', '4155550132');
  type('Verification code', '123456');
  type('New password', 'pa55word');
  type('New password again', 'pa55word');
  return await button('Change password');
}

/** Opens a dialog of the sign-in and security section and types the current password. */
async function openOwnChange(opener: string) {
  fireEvent.click(await button(opener));
  const opened = await dialog();
  const current = opened.getByLabelText('Current password');
  fireEvent.change(current, { target: { value: 'Dawn-58' } });
  return opened;
}

interface Form {
  address: string;
  answers?: Parameters<typeof givenShop>[0];
  /** Fills in the form and returns the button to press. */
  write: () => Promise<HTMLElement>;
  /** The endpoint that may be called only once. */
  path: string;
}

const forms: Record<string, Form> = {
  'signing in': {
    address: '/login',
    answers: { ...visitor, '/api/user/login': player },
    write: async () => {
      await screen.findByLabelText('Account');
      type('Account', 'aveline');
      type('Password', 'pa55word');
      return await button('Sign in');
    },
    path: '/api/user/login',
  },
  'requesting a verification code': {
    address: '/login/reset?by=email',
    answers: { ...visitor, '/api/user/email/code/send': { nextInSeconds: 60 } },
    write: async () => {
      await screen.findByRole('heading', { name: 'Reset password' });
      type('Email', 'aveline@example.com');
      return await button('Send code');
    },
    path: '/api/user/email/code/send',
  },
  'resetting the password by mail': {
    address: '/login/reset?by=email',
    answers: { ...visitor, '/api/user/email/psw/reset': {} },
    write: () => writeReset('email'),
    path: '/api/user/email/psw/reset',
  },
  'resetting the password by phone': {
    address: '/login/reset?by=phone',
    answers: { ...visitor, '/api/user/phone/psw/reset': {} },
    write: () => writeReset('phone'),
    path: '/api/user/phone/psw/reset',
  },
  'starting a sign-in with Apple': {
    address: '/login',
    answers: { ...visitor, '/api/user/login/start': never },
    write: () => button('Continue with Apple'),
    path: '/api/user/login/start',
  },
  'signing in with a passkey': {
    address: '/login',
    answers: { ...visitor, '/api/user/passkey/login/start': never },
    write: () => button(/passkey/i),
    path: '/api/user/passkey/login/start',
  },
  'adding a passkey': {
    address: '/main/account/user',
    answers: { '/api/user/passkey/register/start': { options: creationOptions } },
    write: async () => {
      fireEvent.click(await button('Add a passkey'));
      return (await dialog()).getByRole('button', { name: 'Continue' });
    },
    path: '/api/user/passkey/register/start',
  },
  'removing a passkey': {
    address: '/main/account/user',
    answers: {
      '/api/user/passkey/list': { passkeys: [passkey] },
      '/api/user/passkey/remove': {},
    },
    write: async () => {
      fireEvent.click(await button('Remove Desk'));
      return (await dialog()).getByRole('button', { name: 'Remove' });
    },
    path: '/api/user/passkey/remove',
  },
  'changing the password': {
    address: '/main/account/user',
    answers: { ...keys, '/api/user/psw/change': never },
    write: async () => {
      const opened = await openOwnChange('Change password');
      type('New password', 'pa55word');
      type('New password again', 'pa55word');
      return opened.getByRole('button', { name: 'Save' });
    },
    path: '/api/user/psw/change',
  },
  'changing the email': {
    address: '/main/account/user',
    answers: { ...keys, '/api/user/address/change': never },
    write: async () => {
      const opened = await openOwnChange('Change email');
      type('Email', 'aveline@example.com');
      type('Verification code', '123456');
      return opened.getByRole('button', { name: 'Save' });
    },
    path: '/api/user/address/change',
  },
  'removing the email': {
    address: '/main/account/user',
    answers: { ...keys, '/api/user/address/remove': never },
    write: async () => {
      const opened = await openOwnChange('Remove email');
      return opened.getByRole('button', { name: 'Remove' });
    },
    path: '/api/user/address/remove',
  },
  'making recovery codes': {
    address: '/main/account/user',
    answers: { ...keys, '/api/user/recovery-code/make': never },
    write: async () => {
      const opened = await openOwnChange('Make recovery codes');
      return opened.getByRole('button', { name: 'Show my codes' });
    },
    path: '/api/user/recovery-code/make',
  },
  'resetting the password by recovery code': {
    address: '/login/reset?by=recovery',
    answers: { ...visitor, '/api/user/recovery-code/psw/reset': never },
    write: async () => {
      await screen.findByRole('heading', { name: 'Reset password' });
      type('Account, email or phone number', 'aveline');
      type('Recovery code', 'G7KD-9XMP-3TWR-CV25');
      type('New password', 'pa55word');
      type('New password again', 'pa55word');
      return await button('Change password');
    },
    path: '/api/user/recovery-code/psw/reset',
  },
  'setting a budget': {
    address: '/main/account/user',
    answers: { '/api/user/budget/set': { ...budget, pending: null } },
    write: async () => {
      fireEvent.click(await button('Set a budget'));
      const opened = await dialog();
      fireEvent.change(opened.getByRole('textbox'), { target: { value: '50' } });
      return opened.getByRole('button', { name: 'Save' });
    },
    path: '/api/user/budget/set',
  },
  'cancelling a budget change': {
    address: '/main/account/user',
    answers: {
      '/api/user/budget/query': { ...budget, pending },
      '/api/user/budget/set': { ...budget, pending: null },
    },
    write: () => button('Keep $50.00'),
    path: '/api/user/budget/set',
  },
  'removing a budget': {
    address: '/main/account/user',
    answers: {
      '/api/user/budget/query': { ...budget, pending: null },
      '/api/user/budget/set': { ...budget, pending: { ...pending, amountMinor: null } },
    },
    write: async () => {
      fireEvent.click(await button('Remove'));
      return (await dialog()).getByRole('button', { name: 'Remove in 24 hours' });
    },
    path: '/api/user/budget/set',
  },
  'ending a session': {
    address: '/main/account/user',
    answers: { '/api/user/session/list': { sessions: [session] }, '/api/user/session/end': {} },
    write: () => button('Sign out on Omni Games'),
    path: '/api/user/session/end',
  },
  'redeeming a code': {
    address: '/main/home',
    answers: { '/api/redeem/use': never },
    write: async () => {
      const region = within(await screen.findByRole('region', { name: 'Redeem a code' }));
      fireEvent.change(region.getByRole('textbox'), { target: { value: 'GIFT' } });
      return region.getByRole('button', { name: 'Redeem' });
    },
    path: '/api/redeem/use',
  },
  'choosing a game character': {
    address: '/main/recharge',
    answers: {
      '/api/character/role/list': {
        roles: [aveline, { ...aveline, roleId: 'r2', name: 'Corvin' }],
      },
    },
    write: async () => {
      fireEvent.click(await button(/Deliver to/));
      return await (await dialog()).findByRole('button', { name: /Corvin/ });
    },
    path: '/api/character/info/select',
  },
  'signing out': {
    address: '/main/account/user',
    answers: { '/api/user/logout': never },
    write: async () => {
      fireEvent.click(await button('Account'));
      return await button('Logout');
    },
    path: '/api/user/logout',
  },
  'confirming with a passkey': {
    address: '/main/account/user',
    answers: {
      '/api/user/real/info/query': refused('StepUpNeeded'),
      '/api/user/step-up/start': { options: requestOptions },
      '/api/user/step-up/finish': never,
    },
    write: () => button(/Confirm/),
    path: '/api/user/step-up/start',
  },
};

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
  givenWindowWidth(1440);
  givenPasskeyDevice();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  window.history.replaceState(null, '', '/');
});

test.each(Object.entries(forms))(
  'a double press of a button while %s sends a single request',
  async (_what, form) => {
    const calls = givenShop(form.answers);
    await open(form.address);
    const pressed = await form.write();
    act(() => {
      pressed.click();
      pressed.click();
    });
    await waitFor(() => expect(callsOf(calls, form.path)).toHaveLength(1));
    // A second press would have sent its request by now.
    await act(async () => await new Promise((resolve) => setTimeout(resolve)));
    expect(callsOf(calls, form.path)).toHaveLength(1);
  },
);
