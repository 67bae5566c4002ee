import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { startProgram } from './programs.ts';

const returnAddress = 'https://shop.example/return';
export const wechat = {
  account: { appId: 'wx_account', secret: 'account-secret' },
  website: { appId: 'wx_website', secret: 'website-secret' },
};
const google = { id: 'google-client', secret: 'google-secret-0123456789' };
const apple = { clientId: 'example.shop.web', teamId: 'TEAM123456', keyId: 'KEY1234567' };
const facebook = { appId: '123456789012345', appSecret: 'facebook-secret' };
const verifier = 'a-verifier-that-is-long-enough-for-everybody-0';
const challenge = createHash('sha256').update(verifier).digest('base64url');

type Query = Record<string, string>;
type Answer = { status: number; body: Record<string, unknown> };

/** How to sign in with one provider: its authorization page and its token endpoint. */
export type Provider = {
  page: string;
  asks: Query;
  trade(code: string, changes?: Query): Promise<Answer>;
  secretName: string;
};

/** The program, with the sign-in providers as a shop sees them. */
export async function startIdentity() {
  const keys = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const program = await startProgram('identity', {
    GOOGLE_CLIENT: JSON.stringify(google),
    APPLE_CLIENT: JSON.stringify({
      ...apple,
      publicKey: keys.publicKey.export({ type: 'spki', format: 'pem' }),
    }),
    FACEBOOK_CLIENT: JSON.stringify(facebook),
    WECHAT_CLIENTS: JSON.stringify({
      [wechat.account.appId]: { secret: wechat.account.secret, kind: 'official_account' },
      [wechat.website.appId]: { secret: wechat.website.secret, kind: 'website' },
    }),
    RETURN_ADDRESSES: returnAddress,
  });
  const { url } = program;
  const openId = (name: 'google' | 'apple', client: Query, asked: Query): Provider => ({
    page: `/${name}/auth`,
    asks: {
      client_id: client.client_id ?? '',
      redirect_uri: returnAddress,
      response_type: 'code',
      scope: 'openid',
      state: 'a-state',
      nonce: 'a-nonce',
      ...asked,
    },
    trade: (code: string, changes: Query = {}) =>
      answerOf(`${url}/${name}/token`, {
        method: 'POST',
        body: new URLSearchParams({
          ...client,
          grant_type: 'authorization_code',
          redirect_uri: returnAddress,
          code,
          ...changes,
        }),
      }),
    secretName: 'client_secret',
  });
  const now = Math.floor(Date.now() / 1000);
  const appleSecret = signed(
    { alg: 'ES256', kid: apple.keyId },
    { iss: apple.teamId, sub: apple.clientId, aud: `${url}/apple`, iat: now, exp: now + 300 },
  );

  function signed(header: object, claims: object): string {
    const text = [header, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const key = { key: keys.privateKey, dsaEncoding: 'ieee-p1363' } as const;
    return `${text}.${sign('sha256', Buffer.from(text), key).toString('base64url')}`;
  }

  const wechatOf = (which: keyof typeof wechat, page: string, scope: string): Provider => ({
    page: `/wechat/connect/${page}`,
    asks: {
      appid: wechat[which].appId,
      redirect_uri: returnAddress,
      response_type: 'code',
      scope,
      state: 'a-state',
    },
    trade: (code: string, changes: Query = {}) =>
      answerOf(
        `${url}/wechat/sns/oauth2/access_token?${new URLSearchParams({
          appid: wechat[which].appId,
          secret: wechat[which].secret,
          code,
          grant_type: 'authorization_code',
          ...changes,
        })}`,
      ),
    secretName: 'secret',
  });

  return {
    ...program,
    google: openId(
      'google',
      { client_id: google.id, client_secret: google.secret, code_verifier: verifier },
      { code_challenge: challenge, code_challenge_method: 'S256' },
    ),
    apple: openId(
      'apple',
      { client_id: apple.clientId, client_secret: appleSecret },
      { response_mode: 'form_post' },
    ),
    facebook: {
      page: '/facebook/v23.0/dialog/oauth',
      asks: {
        client_id: facebook.appId,
        redirect_uri: returnAddress,
        response_type: 'code',
        state: 'a-state',
      },
      trade: (code: string, changes: Query = {}) =>
        answerOf(
          `${url}/facebook/v23.0/oauth/access_token?${new URLSearchParams({
            client_id: facebook.appId,
            client_secret: facebook.appSecret,
            redirect_uri: returnAddress,
            code,
            ...changes,
          })}`,
        ),
      secretName: 'client_secret',
    } satisfies Provider,
    wechatInApp: wechatOf('account', 'oauth2/authorize', 'snsapi_userinfo'),
    wechatWeb: wechatOf('website', 'qrconnect', 'snsapi_login'),
    /** The authorization page for a request with these parameters. */
    visit: async ({ page, asks }: Provider, changes: Query = {}) =>
      (await walk(`${url}${page}?${new URLSearchParams({ ...asks, ...changes })}`)).text,
    /** Chooses a person on the authorization page; answers the authorization code. */
    codeFor: async ({ page, asks }: Provider, person: string) => {
      const cookies = new Map<string, string>();
      const shown = await walk(`${url}${page}?${new URLSearchParams(asks)}`, cookies);
      const action = /<form method="post" action="([^"]*)"/.exec(shown.text)?.[1] ?? '';
      const fields = shown.text.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
      const body = new URLSearchParams({ person });
      for (const [, name = '', value = ''] of fields) body.append(name, value);
      const back = await walk(new URL(action, url).href, cookies, body);
      // Apple posts the code as a form; the others send it in the redirect URL.
      const inForm = /name="code" value="([^"]*)"/.exec(back.text)?.[1];
      return inForm ?? new URL(back.address).searchParams.get('code') ?? '';
    },
  };
}
export type IdentityProgram = Awaited<ReturnType<typeof startIdentity>>;

/** Follows redirects with cookies until they lead to the shop. */
async function walk(
  address: string,
  cookies = new Map<string, string>(),
  form?: URLSearchParams,
): Promise<{ address: string; text: string }> {
  const response = await fetch(address, {
    redirect: 'manual',
    headers: { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') },
    ...(form === undefined ? {} : { method: 'POST', body: form }),
  });
  for (const line of response.headers.getSetCookie()) {
    const [pair = ''] = line.split(';', 1);
    const [name = ''] = pair.split('=', 1);
    cookies.set(name, pair.slice(name.length + 1));
  }
  const text = await response.text();
  const location = response.headers.get('location');
  if (location === null) return { address, text };
  const next = new URL(location, address).href;
  return next.startsWith(returnAddress) ? { address: next, text: '' } : await walk(next, cookies);
}

async function answerOf(address: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(address, init);
  return { status: response.status, body: JSON.parse(await response.text()) };
}
