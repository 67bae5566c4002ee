export interface Environment {
  system: 'ios' | 'android' | 'desktop';
  /** `webview` is a page inside another app, `wechat` inside the one that brings its own sign-in. */
  host: 'browser' | 'webview' | 'wechat';
}

interface Client {
  userAgent: string;
  maxTouchPoints: number;
}

// Apps that show pages in themselves and say so by name.
const knownApps =
  /\bFB(?:AN|AV|IOS)\b|Instagram|\bLine\/|KAKAOTALK|\bQQ\/|Weibo|wxwork|BytedanceWebview|musical_ly|Zalo|Snapchat|AlipayClient/i;

// Browsers that name themselves beside `Version/4.0`, which is otherwise what a web view says.
const knownBrowsers = /MQQBrowser|UCBrowser|MiuiBrowser|VivoBrowser|HeyTapBrowser|HuaweiBrowser/;

/** What shows the page, as it says itself. */
export function environmentOf({ userAgent, maxTouchPoints }: Client): Environment {
  const system = systemOf({ userAgent, maxTouchPoints });
  // The business edition also calls itself MicroMessenger, but its players have no open id here.
  const isWechat = /MicroMessenger/i.test(userAgent) && !/wxwork/i.test(userAgent);
  if (isWechat) return { system, host: 'wechat' };
  const isWebview = knownApps.test(userAgent) || isBareWebview(userAgent, system);
  return { system, host: isWebview ? 'webview' : 'browser' };
}

function systemOf({ userAgent, maxTouchPoints }: Client): Environment['system'] {
  if (/iPhone|iPad|iPod/.test(userAgent)) return 'ios';
  // An iPad asks for desktop pages and says it is a Mac; no Mac has a touch screen.
  if (/Macintosh/.test(userAgent) && maxTouchPoints > 1) return 'ios';
  return /Android/.test(userAgent) ? 'android' : 'desktop';
}

/** A game's own page: Android marks it, on iOS it lacks the browser's name at the end. */
function isBareWebview(userAgent: string, system: Environment['system']): boolean {
  if (system === 'android') {
    const saysVersion = /Version\/4\.0 Chrome\//.test(userAgent) && !knownBrowsers.test(userAgent);
    return saysVersion || /; wv\)/.test(userAgent);
  }
  return system === 'ios' && !/Safari\//.test(userAgent);
}
