import { expect, test } from 'vitest';
import { android, iphone, mac, windows } from '../test/user-agents.ts';
import { deviceOf } from './device.ts';

const linux = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko)';

test.each([
  [`${windows} Chrome/124.0.0.0 Safari/537.36`, 'chrome', 'windows'],
  [`${windows} Chrome/124.0.0.0 Safari/537.36 Edg/124.0.2478.51`, 'edge', 'windows'],
  [`${windows} Chrome/123.0.0.0 Safari/537.36 OPR/109.0.0.0`, 'opera', 'windows'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:125.0) Gecko/20100101 Firefox/125.0', 'firefox', 'linux'],
  [`${linux} Chrome/124.0.0.0 Safari/537.36`, 'chrome', 'linux'],
  [`${linux} HeadlessChrome/124.0.0.0 Safari/537.36`, 'chrome', 'linux'],
  [`${linux.replace('Linux', 'CrOS')} Chrome/124.0.0.0 Safari/537.36`, 'chrome', 'chromeos'],
  [`${mac} Version/17.4 Safari/605.1.15`, 'safari', 'macos'],
  [`${iphone} Version/17.4 Mobile/15E148 Safari/604.1`, 'safari', 'ios'],
  [`${iphone} CriOS/124.0.6367.71 Mobile/15E148 Safari/604.1`, 'chrome', 'ios'],
  [`${iphone} FxiOS/125.0 Mobile/15E148 Safari/605.1.15`, 'firefox', 'ios'],
  [`${iphone} EdgiOS/124.0 Version/17.0 Mobile/15E148 Safari/604.1`, 'edge', 'ios'],
  [`${android}) AppleWebKit/537.36 Chrome/124.0.0.0 Mobile Safari/537.36`, 'chrome', 'android'],
  [
    `${android}) AppleWebKit/537.36 SamsungBrowser/24.0 Chrome/117.0.0.0 Mobile Safari/537.36`,
    'samsung',
    'android',
  ],
  [
    `${android}; wv) AppleWebKit/537.36 Version/4.0 Chrome/116.0 MicroMessenger/8.0.48.2580`,
    'wechat',
    'android',
  ],
  [
    `${windows} Chrome/107 Safari/537.36 MicroMessenger/7.0.20.1781 WindowsWechat`,
    'wechat',
    'windows',
  ],
  [`${iphone} Mobile/15E148`, 'app', 'ios'],
  [`${iphone} Mobile/15E148 [FBAN/FBIOS;FBAV/458.0.0.39.108]`, 'app', 'ios'],
  ['curl/8.7.1', null, null],
  ['', null, null],
] as const)(
  'the user agent "%s" is recognised as the client %s on the system %s',
  (userAgent, browser, system) => {
    expect(deviceOf(userAgent)).toEqual({ browser, system });
  },
);
