import { cleanup, fireEvent, screen, waitFor } from '@testing-library/react';
import { exportJWK, generateKeyPair, jwtDecrypt } from 'jose';
import { afterEach, expect, test, vi } from 'vitest';
import { givenWindowWidth } from '../../../test/browser.ts';
import { callsOf, expectAddress, givenShop, open, player, refused } from '../../../test/shop.tsx';

const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
const { x, y } = await exportJWK(publicKey);
const key = { kty: 'EC', crv: 'P-256', x, y, kid: 'key-1' };
const signedOut = { login: false };

function givenVisitor(login: object) {
  return givenShop({
    '/api/user/info': signedOut,
    '/api/user/keys': { keys: [key], ts: 1_800_000_000 },
    '/api/user/login': login,
  });
}

async function signIn(name: string, password: string) {
  fireEvent.change(await screen.findByLabelText('Account'), { target: { value: name } });
  fireEvent.change(screen.getByLabelText('Password'), { target: { value: password } });
  fireEvent.click(screen.getByRole('button', { name: 'Sign in' }));
}

async function unsealed(login: { body: unknown } | undefined) {
  return await jwtDecrypt(Object(login?.body).data, privateKey, {
    audience: '/api/user/login',
    currentDate: new Date(1_800_000_000_000),
  });
}

afterEach(() => {
  cleanup();
  givenWindowWidth(1440);
  vi.unstubAllGlobals();
});

test("[S5.04] an incomplete sign-in form shows 'Please enter complete information' and is not sent", async () => {
  const calls = givenVisitor(player);
  await open('/login');
  for (const [name, password] of [
    ['', ''],
    ['aveline', ''],
    ['', 'secret'],
    ['  ', 'secret'],
  ] as const) {
    await signIn(name, password);
    expect(screen.getByRole('alert').textContent).toBe('Please enter complete information');
  }
  expect(callsOf(calls, '/api/user/login')).toEqual([]);
});

test('the sign-in page sends the password only inside an encrypted message that names the sign-in endpoint and the server time', async () => {
  const calls = givenVisitor(player);
  await open('/login');
  await signIn('aveline', 'pa55word!');
  await screen.findByText('Login successful');

  const [login] = callsOf(calls, '/api/user/login');
  expect(JSON.stringify(login?.body)).not.toContain('pa55word');
  const { payload, protectedHeader } = await unsealed(login);
  expect(protectedHeader).toMatchObject({ alg: 'ECDH-ES', enc: 'A256GCM', kid: 'key-1' });
  expect(payload).toMatchObject({
    method: 'LOGIN_NAME_PASSWD_AUTH',
    loginName: 'aveline',
    password: 'pa55word!',
    iat: 1_800_000_000,
  });
  expect(payload.jti).toMatch(/^[0-9a-f-]{36}$/);
});

test('the sign-in page trims spaces around the account name and keeps spaces in the password', async () => {
  const calls = givenVisitor(player);
  await open('/login');
  await signIn(' aveline ', ' pa55 ');
  await screen.findByText('Login successful');
  const { payload } = await unsealed(callsOf(calls, '/api/user/login')[0]);
  expect(payload).toMatchObject({ loginName: 'aveline', password: ' pa55 ' });
});

test.each([
  [751, true],
  [750, false],
])(
  'the account field of the sign-in page at a width of %i px has initial focus: %s',
  async (width, hasFocus) => {
    givenWindowWidth(width);
    givenVisitor(player);
    await open('/login');
    const account = await screen.findByLabelText('Account');
    expect(document.activeElement === account).toBe(hasFocus);
  },
);

test.each([
  ['InvalidPassword', 'Incorrect password'],
  ['LoginNameAccountNotFound', 'Account does not exist'],
  ['AuthFail', 'User authentication failed'],
] as const)(
  'the sign-in page shows for a sign-in refused with %s the text "%s", and the form can be sent again',
  async (code, words) => {
    givenVisitor(refused(code));
    await open('/login');
    await signIn('aveline', 'wrong');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toContain('Login failed');
    expect(alert.textContent).toContain(words);
    expect(screen.getByRole('button', { name: 'Sign in' }).hasAttribute('aria-disabled')).toBe(
      false,
    );
  },
);

test('the sign-in page shows another error for a lost connection than for a wrong password', async () => {
  givenVisitor(() => Promise.reject(new TypeError('Failed to fetch')));
  await open('/login');
  await signIn('aveline', 'secret');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Some errors occurred while fetching information');
});

test('[S2.22] a visitor is redirected to sign-in and then back, or to the home page if the root was opened', async () => {
  givenVisitor(player);
  await open('/main/recharge?item=shards_300&from=mail');
  await screen.findByLabelText('Account');
  expectAddress(
    '/login?item=shards_300&from=mail&redirect=%2Fmain%2Frecharge%3Fitem%3Dshards_300%26from%3Dmail',
  );
  await signIn('aveline', 'secret');
  await screen.findByRole('radio', { name: /300 Shards/, checked: true });
  expectAddress('/main/recharge?item=shards_300&from=mail');

  cleanup();
  await open('/?from=mail');
  await screen.findByLabelText('Account');
  expectAddress('/login?from=mail');
  await signIn('aveline', 'secret');
  await waitFor(() => expectAddress('/main/home?from=mail'));
});

test('a signed-in player who opens the sign-in page is redirected to the page named in its redirect parameter', async () => {
  givenShop();
  await open('/login?redirect=%2Fmain%2Frecharge');
  await waitFor(() => expectAddress('/main/recharge'));
});

test.each([
  '/login?redirect=/main/recharge/detail/00000000-0000-4000-8000-000000000001',
  '/login?redirect=%2Fdream%2Forder%2Fdetail%3FpaymentId%3D00000000-0000-4000-8000-000000000001',
])(
  'the sign-in page asks a visitor returning from a payment without a session to sign in to see the order: %s',
  async (path) => {
    givenVisitor(player);
    await open(path);
    await screen.findByText(/^Sign in to see your order\. If you have already paid/);
  },
);

test.each(['/login', '/login?redirect=/main/recharge', '/login?redirect=//evil.com'])(
  'the sign-in page shows its normal text to a visitor who was not sent from an order page: %s',
  async (path) => {
    givenVisitor(player);
    await open(path);
    await screen.findByText(/^Use your game account to top up at/);
  },
);
