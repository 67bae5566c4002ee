import { loginMethods } from '@pointgate/contract/accounts.ts';
import { beforeEach, expect, test } from 'vitest';
import { isWechatScanned, lastMethod, rememberMethod, waysIn } from './methods.ts';

beforeEach(() => localStorage.clear());

const [apple, google, facebook, wechat] = [
  'APPLE_SIGN_IN_AUTH',
  'GOOGLE_PLAY_GAMES_AUTH',
  'FACEBOOK_AUTH',
  'WECHAT_AUTH',
] as const;

const scan = { hasWechatScan: true };

test.each([
  ['browser', 'desktop', [apple, google, facebook, wechat]],
  ['browser', 'ios', [apple, google, facebook, wechat]],
  ['browser', 'android', [apple, google, facebook, wechat]],
  ['webview', 'ios', [apple, wechat]],
  ['webview', 'android', [wechat]],
  ['webview', 'desktop', [apple, wechat]],
  ['wechat', 'ios', [apple, wechat]],
  ['wechat', 'android', [wechat]],
  ['wechat', 'desktop', [apple, wechat]],
] as const)(
  '[S1.06] in a %s on %s only the providers that accept it are shown',
  (host, system, shown) => {
    expect(waysIn(loginMethods, { host, system, ...scan }).providers).toEqual(shown);
  },
);

test('what is typed works everywhere, and nothing shows that the site does not offer', () => {
  const inGame = { host: 'webview', system: 'android', ...scan } as const;
  expect(waysIn(loginMethods, inGame).typed).toEqual([
    'LOGIN_NAME_PASSWD_AUTH',
    'EMAIL_PASSWORD_AUTH',
    'MOBILE_PASSWORD_AUTH',
    'MOBILE_AUTH',
  ]);
  expect(waysIn(['MOBILE_AUTH', google], { host: 'browser', system: 'ios', ...scan })).toEqual({
    typed: ['MOBILE_AUTH'],
    providers: [google],
  });
  expect(waysIn([], inGame)).toEqual({ typed: [], providers: [] });
});

test('WeChat shows a code to scan, except inside itself', () => {
  expect(isWechatScanned({ host: 'wechat', system: 'ios' })).toBe(false);
  expect(isWechatScanned({ host: 'webview', system: 'ios' })).toBe(true);
  expect(isWechatScanned({ host: 'browser', system: 'desktop' })).toBe(true);
});

test.each([
  ['browser', [apple, google, facebook]],
  ['webview', [apple]],
  ['wechat', [apple, wechat]],
] as const)('without a code to scan WeChat is for its own app: in a %s', (host, shown) => {
  const ways = waysIn(loginMethods, { host, system: 'ios', hasWechatScan: false });
  expect(ways.providers).toEqual(shown);
});

test('the last way in is remembered, unless it is no longer one', () => {
  const browser = waysIn(loginMethods, { host: 'browser', system: 'ios', ...scan });
  expect(lastMethod(browser)).toBeNull();
  rememberMethod(google);
  expect(lastMethod(browser)).toBe(google);
  expect(lastMethod(waysIn(loginMethods, { host: 'webview', system: 'ios', ...scan }))).toBeNull();
  localStorage.setItem('pointgate.last-login-method', 'constructor');
  expect(lastMethod(browser)).toBeNull();
});
