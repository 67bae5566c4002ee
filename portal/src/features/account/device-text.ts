import type { Device } from '@pointgate/contract/device.ts';
import type { PlayerSession } from '@pointgate/contract/sessions.ts';
import type { TFunction } from 'i18next';
import { serverNow } from '../../shared/api/server-clock.ts';
import { currentLocale } from '../../shared/i18n/i18n.ts';

// Product names are the same in every language.
const browserNames = {
  chrome: 'Chrome',
  edge: 'Edge',
  firefox: 'Firefox',
  safari: 'Safari',
  opera: 'Opera',
  samsung: 'Samsung Internet',
};
const systemNames = {
  windows: 'Windows',
  macos: 'macOS',
  linux: 'Linux',
  chromeos: 'ChromeOS',
  ios: 'iOS',
  android: 'Android',
};

/** A readable name of the device, such as "Chrome on Windows". */
export function deviceText(t: TFunction, device: Device): string {
  const browser = browserText(t, device.browser);
  const system = device.system && systemNames[device.system];
  if (browser !== null && system !== null) return t('sessions.device', { browser, system });
  return browser ?? system ?? t('sessions.unknownDevice');
}

function browserText(t: TFunction, browser: Device['browser']): string | null {
  if (browser === 'wechat') return t('login.wechat');
  if (browser === 'app') return t('sessions.inApp');
  return browser && browserNames[browser];
}

const hourMs = 3_600_000;

/** The last use in hours or days, which is as precise as the server stores it. */
export function seenText(t: TFunction, { isThis, seenAt }: PlayerSession): string | null {
  if (isThis) return t('sessions.seenNow');
  if (seenAt === null) return null;
  const hours = Math.floor((serverNow() - Date.parse(seenAt)) / hourMs);
  if (hours < 1) return t('sessions.seenLately');
  const ago = new Intl.RelativeTimeFormat(currentLocale(), { numeric: 'auto' });
  const when = hours < 24 ? ago.format(-hours, 'hour') : ago.format(-Math.floor(hours / 24), 'day');
  return t('sessions.seen', { when });
}
