import { z } from 'zod';
import { defineProvider, type IdentityProvider } from './provider.ts';
import { getJson, ProviderRefusal } from './provider-call.ts';

/** An official account, which identifies the shop inside the WeChat app. */
const OfficialAccount = z.strictObject({
  secret: z.string().min(1),
  /** The website application of the same owner, needed for sign-in by scanning a code. */
  web: z.strictObject({ appId: z.string().min(1), secret: z.string().min(1) }).optional(),
  /** Overrides both of WeChat's hosts, for the sandbox. */
  base: z.url().optional(),
});

/** By the app id of the official account, which is set per site. */
const OfficialAccounts = z.record(z.string().min(1), OfficialAccount);
export type OfficialAccounts = Readonly<z.output<typeof OfficialAccounts>>;

export const wechat = defineProvider({
  setting: 'WECHAT_CLIENTS',
  client: OfficialAccounts,
  replacedHosts: (accounts) =>
    Object.entries(accounts)
      .filter(([, { base }]) => base !== undefined)
      .map(([appId]) => [appId, 'base']),
  open:
    (accounts) =>
    ({ wechatAppId, inWechat }) => {
      const client = officialAccountOf(accounts, wechatAppId);
      return client === undefined ? undefined : openWechat(client, { inWechat });
    },
});

type WechatClient = z.output<typeof OfficialAccount> & { appId: string };

export function readOfficialAccounts(setting: unknown): OfficialAccounts {
  return OfficialAccounts.parse(setting ?? {});
}

export function officialAccountOf(
  accounts: OfficialAccounts,
  appId: string | null,
): WechatClient | undefined {
  if (appId === null || !Object.hasOwn(accounts, appId)) return undefined;
  const account = accounts[appId];
  return account === undefined ? undefined : { ...account, appId };
}

const Traded = z.object({ openid: z.string().min(1), unionid: z.string().min(1).optional() });
const Refused = z.object({ errcode: z.number() });

const pages = {
  // The player scans a code with the phone.
  web: { path: '/connect/qrconnect', scope: 'snsapi_login' },
  // The app shows the consent. `snsapi_base` would skip it, but not return the union id.
  inApp: { path: '/connect/oauth2/authorize', scope: 'snsapi_userinfo' },
};

/** WeChat sign-in inside or outside the app; undefined if the shop has no application for it. */
function openWechat(
  client: WechatClient,
  { inWechat }: { inWechat: boolean },
): IdentityProvider | undefined {
  const app = inWechat ? { appId: client.appId, secret: client.secret } : client.web;
  if (app === undefined) return undefined;
  const { path, scope } = inWechat ? pages.inApp : pages.web;
  return {
    start: async ({ state, redirectUri }) => {
      const url = new URL(`${client.base ?? 'https://open.weixin.qq.com'}${path}`);
      // The WeChat app requires the parameters in this order.
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
      // The open id differs between applications of the same owner, the union id does not.
      return { subject: unionid ?? openid };
    },
  };
}

/** The player's open id at the official account, for a code from inside the WeChat app. */
export async function openIdOfCode(client: WechatClient, code: string): Promise<string> {
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
  // Errors are answered with HTTP 200 as well, with an error code in the body.
  const refused = Refused.safeParse(body);
  if (refused.success && refused.data.errcode !== 0) {
    throw new ProviderRefusal(`errcode ${refused.data.errcode}`);
  }
  const traded = Traded.safeParse(body);
  if (status !== 200 || !traded.success) throw new ProviderRefusal(`answered ${status}`);
  return traded.data;
}
