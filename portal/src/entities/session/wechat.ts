import { keepText, readText } from '../../shared/browser/kept.ts';

const openIdKey = 'pointgate.wechat-open-id';
const askedKey = 'pointgate.wechat-asked';

/** Long enough to handle a code that has just arrived before another one is requested. */
export const redirectDelayMs = 100;

/** Whether this device knows an open id. Only a hint: the server stores its own. */
export function hasOpenId(): boolean {
  return readText('localStorage', openIdKey) !== null;
}

export function rememberOpenId(openId: string): void {
  keepText('localStorage', openIdKey, openId);
}

/** Once per browser session: otherwise a WeChat callback without a code causes a redirect loop. */
export function mayAskForOpenId(): boolean {
  return !hasOpenId() && readText('sessionStorage', askedKey) === null;
}

/** False without sessionStorage: then a redirect to WeChat could loop and must not happen. */
export function markAsked(): boolean {
  return keepText('sessionStorage', askedKey, '1');
}

/** The WeChat page that redirects back to `here` with a code, without asking the player. */
export function openIdAddress({ appId, here }: { appId: string; here: string }): string {
  const address = new URL('https://open.weixin.qq.com/connect/oauth2/authorize');
  // WeChat requires this parameter order, and shows an error without the fragment.
  address.searchParams.set('appid', appId);
  address.searchParams.set('redirect_uri', here);
  address.searchParams.set('response_type', 'code');
  address.searchParams.set('scope', 'snsapi_base');
  address.hash = 'wechat_redirect';
  return address.href;
}
