import { pages } from '@pointgate/contract/pages.ts';
import type { Addresses } from './addresses.ts';
import { siteAddresses, siteIds } from './demo-games.ts';
import type { Secrets } from './secrets.ts';

type Env = Record<string, string>;

/** The WeChat official account of the shop, for sign-in and payments. */
export const wechatAppId = 'wx0123456789abcdef';

/**
 * The settings of the mail server, SMS providers, customer service and identity providers, for the
 * server and for each of them.
 */
export function outsideEnvironments(
  { portal, api, sandbox, smtp }: Addresses,
  { outside, appleKey }: Secrets,
): { server: Env; mail: Env; sms: Env; identity: Env } {
  const tencent = {
    secretId: 'AKIDsandbox',
    secretKey: outside,
    appId: '1400000001',
    sign: 'Solmere',
    templates: { 'zh-CN': '100001' },
  };
  const twilio = {
    accountSid: `AC${outside.slice(0, 32)}`,
    authToken: outside,
    from: '+15005550006',
  };
  const google = { id: 'solmere.apps.example', secret: outside };
  const apple = { clientId: 'example.solmere.web', teamId: 'TEAM000001', keyId: 'KEY0000001' };
  const facebook = { appId: '102938475610293', appSecret: outside };
  const wechatWeb = { appId: 'wxfedcba9876543210', secret: `${outside}-web` };
  return {
    server: {
      SMTP_URL: smtp,
      MAIL_FROM: 'no-reply@solmere.example',
      SMS_TENCENT: JSON.stringify({ ...tencent, endpoint: sandbox.sms }),
      SMS_TWILIO: JSON.stringify({ ...twilio, base: sandbox.sms }),
      GOOGLE_CLIENT: JSON.stringify({ ...google, issuer: `${sandbox.identity}/google` }),
      APPLE_CLIENT: JSON.stringify({
        ...apple,
        privateKey: appleKey.privateKey,
        issuer: `${sandbox.identity}/apple`,
      }),
      FACEBOOK_CLIENT: JSON.stringify({ ...facebook, base: `${sandbox.identity}/facebook` }),
      WECHAT_CLIENTS: JSON.stringify({
        [wechatAppId]: { secret: outside, web: wechatWeb, base: `${sandbox.identity}/wechat` },
      }),
      WECHAT_APP_ID: wechatAppId,
      DEMO_IDENTITIES: JSON.stringify(demoIdentities),
      CRM_URL: `${sandbox.mail}/desk`,
      CRM_SECRETS: JSON.stringify(Object.fromEntries(siteIds.map((id) => [id, outside]))),
    },
    mail: { SMTP_PORT: new URL(smtp).port, DESK_SECRET: outside },
    sms: {
      TENCENT_SECRET_ID: tencent.secretId,
      TENCENT_SECRET_KEY: tencent.secretKey,
      TENCENT_APP_ID: tencent.appId,
      TENCENT_SIGN: tencent.sign,
      TENCENT_TEMPLATES: JSON.stringify({
        [tencent.templates['zh-CN']]: '验证码{1}，{2}分钟内有效，请勿告知他人。',
      }),
      TWILIO_ACCOUNT_SID: twilio.accountSid,
      TWILIO_AUTH_TOKEN: twilio.authToken,
      TWILIO_FROM: twilio.from,
    },
    identity: {
      GOOGLE_CLIENT: JSON.stringify(google),
      APPLE_CLIENT: JSON.stringify({ ...apple, publicKey: appleKey.publicKey }),
      FACEBOOK_CLIENT: JSON.stringify(facebook),
      WECHAT_CLIENTS: JSON.stringify({
        [wechatAppId]: { secret: outside, kind: 'official_account' },
        [wechatWeb.appId]: { secret: wechatWeb.secret, kind: 'website' },
      }),
      RETURN_ADDRESSES: [
        ...siteAddresses(portal).flatMap((site) => [
          `${site}${pages.common.signInReturn.path}`,
          `${site}/`,
        ]),
        ...siteAddresses(api).map((site) => `${site}/api/user/apple/return`),
      ].join(),
    },
  };
}

/**
 * The subjects of the demo players at the sandbox identity providers; Facebook's ids are specific
 * to the app.
 */
const demoIdentities = {
  aveline: {
    GOOGLE_PLAY_GAME: '104857600000000000001',
    APPLE_SIGN_IN: '000101.4f1c0a7be2d94c0f8f6f0c1d2e3a4b51.0801',
    FACEBOOK: '10027360684941293',
    WECHAT: 'oSandboxUnionMira00000000001',
  },
  kaito: {
    GOOGLE_PLAY_GAME: '104857600000000000002',
    APPLE_SIGN_IN: '000102.8a2d1b6cf3e05d1f9e7f1d2e3f4a5b62.0802',
    FACEBOOK: '10293112448447992',
    WECHAT: 'oSandboxUnionJun000000000002',
  },
};
