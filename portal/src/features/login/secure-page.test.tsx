import { cleanup, fireEvent, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { callsOf, expectAddress, givenShop, open, refused } from '../../../test/shop.tsx';

const path = '/api/user/secure';
const token = `${'a'.repeat(22)}.${'b'.repeat(43)}`;

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('the page of a security notice link secures the account only after a press of its button, and then links to the password reset', async () => {
  const calls = givenShop({ '/api/user/info': { login: false }, [path]: { removed: 1 } });
  await open(`/login/secure#${token}`);
  const submit = await screen.findByRole('button', { name: 'Secure my account' });
  expect(callsOf(calls, path)).toEqual([]);
  fireEvent.click(submit);
  fireEvent.click(await screen.findByRole('link', { name: 'Set a new password' }));
  expect(callsOf(calls, path)[0]?.body).toEqual({ token });
  await screen.findByRole('heading', { name: 'Reset password' });
});

test('a signed-in owner who secures the account by a security notice link is signed out without a session-expired dialog', async () => {
  const calls = givenShop({ [path]: { removed: 1 }, '/api/user/logout': {} });
  await open(`/login/secure#${token}`);
  fireEvent.click(await screen.findByRole('button', { name: 'Secure my account' }));
  await screen.findByRole('link', { name: 'Set a new password' });
  expect(callsOf(calls, '/api/user/logout')).toHaveLength(1);
  expect(screen.queryByRole('dialog')).toBeNull();
});

test('the token of a security notice link is removed from the URL', async () => {
  givenShop({ '/api/user/info': { login: false } });
  await open(`/login/secure#${token}`);
  await screen.findByRole('button', { name: 'Secure my account' });
  expectAddress('/login/secure');
  expect(window.location.href).not.toContain(token);
});

test('an expired security notice link shows that it has expired or was already used', async () => {
  givenShop({ '/api/user/info': { login: false }, [path]: refused('NoticeExpired') });
  await open(`/login/secure#${token}`);
  fireEvent.click(await screen.findByRole('button', { name: 'Secure my account' }));
  await screen.findByText('This link has expired or was already used');
});
