import { expect, test } from 'vitest';
import { android, iphone, mac, windows } from '../test/user-agents.ts';
import { environmentOf } from './environment.ts';

test.each([
  // Browsers of their own.
  [`${android}) AppleWebKit/537.36 Chrome/124.0.0.0 Mobile Safari/537.36`, 'android', 'browser'],
  [`${android}) Gecko/125.0 Firefox/125.0`, 'android', 'browser'],
  [
    `${android}) AppleWebKit/537.36 Chrome/115.0 MQQBrowser/14.9 Mobile Safari/537.36`,
    'android',
    'browser',
  ],
  [`${iphone} Version/17.4 Mobile/15E148 Safari/604.1`, 'ios', 'browser'],
  [`${iphone} CriOS/124.0.6367.71 Mobile/15E148 Safari/604.1`, 'ios', 'browser'],
  [`${iphone} FxiOS/125.0 Mobile/15E148 Safari/605.1.15`, 'ios', 'browser'],
  [`${windows} Chrome/124.0.0.0 Safari/537.36`, 'desktop', 'browser'],
  [`${mac} Version/17.4 Safari/605.1.15`, 'desktop', 'browser'],
  // Inside a game or another app.
  [
    `${android} Build/UD1A; wv) AppleWebKit/537.36 Version/4.0 Chrome/124.0.0.0 Mobile Safari/537.36`,
    'android',
    'webview',
  ],
  [
    `${android}) AppleWebKit/537.36 Version/4.0 Chrome/61 Mobile Safari/537.36`,
    'android',
    'webview',
  ],
  [`${iphone} Mobile/15E148`, 'ios', 'webview'],
  [`${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/458.0.0.39.108]`, 'ios', 'webview'],
  [`${iphone} Version/17.4 Mobile/15E148 Safari/604.1 Line/14.4.0`, 'ios', 'webview'],
  [`${iphone} Mobile/15E148 Instagram 328.0.0.27.90`, 'ios', 'webview'],
  [
    `${android}) AppleWebKit/537.36 Chrome/111 Mobile Safari/537.36 QQ/9.0.20`,
    'android',
    'webview',
  ],
  // Inside WeChat, on phones and on a desk; its business edition is an app like any other.
  [
    `${android}; wv) AppleWebKit/537.36 Version/4.0 Chrome/116.0 XWEB/1160065 MMWEBSDK/2024 MicroMessenger/8.0.48.2580`,
    'android',
    'wechat',
  ],
  [`${iphone} Mobile/15E148 MicroMessenger/8.0.49(0x18003129) NetType/WIFI`, 'ios', 'wechat'],
  [
    `${windows} Chrome/107 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20.1781 WindowsWechat`,
    'desktop',
    'wechat',
  ],
  [`${iphone} Mobile/15E148 wxwork/4.1.20 MicroMessenger/7.0.1`, 'ios', 'webview'],
] as const)('[S1.06] %s is %s in a %s', (userAgent, system, host) => {
  expect(environmentOf({ userAgent, maxTouchPoints: 0 })).toEqual({ system, host });
});

test('an iPad that says it is a Mac is known by its touch screen', () => {
  const client = { userAgent: `${mac} Version/17.4 Safari/605.1.15`, maxTouchPoints: 5 };
  expect(environmentOf(client)).toEqual({ system: 'ios', host: 'browser' });
});
