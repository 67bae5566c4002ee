import { loginMethods } from '@pointgate/contract/accounts.ts';
import { beforeEach, expect, test } from 'vitest';
import { lastMethod, rememberMethod } from './last-method.ts';
import { offeredSignInMethods } from './methods.ts';
import { isWechatScanned } from './sign-in-providers.tsx';

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
  '[S1.06] a portal opened in a %s on %s offers only the sign-in providers that accept that environment',
  (host, system, shown) => {
    expect(offeredSignInMethods(loginMethods, { host, system, ...scan }).providers).toEqual(shown);
  },
);

test('the portal offers sign-in methods with typed credentials in every environment, but only methods of the site', () => {
  const inGame = { host: 'webview', system: 'android', ...scan } as const;
  expect(offeredSignInMethods(loginMethods, inGame).typed).toEqual([
    'LOGIN_NAME_PASSWD_AUTH',
    'EMAIL_PASSWORD_AUTH',
    'MOBILE_PASSWORD_AUTH',
    'MOBILE_AUTH',
  ]);
  expect(
    offeredSignInMethods(['MOBILE_AUTH', google], { host: 'browser', system: 'ios', ...scan }),
  ).toEqual({
    typed: ['MOBILE_AUTH'],
    providers: [google],
  });
  expect(offeredSignInMethods([], inGame)).toEqual({ typed: [], providers: [] });
});

test('WeChat sign-in shows a QR code everywhere except inside WeChat', () => {
  expect(isWechatScanned({ host: 'wechat', system: 'ios' })).toBe(false);
  expect(isWechatScanned({ host: 'webview', system: 'ios' })).toBe(true);
  expect(isWechatScanned({ host: 'browser', system: 'desktop' })).toBe(true);
});

test.each([
  ['browser', [apple, google, facebook]],
  ['webview', [apple]],
  ['wechat', [apple, wechat]],
] as const)(
  'WeChat sign-in without QR codes is offered only inside WeChat (environment: %s)',
  (host, shown) => {
    const ways = offeredSignInMethods(loginMethods, { host, system: 'ios', hasWechatScan: false });
    expect(ways.providers).toEqual(shown);
  },
);

test('the portal remembers the sign-in method used last, and ignores that method where it is not available', () => {
  const browser = offeredSignInMethods(loginMethods, { host: 'browser', system: 'ios', ...scan });
  expect(lastMethod(browser)).toBeNull();
  rememberMethod(google);
  expect(lastMethod(browser)).toBe(google);
  expect(
    lastMethod(offeredSignInMethods(loginMethods, { host: 'webview', system: 'ios', ...scan })),
  ).toBeNull();
  localStorage.setItem('pointgate.last-login-method', 'constructor');
  expect(lastMethod(browser)).toBeNull();
});
