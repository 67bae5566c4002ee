import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { exportJWK, generateKeyPair, jwtDecrypt } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import account from '../../../public/locales/en-US/account.json';
import english from '../../../public/locales/en-US/shell.json';
import { callsOf, expectAddress, givenShop, open, refused } from '../../../test/shop.tsx';

const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
const { x, y } = await exportJWK(publicKey);
const keys = { keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: 'key-1' }], ts: 1_800_000_000 };
const emailPath = '/api/user/email/psw/reset';
const phonePath = '/api/user/phone/psw/reset';

function givenVisitor(other: Parameters<typeof givenShop>[0]) {
  return givenShop({
    '/api/user/info': { login: false },
    '/api/user/keys': keys,
    '/api/user/email/code/send': { nextInSeconds: 60 },
    '/api/user/phone/code/send': { nextInSeconds: 60 },
    ...other,
  });
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

function noteOf(label: string): string {
  const ids = screen.getByLabelText(label).getAttribute('aria-describedby')?.split(' ') ?? [];
  return ids.map((id) => document.getElementById(id)?.textContent).join(' | ');
}

async function unsealed(call: { path: string; body: unknown } | undefined) {
  const options = { audience: call?.path ?? '', currentDate: new Date(1_800_000_000_000) };
  const { payload } = await jwtDecrypt(Object(call?.body).data, privateKey, options);
  const { aud: _aud, iat: _iat, jti: _jti, ...content } = payload;
  return content;
}

beforeEach(() => localStorage.clear());
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test('[S8.11] a password reset by email code leads back to sign-in with a confirmation message', async () => {
  const calls = givenVisitor({ [emailPath]: { review: null } });
  await open('/login?redirect=%2Fmain%2Frecharge');
  fireEvent.click(await screen.findByRole('tab', { name: 'Email' }));
  fireEvent.click(screen.getByRole('link', { name: 'Forgot password?' }));
  await screen.findByRole('heading', { name: 'Reset password' });
  type('Email', 'aveline@example.com');
  press('Send code');
  await screen.findAllByText('Verification code sent to aveline@example.com');
  expect(callsOf(calls, '/api/user/email/code/send')[0]?.body).toEqual({
    email: 'aveline@example.com',
    purpose: 'password_forget_email',
    proof: null,
  });
  type('Verification code', '123456');
  type('New password', 'pa55word');
  type('New password again', 'pa55word');
  press('Change password');
  await screen.findByText('Password updated');
  await waitFor(() => expectAddress('/login?redirect=%2Fmain%2Frecharge'));
  expect(await unsealed(callsOf(calls, emailPath)[0])).toEqual({
    email: 'aveline@example.com',
    code: '123456',
    password: 'pa55word',
  });
});

test('a password reset by phone requests a password_forget_phone code and sends the new password', async () => {
  const calls = givenVisitor({ [phonePath]: { review: null } });
  await open('/login/reset?by=email');
  await screen.findByRole('heading', { name: 'Reset password' });
  press('Use phone number instead');
  type('Phone number', '4155550132');
  press('Send code');
  await screen.findByRole('button', { name: /Send again in/ });
  expect(await unsealed(callsOf(calls, '/api/user/phone/code/send')[0])).toMatchObject({
    purpose: 'password_forget_phone',
  });
  type('Verification code', '123456');
  type('New password', 'pa55word');
  type('New password again', 'pa55word');
  press('Change password');
  await screen.findByText('Password updated');
  expect(await unsealed(callsOf(calls, phonePath)[0])).toEqual({
    phone: '+14155550132',
    code: '123456',
    password: 'pa55word',
  });
});

test('a password reset by recovery code sends account, code and new password', async () => {
  const path = '/api/user/recovery-code/psw/reset';
  const calls = givenVisitor({ [path]: { review: null } });
  await open('/login/reset?by=email');
  await screen.findByRole('heading', { name: 'Reset password' });
  press('I have a recovery code');
  type('Account, email or phone number', ' aveline ');
  type('Recovery code', 'G7KD-9XMP-3TWR-CV25');
  type('New password', 'pa55word');
  type('New password again', 'pa55word');
  press('Change password');
  await screen.findByText('Password updated');
  expect(await unsealed(callsOf(calls, path)[0])).toEqual({
    account: 'aveline',
    code: 'G7KD-9XMP-3TWR-CV25',
    password: 'pa55word',
  });
});

test('[S5.01] [S5.02] [S5.03] [S5.04] an invalid password reset form shows errors at its fields and is not sent', async () => {
  const calls = givenVisitor({ [emailPath]: { review: null } });
  await open('/login/reset');
  await screen.findByRole('heading', { name: 'Reset password' });
  press('Change password');
  expect(screen.getByRole('alert').textContent).toBe('Please enter complete information');

  type('Email', 'aveline');
  type('Verification code', '123456');
  type('New password', 'short');
  type('New password again', 'shore');
  expect(noteOf('Email')).toBe('Please enter your valid email');
  expect(noteOf('New password')).toBe(`Password format mismatch | ${account.reset.rule}`);
  expect(noteOf('New password again')).toBe('The two passwords do not match, please re-enter');
  for (const unfit of ['12345', '1234567', 'abcdefg', '!!!!!!!', 'abc1'.repeat(5)]) {
    type('New password', unfit);
    expect(noteOf('New password')).toContain('Password format mismatch');
  }
  press('Change password');

  type('Email', 'aveline@example.com');
  type('New password', 'pa55word');
  type('New password again', 'pa55worD');
  press('Change password');
  type('New password again', '');
  press('Change password');
  expect(screen.getByRole('alert').textContent).toBe('Please enter complete information');
  expect(callsOf(calls, emailPath)).toEqual([]);
});

test.each(['InvalidEmailCode', 'PasswordFormatMismatch', 'PasswordKnown', 'SystemBusy'] as const)(
  '[S8.11] the password reset page shows the text of the error %s when the new password is refused',
  async (code) => {
    givenVisitor({ [emailPath]: refused(code) });
    await open('/login/reset');
    await screen.findByRole('heading', { name: 'Reset password' });
    type('Email', 'aveline@example.com');
    type('Verification code', '123456');
    type('New password', 'pa55word');
    type('New password again', 'pa55word');
    press('Change password');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(`Password change failed${english.errors[code]}`);
  },
);
