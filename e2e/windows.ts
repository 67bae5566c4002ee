import { askedSample, sampleOf } from '../tools/sample/sample.ts';

/** A browser window: its user agent, size and language. */
interface Window {
  name: string;
  use: {
    viewport: { width: number; height: number };
    userAgent: string;
    locale: 'en-US' | 'de-DE' | 'zh-CN';
    isMobile?: boolean;
    hasTouch?: boolean;
  };
}

// A tablet in landscape, the wide layout of in-app browsers.
const tablet = { viewport: { width: 1180, height: 820 }, isMobile: true, hasTouch: true };
const phone = { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true };
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15';

export const desktop: Window = {
  name: 'in a desktop Chrome',
  use: {
    viewport: { width: 1440, height: 900 },
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
    locale: 'en-US',
  },
};

export const mobileSafari: Window = {
  name: 'in Safari on a phone',
  use: {
    ...phone,
    userAgent: `${iphone} (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1`,
    locale: 'de-DE',
  },
};

export const mobileChrome: Window = {
  name: 'in Chrome on a phone',
  use: {
    ...phone,
    userAgent:
      'Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
    locale: 'zh-CN',
  },
};

export const wechatApp: Window = {
  name: 'in the WeChat app on a phone',
  use: {
    ...phone,
    userAgent: `${iphone} (KHTML, like Gecko) Mobile/15E148 MicroMessenger/8.0.61(0x18003d2b) NetType/WIFI Language/zh_CN`,
    locale: 'zh-CN',
  },
};

export const androidGame: Window = {
  name: 'in a game on an Android phone',
  use: {
    ...phone,
    userAgent:
      'Mozilla/5.0 (Linux; Android 14; Pixel 8 Build/UQ1A.240205.004; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.7339.51 Mobile Safari/537.36',
    locale: 'de-DE',
  },
};

export const iosGame: Window = {
  name: 'in a game on an iPhone',
  use: {
    ...phone,
    userAgent: `${iphone} (KHTML, like Gecko) Mobile/15E148`,
    locale: 'zh-CN',
  },
};

export const narrowDesktop: Window = {
  name: 'in a narrow window of a desktop Chrome',
  use: { ...desktop.use, viewport: { width: 700, height: 900 } },
};

export const wechatDesktop: Window = {
  name: 'in the WeChat app on a desktop',
  use: {
    viewport: { width: 1180, height: 820 },
    userAgent:
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/132.0.0.0 Safari/537.36 NetType/WIFI MicroMessenger/7.0.20.1781(0x6700143B) WindowsWechat(0x63090a13) XWEB/13487 Flue',
    locale: 'zh-CN',
  },
};

export const androidTabletGame: Window = {
  name: 'in a game on an Android tablet',
  use: {
    ...tablet,
    userAgent:
      'Mozilla/5.0 (Linux; Android 14; SM-X710 Build/UP1A.231005.007; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/140.0.7339.51 Safari/537.36',
    locale: 'de-DE',
  },
};

export const ipadGame: Window = {
  name: 'in a game on an iPad',
  use: {
    ...tablet,
    userAgent:
      'Mozilla/5.0 (iPad; CPU OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148',
    locale: 'zh-CN',
  },
};

/**
 * Selects one of the windows by the commit hash, for failures that are shown alike in all of them;
 * nightly and manual runs take all windows. A failed sign-in takes as many page loads as a
 * successful one.
 */
export function oneWindowOf(windows: readonly Window[], what: string): Window[] {
  return sampleOf(windows, {
    commit: askedSample,
    share: 1 / windows.length,
    nameOf: ({ name }) => `${what} ${name}`,
  });
}
