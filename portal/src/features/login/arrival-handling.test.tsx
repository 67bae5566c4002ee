import { cleanup, screen, waitFor } from '@testing-library/react';
import { exportJWK, generateKeyPair, jwtDecrypt } from 'jose';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import english from '../../../public/locales/en-US/shell.json';
import {
  callsOf,
  expectAddress,
  givenShop,
  open,
  player,
  refused,
  siteConfig,
} from '../../../test/shop.tsx';
import { rememberStart } from '../../entities/session/started-sign-in.ts';

const { publicKey, privateKey } = await generateKeyPair('ECDH-ES', { crv: 'P-256' });
const { x, y } = await exportJWK(publicKey);
const keys = { keys: [{ kty: 'EC', crv: 'P-256', x, y, kid: 'key-1' }], ts: 1_800_000_000 };
const loginPath = '/api/user/login';
const openIdPath = '/api/user/wechat/info/get';
const state = 'state-of-sixteen-signs';

function givenVisitor(login: object) {
  return givenShop({
    '/api/user/info': { login: false },
    '/api/user/keys': keys,
    [loginPath]: login,
  });
}

async function unsealed(call: { body: unknown } | undefined) {
  const options = { audience: loginPath, currentDate: new Date(1_800_000_000_000) };
  const { payload } = await jwtDecrypt(Object(call?.body).data, privateKey, options);
  const { aud: _aud, iat: _iat, jti: _jti, ...content } = payload;
  return content;
}

function givenWechat() {
  const userAgent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4) Mobile MicroMessenger/8.0.49';
  vi.spyOn(navigator, 'userAgent', 'get').mockReturnValue(userAgent);
  const { gameInfo } = siteConfig;
  const customConfig = { ...gameInfo.customConfig, wechatAppId: 'wx123' };
  return { ...siteConfig, gameInfo: { ...gameInfo, customConfig } };
}

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});
afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

test.each([
  ['false', 'Account does not exist'],
  ['true', 'Login successful'],
  ['1', 'Login successful'],
])(
  '[S4.14] the URL parameter appleId=%s after an Apple sign-in shows "%s" and is removed from the URL',
  async (flag, words) => {
    givenShop();
    await open(`/main/home?appleId=${flag}&from=mail`);
    await screen.findByText(words);
    expectAddress('/main/home?from=mail');
  },
);

test('the URL parameter appleId, which marks a return from Apple, does not sign a visitor in by itself', async () => {
  givenVisitor(player);
  await open('/main/home?appleId=true');
  await screen.findByLabelText('Account');
});

test('[S4.15] [S4.18] a WeChat callback on any portal page signs the player in when this tab started the sign-in', async () => {
  rememberStart({ method: 'WECHAT_AUTH', state, back: '/main/home' });
  const calls = givenVisitor(player);
  await open(`/main/recharge?item=shards_300&code=c-1&state=${state}`);
  await screen.findByText('Login successful');
  await waitFor(() => expectAddress('/main/recharge?item=shards_300'));
  expect(await unsealed(callsOf(calls, loginPath)[0])).toEqual({
    method: 'WECHAT_AUTH',
    type: 'WeChat',
    code: 'c-1',
    state,
  });
  expect(callsOf(calls, loginPath)).toHaveLength(1);
  // The balance is that of the game account which the login brought.
  await waitFor(() =>
    expect(callsOf(calls, '/api/epoint/overage')[0]?.body).toEqual({ userId: 'g-1' }),
  );
});

test.each([
  ['another state', () => rememberStart({ method: 'WECHAT_AUTH', state: 'other', back: '/' })],
  ['no state stored', () => {}],
  ["another provider's state", () => rememberStart({ method: 'FACEBOOK_AUTH', state, back: '/' })],
])(
  "[S4.15] the sign-in page shows 'WeChat login abnormal' for a WeChat callback with %s and does not use the code",
  async (_case, given) => {
    given();
    const calls = givenVisitor(player);
    await open(`/login?code=c-1&state=${state}`);
    await screen.findByText('WeChat login abnormal');
    expectAddress('/login');
    expect(callsOf(calls, loginPath)).toEqual([]);
  },
);

test('[S4.15] the sign-in page shows the reason of a refused WeChat sign-in', async () => {
  rememberStart({ method: 'WECHAT_AUTH', state, back: '/main' });
  givenVisitor(refused('WechatAccountNotFound'));
  await open(`/login?code=c-1&state=${state}`);
  await screen.findByText(`Login failed: ${english.errors.WechatAccountNotFound}`);
});

test('[S4.16] a WeChat code without OAuth state inside WeChat is exchanged for an open id, which the browser stores', async () => {
  const config = givenWechat();
  const calls = givenShop({ [openIdPath]: { openId: 'o-1' } });
  await open('/main/home?code=c-2', config);
  await waitFor(() => expect(localStorage.getItem('pointgate.wechat-open-id')).toBe('o-1'));
  expect(callsOf(calls, openIdPath).map(({ body }) => body)).toEqual([{ code: 'c-2' }]);
  expectAddress('/main/home');
  expect(sessionStorage.getItem('pointgate.wechat-asked')).toBeNull();
});

test.each(['FACEBOOK_AUTH', 'GOOGLE_PLAY_GAMES_AUTH'] as const)(
  'the callback of the sign-in provider %s signs the player in and redirects to the page that the player came from',
  async (method) => {
    rememberStart({ method, state, back: '/main/recharge' });
    const calls = givenVisitor(player);
    await open(`/login/return?code=c-3&state=${state}&scope=openid`);
    expectAddress('/login/return');
    await waitFor(() => expectAddress('/main/recharge'));
    expect(await unsealed(callsOf(calls, loginPath)[0])).toEqual({ method, code: 'c-3', state });
    expect(localStorage.getItem('pointgate.last-login-method')).toBe(method);
  },
);

test.each(['FacebookAccountNotFound', 'AuthFail', 'SignInThrottled'] as const)(
  'the portal shows the error and a link back to sign-in when the callback of a sign-in provider is refused with %s',
  async (code) => {
    rememberStart({ method: 'FACEBOOK_AUTH', state, back: '/main' });
    givenVisitor(refused(code));
    await open(`/login/return?code=c-3&state=${state}&lng=en-US`);
    const alert = await screen.findByRole('alert');
    expect(alert.textContent).toBe(`Login failed${english.errors[code]}`);
    const back = screen.getByRole('link', { name: 'Back to sign in' });
    expect(back.getAttribute('href')).toBe('/login?lng=en-US');
  },
);

test('the portal refuses a callback of a sign-in provider with a foreign OAuth state and sends no sign-in request', async () => {
  const calls = givenVisitor(player);
  for (const query of [`code=c&state=${state}`, 'error=access_denied', `code=c&state=other`]) {
    rememberStart({ method: 'FACEBOOK_AUTH', state: 'mine', back: '/main' });
    await open(`/login/return?${query}`);
    expect((await screen.findByRole('alert')).textContent).toContain('Login failed');
    cleanup();
  }
  rememberStart({ method: 'WECHAT_AUTH', state: 'mine', back: '/main' });
  await open('/login/return?code=c&state=other');
  expect((await screen.findByRole('alert')).textContent).toContain('WeChat login abnormal');
  expect(callsOf(calls, loginPath)).toEqual([]);
});
