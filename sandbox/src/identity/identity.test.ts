import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type IdentityProgram, startIdentity, wechat } from '../../test/identity.ts';

let identity: IdentityProgram;
beforeAll(async () => {
  identity = await startIdentity();
});
afterAll(async () => await identity.stop());

const elsewhere = 'https://evil.example/return';

// What each provider answers to a wrong secret, to a used code and to an unregistered redirect URI.
const providers = [
  {
    name: 'google',
    wrongSecret: { status: 401, body: { error: 'invalid_client' } },
    usedCode: { status: 400, body: { error: 'invalid_grant' } },
    wrongAddress: 'redirect_uri did not match',
  },
  {
    name: 'apple',
    wrongSecret: { status: 401, body: { error: 'invalid_client' } },
    usedCode: { status: 400, body: { error: 'invalid_grant' } },
    wrongAddress: 'redirect_uri did not match',
  },
  {
    name: 'facebook',
    wrongSecret: { status: 400, body: { error: { code: 1 } } },
    usedCode: { status: 400, body: { error: { code: 100 } } },
    wrongAddress: 'URL blocked',
  },
  // WeChat refuses with HTTP 200 and a number.
  {
    name: 'wechatInApp',
    wrongSecret: { status: 200, body: { errcode: 40125 } },
    usedCode: { status: 200, body: { errcode: 40163 } },
    wrongAddress: 'redirect_uri 参数错误',
  },
  {
    name: 'wechatWeb',
    wrongSecret: { status: 200, body: { errcode: 40125 } },
    usedCode: { status: 200, body: { errcode: 40163 } },
    wrongAddress: 'redirect_uri 参数错误',
  },
] as const;

describe.each(providers)('$name sign-in', ({ name, wrongSecret, usedCode, wrongAddress }) => {
  test('the identity sandbox exchanges an authorization code for an access token only once', async () => {
    const provider = identity[name];
    const code = await identity.codeFor(provider, 'mira');
    const traded = await provider.trade(code);
    expect(traded).toMatchObject({ status: 200, body: { access_token: expect.any(String) } });
    const again = await provider.trade(code);
    expect(again).toMatchObject(usedCode);
    expect(again.body).not.toHaveProperty('access_token');
  });

  test('the identity sandbox refuses a token request with a wrong client secret and leaves the code valid', async () => {
    const provider = identity[name];
    const code = await identity.codeFor(provider, 'mira');
    const stolen = await provider.trade(code, { [provider.secretName]: 'a.wrong.secret' });
    expect(stolen).toMatchObject(wrongSecret);
    expect(stolen.body).not.toHaveProperty('access_token');
    expect((await provider.trade(code)).body).toHaveProperty('access_token');
  });

  test('the identity sandbox refuses a token request with an unknown authorization code', async () => {
    const { status, body } = await identity[name].trade('made-up');
    expect(body).not.toHaveProperty('access_token');
    expect(status).toBe(name.startsWith('wechat') ? 200 : 400);
  });

  test('the identity sandbox refuses an authorization request with an unregistered redirect URI', async () => {
    const page = await identity.visit(identity[name], { redirect_uri: elsewhere });
    expect(page).toContain(wrongAddress);
    expect(page).not.toContain('name="person"');
  });
});

test.each(['google', 'apple', 'facebook'] as const)(
  'the %s identity sandbox refuses a token request with another redirect URI than the authorization',
  async (name) => {
    const provider = identity[name];
    const code = await identity.codeFor(provider, 'mira');
    const { status, body } = await provider.trade(code, { redirect_uri: elsewhere });
    expect(status).toBe(400);
    expect(body).not.toHaveProperty('access_token');
  },
);

test('the Google identity sandbox refuses a token request with a wrong PKCE code verifier', async () => {
  const code = await identity.codeFor(identity.google, 'mira');
  const wrong = { code_verifier: 'another-verifier-that-is-long-enough-as-well-0' };
  expect(await identity.google.trade(code, wrong)).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
});

describe('WeChat sign-in', () => {
  test('the WeChat in-app and website sign-in pages of the identity sandbox refuse each other’s app id and scope', async () => {
    const { wechatInApp, wechatWeb } = identity;
    for (const [provider, other] of [
      [wechatInApp, wechatWeb],
      [wechatWeb, wechatInApp],
    ] as const) {
      expect(await identity.visit(provider)).toContain('name="person"');
      const { appid = '', scope = '' } = other.asks;
      expect(await identity.visit(provider, { appid })).toContain('Scope 参数错误');
      expect(await identity.visit(provider, { scope })).toContain('Scope 参数错误');
    }
  });

  test('the WeChat identity sandbox refuses an authorization code that another application exchanges for a token', async () => {
    const code = await identity.codeFor(identity.wechatInApp, 'mira');
    const { appId, secret } = wechat.website;
    const crossed = await identity.wechatInApp.trade(code, { appid: appId, secret });
    expect(crossed.body).toMatchObject({ errcode: 40029 });
    expect((await identity.wechatInApp.trade(code)).body).toHaveProperty('openid');
  });

  test('the WeChat identity sandbox gives a user an open id per application, and one union id except in snsapi_base', async () => {
    const { wechatInApp, wechatWeb } = identity;
    const silent = { ...wechatInApp, asks: { ...wechatInApp.asks, scope: 'snsapi_base' } };
    const told = [];
    for (const provider of [wechatInApp, wechatWeb, silent]) {
      told.push((await provider.trade(await identity.codeFor(provider, 'mira'))).body);
    }
    const [inApp, web, base] = told;
    expect(inApp?.unionid).toEqual(expect.any(String));
    expect(web?.unionid).toBe(inApp?.unionid);
    expect(web?.openid).not.toBe(inApp?.openid);
    expect(base?.openid).toBe(inApp?.openid);
    expect(base).not.toHaveProperty('unionid');
  });
});
