import { z } from 'zod';
import type { IdentityProvider } from './provider.ts';
import { getJson, ProviderRefusal } from './provider-call.ts';

export interface WechatClient {
  secret: string;
  /** The website application of the same owner; without one the account itself is asked. */
  web?: { appId: string; secret: string } | undefined;
  /** In place of both of WeChat's hosts. */
  base?: string | undefined;
}

const Traded = z.object({ openid: z.string().min(1), unionid: z.string().min(1).optional() });
const Refused = z.object({ errcode: z.number() });

/** WeChat's sign-in on the web: a code that is scanned with the phone. */
export function openWechat(appId: string, client: WechatClient): IdentityProvider {
  const web = client.web ?? { appId, secret: client.secret };
  return {
    method: 'WECHAT_AUTH',
    accountType: 'WECHAT',
    unknownCode: 'WechatAccountNotFound',
    start: async ({ state, redirectUri }) => {
      const url = new URL(`${client.base ?? 'https://open.weixin.qq.com'}/connect/qrconnect`);
      url.search = new URLSearchParams({
        appid: web.appId,
        redirect_uri: redirectUri,
        response_type: 'code',
        scope: 'snsapi_login',
        state,
      }).toString();
      url.hash = 'wechat_redirect';
      return url;
    },
    finish: async ({ code }) => {
      const { openid, unionid } = await trade({ ...web, base: client.base, code });
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
