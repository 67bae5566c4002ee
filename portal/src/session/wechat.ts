import { keepText, readText } from './kept.ts';

const openIdKey = 'pointgate.wechat-open-id';
const askedKey = 'pointgate.wechat-asked';

/** Long enough for the page to settle: a code that just came is seen before another is asked for. */
export const redirectDelayMs = 100;

/** Who pays in WeChat, as far as this device knows. A hint: the server keeps its own. */
export function hasOpenId(): boolean {
  return readText('localStorage', openIdKey) !== null;
}

export function rememberOpenId(openId: string): void {
  keepText('localStorage', openIdKey, openId);
}

/** Once per browser session, or a player whom WeChat sends back without a code goes in circles. */
export function mayAskForOpenId(): boolean {
  return !hasOpenId() && readText('sessionStorage', askedKey) === null;
}

/** False where nothing can be kept: then nobody may be sent to WeChat, or they go in circles. */
export function markAsked(): boolean {
  return keepText('sessionStorage', askedKey, '1');
}

/** WeChat's page that returns to `here` with a code, without a question to the player. */
export function openIdAddress({ appId, here }: { appId: string; here: string }): string {
  const address = new URL('https://open.weixin.qq.com/connect/oauth2/authorize');
  // In this order, which WeChat asks for, and with the fragment, without which it shows an error.
  address.searchParams.set('appid', appId);
  address.searchParams.set('redirect_uri', here);
  address.searchParams.set('response_type', 'code');
  address.searchParams.set('scope', 'snsapi_base');
  address.hash = 'wechat_redirect';
  return address.href;
}
