import type { Environment } from '@pointgate/contract/environment.ts';
import { beforeEach, expect, test } from 'vitest';
import { readArrival, receiveArrival, takeArrival } from './arrival.ts';
import { rememberStart, takeStart } from './started-sign-in.ts';
import { hasOpenId, markAsked, mayAskForOpenId, openIdAddress, rememberOpenId } from './wechat.ts';

const browser: Environment = { host: 'browser', system: 'desktop' };
const wechat: Environment = { host: 'wechat', system: 'ios' };

beforeEach(() => {
  localStorage.clear();
  sessionStorage.clear();
});

function read(address: string, environment = browser) {
  const { arrival, cleanAddress } = readArrival(new URL(address, 'https://shop.test'), environment);
  const { appleId, code, state } = arrival;
  return { appleId, code, state, cleanAddress };
}

const nothing = { appleId: null, code: null, state: null };

test.each([
  ['/main/home?from=mail#top', { ...nothing, cleanAddress: '/main/home?from=mail#top' }],
  ['/?appleId=false&lng=de-DE', { ...nothing, appleId: 'false', cleanAddress: '/?lng=de-DE' }],
  ['/main?appleId=', { ...nothing, appleId: '', cleanAddress: '/main' }],
  [
    '/main/recharge?code=c&item=a&state=s',
    { ...nothing, code: 'c', state: 's', cleanAddress: '/main/recharge?item=a' },
  ],
  // A code that belongs to another feature, such as redemption.
  ['/main/home?code=GIFT', { ...nothing, cleanAddress: '/main/home?code=GIFT' }],
  ['/main/home?state=open', { ...nothing, cleanAddress: '/main/home?state=open' }],
])(
  '[S4.18] the portal reads the sign-in parameters in the URL %s and removes them from the URL',
  (address, expected) => {
    expect(read(address)).toEqual(expected);
  },
);

test('[S4.16] [S4.18] a WeChat code in the portal URL is accepted without an OAuth state inside WeChat', () => {
  expect(read('/main/home?code=c&from=mail', wechat)).toEqual({
    ...nothing,
    code: 'c',
    cleanAddress: '/main/home?from=mail',
  });
});

test('the portal removes from the URL all parameters that a sign-in provider adds to its callback', () => {
  const address = '/login/return?code=c&state=s&scope=openid&authuser=0&iss=x&lng=ja-JP';
  expect(read(address)).toEqual({
    ...nothing,
    code: 'c',
    state: 's',
    cleanAddress: '/login/return?lng=ja-JP',
  });
  expect(read('/login/return?error=access_denied&state=s').cleanAddress).toBe('/login/return');
});

test('the sign-in parameters of a portal URL are used once, by the first handler that accepts the path of the URL', () => {
  window.history.replaceState(null, '', '/main?code=c&state=s&from=mail');
  receiveArrival(browser);
  expect(window.location.search).toBe('?from=mail');
  expect(takeArrival(({ path }) => path === '/login/return')).toBeNull();
  expect(takeArrival(() => true)).toMatchObject({ code: 'c', state: 's' });
  expect(takeArrival(() => true)).toBeNull();
});

test('[S9.05] the portal keeps a started provider sign-in in session storage, WeChat under an own key, and reads it only once', () => {
  rememberStart({ method: 'WECHAT_AUTH', state: 'one', back: '/main' });
  expect(sessionStorage.getItem('pointgate.wechat-state')).toContain('one');
  rememberStart({ method: 'FACEBOOK_AUTH', state: 'two', back: '/main' });
  expect(sessionStorage.getItem('pointgate.wechat-state')).toBeNull();
  expect(takeStart()).toEqual({ method: 'FACEBOOK_AUTH', state: 'two', back: '/main' });
  expect(takeStart()).toBeNull();
  rememberStart({ method: 'WECHAT_AUTH', state: 'three', back: '/main' });
  expect(takeStart()?.state).toBe('three');
  for (const text of ['{', '{}', 'null', '{"method":"NONE","state":"s","back":"/"}']) {
    sessionStorage.setItem('pointgate.provider-state', text);
    expect(takeStart()).toBeNull();
  }
});

test('[S9.05] the portal requests a WeChat open id once per session, and never when an open id is stored', () => {
  expect(mayAskForOpenId()).toBe(true);
  markAsked();
  expect(mayAskForOpenId()).toBe(false);
  sessionStorage.clear();
  rememberOpenId('o-1');
  expect(localStorage.getItem('pointgate.wechat-open-id')).toBe('o-1');
  expect([hasOpenId(), mayAskForOpenId()]).toEqual([true, false]);
});

test('[S4.17] the WeChat authorize URL has the parameters that WeChat requires, in the required order', () => {
  const here = 'https://shop.test/main/home?from=mail&lng=zh-CN';
  expect(openIdAddress({ appId: 'wx123', here })).toBe(
    'https://open.weixin.qq.com/connect/oauth2/authorize?appid=wx123' +
      '&redirect_uri=https%3A%2F%2Fshop.test%2Fmain%2Fhome%3Ffrom%3Dmail%26lng%3Dzh-CN' +
      '&response_type=code&scope=snsapi_base#wechat_redirect',
  );
});
