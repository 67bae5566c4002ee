export interface Environment {
  system: 'ios' | 'android' | 'desktop';
  /** `webview` is a page inside another app, `wechat` inside WeChat, which has its own sign-in. */
  host: 'browser' | 'webview' | 'wechat';
}

interface Client {
  userAgent: string;
  maxTouchPoints: number;
}

// Apps with an embedded browser that name themselves in the user agent.
const knownApps =
  /\bFB(?:AN|AV|IOS)\b|Instagram|\bLine\/|KAKAOTALK|\bQQ\/|Weibo|wxwork|BytedanceWebview|musical_ly|Zalo|Snapchat|AlipayClient/i;

// Browsers whose user agents contain `Version/4.0`, which otherwise marks a web view.
const knownBrowsers = /MQQBrowser|UCBrowser|MiuiBrowser|VivoBrowser|HeyTapBrowser|HuaweiBrowser/;

/** The environment that a user agent describes. */
export function environmentOf({ userAgent, maxTouchPoints }: Client): Environment {
  const system = systemOf({ userAgent, maxTouchPoints });
  // The business edition also calls itself MicroMessenger, but its users have no open id here.
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

/**
 * The page of a game: on Android it is marked, on iOS the name of the browser is missing at the
 * end.
 */
function isBareWebview(userAgent: string, system: Environment['system']): boolean {
  if (system === 'android') {
    const saysVersion = /Version\/4\.0 Chrome\//.test(userAgent) && !knownBrowsers.test(userAgent);
    return saysVersion || /; wv\)/.test(userAgent);
  }
  return system === 'ios' && !/Safari\//.test(userAgent);
}
