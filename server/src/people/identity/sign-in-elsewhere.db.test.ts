import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { giveUpOn } from '../../../test/hanging.ts';
import { openBrowser } from '../../../test/identity/browser.ts';
import {
  beSomebody,
  givenLinked,
  handIn,
  type IdentityWorld,
  leave,
  type Method,
  openIdentityWorld,
  signInAt,
  websiteAppId,
} from '../../../test/identity/world.ts';
import { eventually, givenPlayer, send, signIn } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { forgetOldSignIns } from './identity.ts';

let world: IdentityWorld;
const accounts: Partial<Record<Method, string>> = {};
beforeAll(async () => {
  world = await openIdentityWorld();
  const mira = world.person('mira');
  const link = (accountType: string, subject: string) =>
    givenLinked(world, { accountType, subject });
  accounts.GOOGLE_PLAY_GAMES_AUTH = await link('GOOGLE_PLAY_GAME', mira.google);
  accounts.FACEBOOK_AUTH = await link('FACEBOOK', mira.facebook);
  accounts.WECHAT_AUTH = await link('WECHAT', mira.unionId ?? '');
});
afterEach(() => world.outside.tell('/__sandbox/reset', {}));
afterAll(() => world.stop());

const fault = (provider: string, kind: string, more: object = {}) =>
  world.outside.tell('/__sandbox/faults', { provider, kind, ...more });

const methods = [
  ['GOOGLE_PLAY_GAMES_AUTH', 'GOOGLE_PLAY_GAME', 'GooglePGAccountNotFound', 'google'],
  ['FACEBOOK_AUTH', 'FACEBOOK', 'FacebookAccountNotFound', 'facebook'],
  ['WECHAT_AUTH', 'WECHAT', 'WechatAccountNotFound', 'wechat'],
] as const;

describe.each(methods)('[S3.11] %s', (method, accountType, notFound, provider) => {
  test('a player authenticated by the sign-in provider is signed in to the linked account', async () => {
    const reply = await signInAt(world, { method, person: 'mira' });
    expect(reply.data).toMatchObject({ login: true, accountId: accounts[method], accountType });
    expect(reply.cookie).toMatch(/^sid=/);
    const info = await send(world.shop, '/api/user/info', { cookie: reply.cookie });
    expect(info.data).toMatchObject({ login: true, accountId: accounts[method] });
  });

  test('a user of a sign-in provider without an account is refused with the not-found error code of the sign-in method', async () => {
    const reply = await signInAt(world, { method, person: 'stranger' });
    expect(reply).toMatchObject({ isSuccess: false, code: notFound, cookie: undefined });
  });

  test('a player who cancels at the sign-in provider returns without a code, and a made-up code is refused', async () => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method });
    const back = await beSomebody(world, browser, { url, person: '' });
    expect(back.url.origin).toBe(world.shop.url);
    expect(back.url.searchParams.get('code')).toBeNull();
    expect(back.url.searchParams.get('state')).toBe(state);
    const reply = await handIn(world, browser, { method, code: 'made-up', state });
    expect(reply).toMatchObject({ code: 'AuthFail', cookie: undefined });
  });

  test('a return from the sign-in provider with the same code and state is refused a second time', async () => {
    const browser = openBrowser();
    const first = await signInAt(world, { method, person: 'mira', browser });
    expect(first.isSuccess).toBe(true);
    const again = await handIn(world, browser, {
      method,
      code: first.returnedCode,
      state: first.state,
    });
    expect(again).toMatchObject({ code: 'AuthFail', cookie: undefined });
  });

  test('a used authorization code of the sign-in provider is refused even with a new state', async () => {
    const browser = openBrowser();
    const first = await signInAt(world, { method, person: 'mira', browser });
    const { state } = await leave(world, browser, { method });
    const again = await handIn(world, browser, { method, code: first.returnedCode, state });
    expect(again).toMatchObject({ code: 'AuthFail', cookie: undefined });
  });

  test('only one of two concurrent returns from the sign-in provider with the same code and state signs in', async () => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method });
    const back = await beSomebody(world, browser, { url, person: 'mira' });
    const code = back.url.searchParams.get('code') ?? '';
    const both = await Promise.all(
      [1, 2].map(() => handIn(world, browser, { method, code, state })),
    );
    expect(both.map((reply) => reply.code).toSorted()).toEqual(['AuthFail', null]);
  });

  test('an expired authorization code of the sign-in provider is refused', async () => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method });
    const back = await beSomebody(world, browser, { url, person: 'mira' });
    await world.outside.tell('/__sandbox/expire-codes', {});
    const code = back.url.searchParams.get('code') ?? '';
    expect(await handIn(world, browser, { method, code, state })).toMatchObject({
      code: 'AuthFail',
    });
  });

  test('a provider sign-in whose state is made up or belongs to another browser or method is refused', async () => {
    const mine = openBrowser();
    const { url } = await leave(world, mine, { method });
    const back = await beSomebody(world, mine, { url, person: 'mira' });
    const code = back.url.searchParams.get('code') ?? '';
    const theirs = await leave(world, openBrowser(), { method });
    const other = await leave(world, mine, {
      method: method === 'WECHAT_AUTH' ? 'FACEBOOK_AUTH' : 'WECHAT_AUTH',
    });
    for (const state of [theirs.state, 'a'.repeat(43), other.state]) {
      const reply = await handIn(world, mine, { method, code, state });
      expect(reply).toMatchObject({ code: 'AuthFail', cookie: undefined });
    }
  });

  test("a provider's return address that an attacker forwards to a victim does not sign the victim in", async () => {
    const attacker = openBrowser();
    const { url, state } = await leave(world, attacker, { method });
    const back = await beSomebody(world, attacker, { url, person: 'mira' });
    const code = back.url.searchParams.get('code') ?? '';
    const victim = openBrowser();
    expect(await handIn(world, victim, { method, code, state })).toMatchObject({
      code: 'AuthFail',
      cookie: undefined,
    });
    await leave(world, victim, { method });
    expect(await handIn(world, victim, { method, code, state })).toMatchObject({
      code: 'AuthFail',
      cookie: undefined,
    });
    // The attempts of the victim did not use it up.
    expect(await handIn(world, attacker, { method, code, state })).toMatchObject({ code: null });
  });

  test('a return from the sign-in provider after more than ten minutes is refused', async () => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method });
    const back = await beSomebody(world, browser, { url, person: 'mira' });
    await ageSignIns(11);
    const code = back.url.searchParams.get('code') ?? '';
    expect(await handIn(world, browser, { method, code, state })).toMatchObject({
      code: 'AuthFail',
    });
  });

  test('two tabs of one browser can each complete a sign-in through a provider at the same time', async () => {
    const browser = openBrowser();
    const first = await leave(world, browser, { method });
    const second = await leave(world, browser, { method });
    for (const { url, state } of [second, first]) {
      const back = await beSomebody(world, browser, { url, person: 'mira' });
      const code = back.url.searchParams.get('code') ?? '';
      expect(await handIn(world, browser, { method, code, state })).toMatchObject({ code: null });
    }
  });

  test('an error of the sign-in provider is answered with SystemBusy, and the next sign-in works', async () => {
    await fault(provider, 'error');
    const broken = await signInAt(world, { method, person: 'mira' });
    expect(broken).toMatchObject({ httpStatus: 503, code: 'SystemBusy', cookie: undefined });
    expect(await signInAt(world, { method, person: 'mira' })).toMatchObject({ code: null });
  });

  test('a sign-in is answered with SystemBusy when its provider does not answer within eight seconds', async () => {
    await fault(provider, 'hang');
    const { result, limitsMs } = await giveUpOn(world.outside, () =>
      signInAt(world, { method, person: 'mira' }),
    );
    expect(result).toMatchObject({ code: 'SystemBusy' });
    expect(limitsMs).toContain(8_000);
  });
});

describe('Google sign-in', () => {
  test.each(['bad_signature', 'wrong_nonce', 'wrong_audience', 'wrong_issuer', 'expired'])(
    'the shop refuses a Google sign-in whose ID token has the fault %s',
    async (kind) => {
      await fault('google', kind);
      const method = 'GOOGLE_PLAY_GAMES_AUTH';
      const reply = await signInAt(world, { method, person: 'mira' });
      expect(reply).toMatchObject({ code: 'AuthFail', cookie: undefined });
      expect(await signInAt(world, { method, person: 'mira' })).toMatchObject({ code: null });
    },
  );

  test('a Google sign-in uses PKCE with a code challenge and its verifier', async () => {
    const method = 'GOOGLE_PLAY_GAMES_AUTH';
    const { url } = await leave(world, openBrowser(), { method });
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
    await signInAt(world, { method, person: 'mira' });
    expect(await callsOf('google')).toContainEqual(
      expect.objectContaining({ sent: expect.arrayContaining(['code_verifier']) }),
    );
  });
});

describe('Facebook sign-in', () => {
  test.each(['other_app', 'invalid_token', 'other_person'])(
    'the shop refuses a Facebook sign-in whose access token has the fault %s',
    async (kind) => {
      await fault('facebook', kind);
      const reply = await signInAt(world, { method: 'FACEBOOK_AUTH', person: 'mira' });
      expect(reply).toMatchObject({ code: 'AuthFail', cookie: undefined });
    },
  );

  test('a Facebook sign-in checks the access token with debug_token before it reads the user', async () => {
    await signInAt(world, { method: 'FACEBOOK_AUTH', person: 'mira' });
    expect((await callsOf('facebook')).map(({ call }) => call)).toEqual([
      'me',
      'debug_token',
      'oauth/access_token',
    ]);
  });
});

describe('WeChat sign-in', () => {
  const method = 'WECHAT_AUTH';

  test('[S4.15] a WeChat sign-in returns to the address where it was started, with code and state', async () => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method, redirect: '/main/recharge?a=1' });
    expect(new URL(url).hash).toBe('#wechat_redirect');
    expect(new URL(url).searchParams.get('scope')).toBe('snsapi_login');
    const back = await beSomebody(world, browser, { url, person: 'mira' });
    expect(back.url.pathname).toBe('/main/recharge');
    expect(back.url.searchParams.get('a')).toBe('1');
    expect(back.url.searchParams.get('state')).toBe(state);
  });

  test("a WeChat user without a union id is recognized by the open id of the site's website application", async () => {
    const lin = world.person('lin');
    const subject = lin.openIds[websiteAppId] ?? '';
    const accountId = await givenLinked(world, { accountType: 'WECHAT', subject });
    const reply = await signInAt(world, { method, person: 'lin' });
    expect(reply.data).toMatchObject({ accountId });
  });

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/.//evil.example'])(
    'a WeChat sign-in never returns to another site: %s',
    async (redirect) => {
      const { url } = await leave(world, openBrowser(), { method, redirect });
      expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${world.shop.url}/`);
    },
  );

  test('a site without a WeChat official account refuses a WeChat sign-in', async () => {
    await setSite(sql`wechat_app_id = null`);
    const body = { method, redirect: '/' };
    const reply = await send(world.shop, '/api/user/login/start', { body });
    await setSite(sql`wechat_app_id = 'wx_official_account'`);
    expect(reply).toMatchObject({ code: 'LoginMethodNotOffered', cookie: undefined });
  });
});

describe('the start of a provider sign-in', () => {
  const start = (body: object, more: object = {}) =>
    send(world.shop, '/api/user/login/start', { body, ...more });

  test('the start of a provider sign-in sets an HttpOnly browser cookie for ten minutes', async () => {
    const response = await fetch(`${world.shop.url}/api/user/login/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ method: 'FACEBOOK_AUTH', redirect: '/' }),
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^away=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('the database stores neither the state nor the browser cookie of a provider sign-in in plain text', async () => {
    const browser = openBrowser();
    const { state } = await leave(world, browser, { method: 'FACEBOOK_AUTH' });
    const [, cookie = ''] = /away=([\w-]+)/.exec(browser.cookie(world.shop.url)) ?? [];
    const { all } = await world.shop.db.one(
      z.object({ all: z.string() }),
      sql`select string_agg(a::text, ' ') as all from sign_ins_elsewhere a`,
    );
    expect(all).not.toContain(state);
    expect(all).not.toContain(Buffer.from(state).toString('hex'));
    expect(all).not.toContain(cookie);
  });

  test.each([
    ['a method without a provider', { method: 'LOGIN_NAME_PASSWD_AUTH', redirect: '/' }],
    ['no return address', { method: 'FACEBOOK_AUTH' }],
    [
      'a return address of more than 2048 characters',
      { method: 'FACEBOOK_AUTH', redirect: '/'.repeat(2049) },
    ],
  ])('the start of a provider sign-in with %s is refused as malformed', async (_how, body) => {
    expect(await start(body)).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
  });

  test('the start of a provider sign-in from another site is refused', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const reply = await start({ method: 'FACEBOOK_AUTH', redirect: '/' }, { headers });
    expect(reply).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
  });

  test('a provider sign-in that the site does not offer can be neither started nor finished', async () => {
    const browser = openBrowser();
    const { state } = await leave(world, browser, { method: 'FACEBOOK_AUTH' });
    await setSite(sql`login_methods = '{LOGIN_NAME_PASSWD_AUTH}'`);
    const reply = await start({ method: 'FACEBOOK_AUTH', redirect: '/' });
    const back = await handIn(world, browser, { method: 'FACEBOOK_AUTH', code: 'x', state });
    await setSite(sql`login_methods = (select array_agg(m) from unnest(array[
      'LOGIN_NAME_PASSWD_AUTH', 'FACEBOOK_AUTH', 'GOOGLE_PLAY_GAMES_AUTH', 'APPLE_SIGN_IN_AUTH',
      'WECHAT_AUTH']) as m)`);
    expect(reply).toMatchObject({ code: 'LoginMethodNotOffered' });
    expect(back).toMatchObject({ code: 'LoginMethodNotOffered' });
  });

  test('an unfinished sign-in through a sign-in provider is deleted after it has expired', async () => {
    await leave(world, openBrowser(), { method: 'FACEBOOK_AUTH' });
    await ageSignIns(11);
    await leave(world, openBrowser(), { method: 'FACEBOOK_AUTH' });
    await forgetOldSignIns(world.shop.db);
    const left = await world.shop.db.one(
      z.object({ count: z.coerce.number() }),
      sql`select count(*) from sign_ins_elsewhere`,
    );
    expect(left.count).toBe(1);
  });
});

test('a signed-in player who signs in through a sign-in provider is switched to the account linked with that provider', async () => {
  const player = await givenPlayer(world.shop);
  const browser = openBrowser();
  browser.keep(world.shop.url, await signIn(world.shop, player));
  const reply = await signInAt(world, { method: 'FACEBOOK_AUTH', person: 'mira', browser });
  expect(reply.data).toMatchObject({ accountId: accounts.FACEBOOK_AUTH });
});

/** Ages all provider sign-ins in progress by so many minutes. */
async function ageSignIns(minutes: number): Promise<void> {
  await world.shop.db.transaction((tx) =>
    tx.run(sql`
      update sign_ins_elsewhere set expires_at = expires_at - make_interval(mins => ${minutes})`),
  );
}

/** Changes the site, and waits until the API has seen it. */
async function setSite(change: ReturnType<typeof sql>): Promise<void> {
  const read = async () => await (await fetch(`${world.shop.url}/config.json`)).text();
  const before = await read();
  await world.shop.db.transaction((tx) => tx.run(sql`update sites set ${change}`));
  await eventually(async () => (await read()) !== before);
}

async function callsOf(provider: string) {
  const Calls = z.object({
    calls: z.array(z.object({ provider: z.string(), call: z.string(), sent: z.array(z.string()) })),
  });
  const { calls } = Calls.parse(await world.outside.ask('/__sandbox/records'));
  return calls.filter((call) => call.provider === provider);
}
