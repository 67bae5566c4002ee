import type { ErrorCode } from '@pointgate/contract/errors.ts';
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { exportJWK, generateKeyPair, jwtDecrypt } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import english from '../../../public/locales/en-US/shell.json';
import { callsOf, givenShop, open, player, refused, siteConfig } from '../../../test/shop.tsx';

const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
const { x, y } = await exportJWK(publicKey);
const keys = { keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: 'key-1' }], ts: 1_800_000_000 };
const [loginPath, startPath] = ['/api/user/login', '/api/user/login/start'];
const phoneCodePath = '/api/user/phone/code/send';

function givenVisitor(other: Parameters<typeof givenShop>[0]) {
  return givenShop({ '/api/user/info': { login: false }, '/api/user/keys': keys, ...other });
}

async function unsealed(call: { path: string; body: unknown } | undefined) {
  const { payload } = await jwtDecrypt(Object(call?.body).data, privateKey, {
    audience: call?.path ?? '',
    currentDate: new Date(1_800_000_000_000),
  });
  const { aud: _aud, iat: _iat, jti: _jti, ...content } = payload;
  return content;
}

const type = (label: string, value: string) =>
  fireEvent.change(screen.getByLabelText(label), { target: { value } });
const press = (name: string | RegExp) => fireEvent.click(screen.getByRole('button', { name }));

async function openTab(name: string) {
  fireEvent.click(await screen.findByRole('tab', { name }));
}

function givenUserAgent(userAgent: string) {
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  window.history.replaceState(null, '', '/');
});

test("[S5.03] the sign-in page shows 'Please enter your valid email' for a malformed email address and sends nothing", async () => {
  const calls = givenVisitor({ [loginPath]: player });
  await open('/login');
  await openTab('Email');
  type('Email', 'nobody@');
  type('Password', 'secret');
  press('Sign in');
  const field = screen.getByLabelText('Email');
  const note = document.getElementById(field.getAttribute('aria-describedby') ?? '');
  expect(note?.textContent).toBe('Please enter your valid email');
  await waitFor(() => expect(document.activeElement).toBe(field));
  expect(callsOf(calls, loginPath)).toEqual([]);

  type('Email', ' aveline@example.com ');
  press('Sign in');
  await screen.findByText('Login successful');
  expect(await unsealed(callsOf(calls, loginPath)[0])).toEqual({
    method: 'EMAIL_PASSWORD_AUTH',
    email: 'aveline@example.com',
    password: 'secret',
  });
});

test('a player signs in by phone number with a password or a one-time code', async () => {
  const calls = givenVisitor({
    [loginPath]: refused('InvalidMobileCode'),
    [phoneCodePath]: { nextInSeconds: 60 },
  });
  await open('/login');
  await openTab('Phone');
  type('Phone number', '+86 138 0013 8000');
  type('Password', 'secret');
  press('Sign in');
  await screen.findByRole('alert');
  expect(await unsealed(callsOf(calls, loginPath)[0])).toEqual({
    method: 'MOBILE_PASSWORD_AUTH',
    phone: '+8613800138000',
    password: 'secret',
  });

  press('Use a verification code instead');
  press('Send code');
  await screen.findByRole('button', { name: /Send again in (60|59) s/ });
  press(/Send again/);
  expect(callsOf(calls, phoneCodePath)).toHaveLength(1);
  expect(await unsealed(callsOf(calls, phoneCodePath)[0])).toEqual({
    phone: '+8613800138000',
    purpose: 'phone_internal',
    proof: null,
  });

  type('Verification code', 'Your code: 12 34-56.');
  expect(screen.getByLabelText('Verification code').getAttribute('autocomplete')).toBe(
    'one-time-code',
  );
  press('Sign in');
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Mobile phone verification code is incorrect');
  expect(await unsealed(callsOf(calls, loginPath)[1])).toEqual({
    method: 'MOBILE_AUTH',
    phone: '+8613800138000',
    code: '123456',
  });
});

// Generated and signed by altcha-lib, whose solver finds the same counter.
const challenge = {
  parameters: {
    algorithm: 'PBKDF2/SHA-256',
    cost: 50,
    data: { purpose: 'human' },
    expiresAt: 2_000_000_000,
    keyLength: 32,
    keyPrefix: 'e9389372fc7f7eaf817af904e4eaf7ae',
    keySignature: 'a1',
    nonce: '2e6569aef87900c38e6a472c22eacab3',
    salt: 'ce0a6c7ed31ce2759e20e0c02fb2a823',
  },
  signature: '3dd6',
};

test('the sign-in page repeats a request for a one-time code with a proof of work when the server asks for a human proof', async () => {
  const answers = [refused('HumanProofNeeded'), { nextInSeconds: 60 }];
  const calls = givenVisitor({
    [phoneCodePath]: () => answers.shift() ?? {},
    '/api/user/challenge': challenge,
  });
  await open('/login', { ...siteConfig, loginMethods: ['MOBILE_AUTH'] });
  await screen.findByLabelText('Phone number');
  type('Phone number', '4155550132');
  press('Send code');
  await screen.findByRole('button', { name: /Send again in/ });
  const sent = Object(await unsealed(callsOf(calls, phoneCodePath)[1]));
  expect(sent.purpose).toBe('phone_foreign');
  const proof = JSON.parse(atob(sent.proof));
  expect(proof.challenge).toEqual(challenge);
  expect(proof.solution).toMatchObject({
    counter: 23,
    derivedKey: 'e9389372fc7f7eaf817af904e4eaf7ae3e00684249d34304b3e24a672ec77677',
  });
});

test('the sign-in page repeats a suspicious sign-in with a proof of work, and shows a message meanwhile', async () => {
  const answers = [refused('HumanProofNeeded'), player];
  const response = Promise.withResolvers<object>();
  const calls = givenVisitor({
    [loginPath]: () => answers.shift() ?? {},
    '/api/user/challenge': () => response.promise,
  });
  await open('/login', { ...siteConfig, loginMethods: ['LOGIN_NAME_PASSWD_AUTH'] });
  await screen.findByLabelText('Account');
  type('Account', 'aveline');
  type('Password', 'Dawn-58');
  press('Sign in');
  await screen.findByText(english.login.proving);
  response.resolve(challenge);
  await screen.findByText('Login successful');
  expect(screen.queryByText(english.login.proving)).toBeNull();
  const [first, second] = callsOf(calls, loginPath).map(({ body }) => Object(body));
  expect(first.proof).toBeNull();
  expect(JSON.parse(atob(second.proof)).solution).toMatchObject({ counter: 23 });
  expect(second.data).not.toBe(first.data);
});

test('[S8.11] the sign-in page shows an error when a verification code cannot be sent, and can request it again', async () => {
  givenVisitor({ [phoneCodePath]: refused('AuthCodeSendTooFrequently') });
  await open('/login', { ...siteConfig, loginMethods: ['MOBILE_AUTH'] });
  await screen.findByLabelText('Phone number');
  press('Send code');
  expect(screen.getByLabelText('Phone number').getAttribute('aria-invalid')).toBe('true');
  type('Phone number', '4155550132');
  press('Send code');
  const alert = await screen.findByText('Failed to send the verification code');
  expect(alert.parentElement?.textContent).toContain(english.errors.AuthCodeSendTooFrequently);
  screen.getByRole('button', { name: 'Send code' });
});

const refusals = [
  'AuthFail',
  'EmailAccountNotFound',
  'FacebookAccountNotFound',
  'GameAccountNotFound',
  'GooglePGAccountNotFound',
  'LoginNameAccountNotFound',
  'MobileAccountNotFound',
  'AppleSignInAccountNotFound',
  'InvalidMobileCode',
  'InvalidParams',
  'InvalidPassword',
  'SystemBusy',
  'AuthCodeSendTooFrequently',
  'canNoEmailLogin',
  'LoginMethodNotOffered',
  'SignInThrottled',
  'WechatAccountNotFound',
] as const satisfies ErrorCode[];

test.each(refusals)(
  '[S8.06] [S8.07] the sign-in page shows for a sign-in refused with %s "Login failed" and the text of that error',
  async (code) => {
    givenVisitor({ [loginPath]: refused(code) });
    await open('/login');
    await screen.findByLabelText('Account');
    type('Account', 'aveline');
    type('Password', 'secret');
    press('Sign in');
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(`Login failed${english.errors[code]}`);
  },
);

test('arrow keys switch the sign-in tabs and keep the focus on the tabs', async () => {
  givenVisitor({});
  await open('/login');
  const name = await screen.findByRole('tab', { name: 'Account', selected: true });
  name.focus();
  fireEvent.keyDown(name, { key: 'ArrowRight' });
  const email = await screen.findByRole('tab', { name: 'Email', selected: true });
  expect(document.activeElement).toBe(email);
  fireEvent.keyDown(email, { key: 'ArrowLeft' });
  fireEvent.keyDown(name, { key: 'ArrowLeft' });
  const phone = await screen.findByRole('tab', { name: 'Phone', selected: true });
  expect(document.activeElement).toBe(phone);
  expect([name, email, phone].map(({ tabIndex }) => tabIndex)).toEqual([-1, -1, 0]);
});

test('the keyboard order of the sign-in card is tabs, fields, submit button, providers', async () => {
  givenVisitor({});
  const { container } = await open('/login');
  await openTab('Email');
  const card = container.querySelector('.login-card');
  const stops = [...(card?.querySelectorAll<HTMLElement>('button, input, a') ?? [])]
    .filter(({ tabIndex }) => tabIndex >= 0)
    .map((stop) => stop.getAttribute('aria-label') ?? stop.textContent ?? '');
  expect(stops).toEqual([
    'Email',
    '',
    '',
    'Show password',
    'Forgot password?',
    'Sign in',
    'Continue with Apple',
    'Continue with Google',
    'Continue with Facebook',
    'Scan with WeChat',
  ]);
});

test('the country dialog of the sign-in page finds a country by name or code and selects it with Enter without a sign-in', async () => {
  const calls = givenVisitor({ [loginPath]: player });
  await open('/login', { ...siteConfig, loginMethods: ['MOBILE_PASSWORD_AUTH'] });
  fireEvent.click(await screen.findByRole('button', { name: 'Country or region: US +1' }));
  const dialog = within(screen.getByRole('dialog'));
  const search = dialog.getByLabelText('Search by name or code');
  fireEvent.change(search, { target: { value: 'singap' } });
  expect(dialog.getAllByRole('listitem')).toHaveLength(1);
  fireEvent.change(search, { target: { value: 'atlantis' } });
  dialog.getByText('No country or region found');
  fireEvent.change(search, { target: { value: '65' } });
  fireEvent.keyDown(search, { key: 'Enter' });
  await screen.findByRole('button', { name: 'Country or region: SG +65' });
  expect(screen.queryByRole('dialog')).toBeNull();
  expect(callsOf(calls, loginPath)).toEqual([]);
});

test('[S1.06] the sign-in page in a web view of an Android game offers neither Google nor Facebook nor Apple', async () => {
  givenUserAgent('Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) Version/4.0 Chrome/124.0 Mobile');
  givenVisitor({});
  await open('/login');
  await screen.findByRole('button', { name: 'Scan with WeChat' });
  expect(screen.queryByRole('button', { name: /Continue with/ })).toBeNull();
});

test('the sign-in page tells the player to open a browser if no sign-in method works in the environment', async () => {
  givenUserAgent('Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) Version/4.0 Chrome/124.0 Mobile');
  givenVisitor({});
  await open('/login', { ...siteConfig, loginMethods: ['GOOGLE_PLAY_GAMES_AUTH'] });
  await screen.findByText(/Please open this page in your browser/);
});

test('the sign-in page sends the return path when a provider sign-in starts, and stores method, OAuth state and path in the tab', async () => {
  const url = `${window.location.origin}/login?redirect=%2Fmain%2Frecharge#provider`;
  const calls = givenVisitor({ [startPath]: { url, state: 'state-of-sixteen-signs' } });
  await open('/login?redirect=%2Fmain%2Frecharge');
  fireEvent.click(await screen.findByRole('button', { name: 'Continue with Google' }));
  await waitFor(() => expect(window.location.hash).toBe('#provider'));
  expect(callsOf(calls, startPath)[0]?.body).toEqual({
    method: 'GOOGLE_PLAY_GAMES_AUTH',
    redirect: '/main/recharge',
    inWechat: false,
  });
  expect(JSON.parse(sessionStorage.getItem('pointgate.provider-state') ?? '')).toEqual({
    method: 'GOOGLE_PLAY_GAMES_AUTH',
    state: 'state-of-sixteen-signs',
    back: '/main/recharge',
  });
});

test('WeChat sign-in inside WeChat starts without a QR code', async () => {
  givenUserAgent('Mozilla/5.0 (iPhone; CPU iPhone OS 17_4) Mobile MicroMessenger/8.0.49');
  const url = `${window.location.origin}/login#wechat`;
  const calls = givenVisitor({ [startPath]: { url, state: 'state-of-sixteen-signs' } });
  await open('/login');
  fireEvent.click(await screen.findByRole('button', { name: 'Continue with WeChat' }));
  await waitFor(() => expect(window.location.hash).toBe('#wechat'));
  expect(callsOf(calls, startPath)[0]?.body).toMatchObject({
    method: 'WECHAT_AUTH',
    inWechat: true,
  });
});

test('the sign-in page shows an error when a provider sign-in cannot start', async () => {
  givenVisitor({ [startPath]: refused('LoginMethodNotOffered') });
  await open('/login');
  fireEvent.click(await screen.findByRole('button', { name: 'Continue with Facebook' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toBe(`Login failed${english.errors.LoginMethodNotOffered}`);
});

test('the sign-in page preselects the tab of the sign-in method that the player used last', async () => {
  givenVisitor({ [loginPath]: player });
  await open('/login');
  await openTab('Email');
  type('Email', 'aveline@example.com');
  type('Password', 'secret');
  press('Sign in');
  await screen.findByText('Login successful');
  cleanup();
  await open('/login');
  await screen.findByRole('tab', { name: 'Email', selected: true });
});
