import { z } from 'zod';
import type { IdentityProvider } from './provider.ts';
import { getJson, ProviderRefusal } from './provider-call.ts';

/** An official account, which is who we are inside the WeChat app. */
export interface WechatClient {
  secret: string;
  /** The website application of the same owner; without one nobody can scan a code. */
  web?: { appId: string; secret: string } | undefined;
  /** In place of both of WeChat's hosts. */
  base?: string | undefined;
}

const Traded = z.object({ openid: z.string().min(1), unionid: z.string().min(1).optional() });
const Refused = z.object({ errcode: z.number() });

const pages = {
  // The player scans a code with the phone.
  web: { path: '/connect/qrconnect', scope: 'snsapi_login' },
  // The app asks by itself. With `snsapi_base` it would not ask, and not tell the union id either.
  inApp: { path: '/connect/oauth2/authorize', scope: 'snsapi_userinfo' },
};

/** WeChat's sign-in where the player is; undefined where there is none of ours. */
export function openWechat(
  client: WechatClient & { appId: string },
  { inWechat }: { inWechat: boolean },
): IdentityProvider | undefined {
  const app = inWechat ? { appId: client.appId, secret: client.secret } : client.web;
  if (app === undefined) return undefined;
  const { path, scope } = inWechat ? pages.inApp : pages.web;
  return {
    method: 'WECHAT_AUTH',
    accountType: 'WECHAT',
    unknownCode: 'WechatAccountNotFound',
    start: async ({ state, redirectUri }) => {
      const url = new URL(`${client.base ?? 'https://open.weixin.qq.com'}${path}`);
      // In this order, which the app insists on.
      url.search = new URLSearchParams({
        appid: app.appId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope,
        state,
      }).toString();
      url.hash = 'wechat_redirect';
      return url;
    },
    finish: async ({ code }) => {
      const { openid, unionid } = await trade({ ...app, base: client.base, code });
      // The open id is another one in each application of the same owner.
      return { subject: unionid ?? openid };
    },
  };
}

/** Who the player is to the official account, for a code from inside the WeChat app. */
export async function openIdOfCode(
  client: WechatClient & { appId: string },
  code: string,
): Promise<string> {
  const { appId, secret, base } = client;
  return (await trade({ appId, secret, base, code })).openid;
}

async function trade(input: {
  appId: string;
  secret: string;
  base: string | undefined;
  code: string;
}): Promise<z.output<typeof Traded>> {
  const address = `${input.base ?? 'https://api.weixin.qq.com'}/sns/oauth2/access_token`;
  const { status, body } = await getJson(address, {
    appid: input.appId,
    secret: input.secret,
    code: input.code,
    grant_type: 'authorization_code',
  });
  // A refusal is HTTP 200 too, with a number.
  const refused = Refused.safeParse(body);
  if (refused.success && refused.data.errcode !== 0) {
    throw new ProviderRefusal(`errcode ${refused.data.errcode}`);
  }
  const traded = Traded.safeParse(body);
  if (status !== 200 || !traded.success) throw new ProviderRefusal(`answered ${status}`);
  return traded.data;
}
