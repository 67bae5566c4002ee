import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { exportJWK, generateKeyPair } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callsOf, expectAddress, givenShop, open, refused } from '../../../test/shop.tsx';

const { publicKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
const { x, y } = await exportJWK(publicKey);
const reviewPath = '/api/user/psw/reset/passkeys';
const token = 'a'.repeat(43);
const passkeyOf = (digit: string, name: string) => ({
  passkeyId: `00000000-0000-4000-8000-00000000000${digit}`,
  name,
  siteTitle: 'Solmere',
  createdAt: '2026-11-01T10:00:00.000Z',
  lastUsedAt: null,
});
const [mine, theirs] = [passkeyOf('1', 'My phone'), passkeyOf('2', 'Planted')];

async function resetPassword(answer: object) {
  const calls = givenShop({
    '/api/user/info': { login: false },
    '/api/user/keys': {
      keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: 'key-1' }],
      ts: 1_800_000_000,
    },
    '/api/user/email/psw/reset': { review: { token, passkeys: [mine, theirs] } },
    [reviewPath]: answer,
  });
  await open('/login/reset?by=email');
  await screen.findByRole('heading', { name: 'Reset password' });
  const type = (label: string, value: string) =>
    fireEvent.change(screen.getByLabelText(label), { target: { value } });
  type('Email', 'aveline@example.com');
  type('Verification code', '123456');
  type('New password', 'pa55word');
  type('New password again', 'pa55word');
  fireEvent.click(screen.getByRole('button', { name: 'Change password' }));
  await screen.findByRole('heading', { name: 'One more question' });
  return calls;
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the passkey review after a password reset removes the passkeys that the account owner marks as foreign', async () => {
  const calls = await resetPassword({});
  fireEvent.click(screen.getByRole('checkbox', { name: /Planted/ }));
  fireEvent.click(screen.getByRole('button', { name: 'Remove the marked ones' }));
  await screen.findByText('Password updated');
  await waitFor(() => expectAddress('/login'));
  expect(callsOf(calls, reviewPath)[0]?.body).toEqual({ token, remove: [theirs.passkeyId] });
});

test('the passkey review after a password reset keeps all passkeys when the account owner marks none', async () => {
  const calls = await resetPassword({});
  const planted = screen.getByRole('checkbox', { name: /Planted/ });
  fireEvent.click(planted);
  fireEvent.click(planted);
  fireEvent.click(screen.getByRole('button', { name: 'All of them are mine' }));
  await screen.findByText('Password updated');
  expect(callsOf(calls, reviewPath)[0]?.body).toEqual({ token, remove: [] });
});

test('an expired passkey review after a password reset tells the player to reset the password again', async () => {
  await resetPassword(refused('ReviewExpired'));
  fireEvent.click(screen.getByRole('button', { name: 'All of them are mine' }));
  await screen.findByText('This took too long. Please reset your password again.');
});
