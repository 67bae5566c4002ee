import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { giveUpOn } from '../../../test/hanging.ts';
import { eventually, givenPlayer, send, signIn } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { forgetOldSignIns } from './identity.ts';
import { openBrowser } from './test/browser.ts';
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
} from './test/identity-world.ts';

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
  test('signs in whom the provider vouches for', async () => {
    const reply = await signInAt(world, { method, person: 'mira' });
    expect(reply.data).toMatchObject({ login: true, accountId: accounts[method], accountType });
    expect(reply.cookie).toMatch(/^sid=/);
    const info = await send(world.shop, '/api/user/info', { cookie: reply.cookie });
    expect(info.data).toMatchObject({ login: true, accountId: accounts[method] });
  });

  test('says so when the provider knows somebody whom we do not', async () => {
    const reply = await signInAt(world, { method, person: 'stranger' });
    expect(reply).toMatchObject({ isSuccess: false, code: notFound, cookie: undefined });
  });

  test('comes back without a code when the player cancels, and the state signs nobody in', async () => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method });
    const back = await beSomebody(world, browser, { url, person: '' });
    expect(back.url.origin).toBe(world.shop.url);
    expect(back.url.searchParams.get('code')).toBeNull();
    expect(back.url.searchParams.get('state')).toBe(state);
    const reply = await handIn(world, browser, { method, code: 'made-up', state });
    expect(reply).toMatchObject({ code: 'AuthFail', cookie: undefined });
  });

  test('refuses the same return a second time', async () => {
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

  test('refuses a code that was used before, with a state of its own', async () => {
    const browser = openBrowser();
    const first = await signInAt(world, { method, person: 'mira', browser });
    const { state } = await leave(world, browser, { method });
    const again = await handIn(world, browser, { method, code: first.returnedCode, state });
    expect(again).toMatchObject({ code: 'AuthFail', cookie: undefined });
  });

  test('lets one of two returns in that arrive at once', async () => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method });
    const back = await beSomebody(world, browser, { url, person: 'mira' });
    const code = back.url.searchParams.get('code') ?? '';
    const both = await Promise.all(
      [1, 2].map(() => handIn(world, browser, { method, code, state })),
    );
    expect(both.map((reply) => reply.code).toSorted()).toEqual(['AuthFail', null]);
  });

  test('refuses a code that is too old', async () => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method });
    const back = await beSomebody(world, browser, { url, person: 'mira' });
    await world.outside.tell('/__sandbox/expire-codes', {});
    const code = back.url.searchParams.get('code') ?? '';
    expect(await handIn(world, browser, { method, code, state })).toMatchObject({
      code: 'AuthFail',
    });
  });

  test('refuses a state that is somebody else’s, made up, or of another method', async () => {
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

  test('signs nobody in to the account of whoever sent them the address', async () => {
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
    // And it was not used up by them either.
    expect(await handIn(world, attacker, { method, code, state })).toMatchObject({ code: null });
  });

  test('refuses whoever was away for more than ten minutes', async () => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method });
    const back = await beSomebody(world, browser, { url, person: 'mira' });
    await grow(11);
    const code = back.url.searchParams.get('code') ?? '';
    expect(await handIn(world, browser, { method, code, state })).toMatchObject({
      code: 'AuthFail',
    });
  });

  test('lets two tabs be away at the same time', async () => {
    const browser = openBrowser();
    const first = await leave(world, browser, { method });
    const second = await leave(world, browser, { method });
    for (const { url, state } of [second, first]) {
      const back = await beSomebody(world, browser, { url, person: 'mira' });
      const code = back.url.searchParams.get('code') ?? '';
      expect(await handIn(world, browser, { method, code, state })).toMatchObject({ code: null });
    }
  });

  test('is busy when the provider is broken, and works when it is not any more', async () => {
    await fault(provider, 'error');
    const broken = await signInAt(world, { method, person: 'mira' });
    expect(broken).toMatchObject({ httpStatus: 503, code: 'SystemBusy', cookie: undefined });
    expect(await signInAt(world, { method, person: 'mira' })).toMatchObject({ code: null });
  });

  test('is busy when the provider does not answer', async () => {
    await fault(provider, 'hang');
    const { result, limitsMs } = await giveUpOn(world.outside, () =>
      signInAt(world, { method, person: 'mira' }),
    );
    expect(result).toMatchObject({ code: 'SystemBusy' });
    expect(limitsMs).toContain(8_000);
  });
});

describe('Google', () => {
  test.each(['bad_signature', 'wrong_nonce', 'wrong_audience', 'wrong_issuer', 'expired'])(
    'is not believed with an id token that is wrong: %s',
    async (kind) => {
      await fault('google', kind);
      const method = 'GOOGLE_PLAY_GAMES_AUTH';
      const reply = await signInAt(world, { method, person: 'mira' });
      expect(reply).toMatchObject({ code: 'AuthFail', cookie: undefined });
      expect(await signInAt(world, { method, person: 'mira' })).toMatchObject({ code: null });
    },
  );

  test('gets a challenge and then its verifier, so that a stolen code is worth nothing', async () => {
    const method = 'GOOGLE_PLAY_GAMES_AUTH';
    const { url } = await leave(world, openBrowser(), { method });
    expect(new URL(url).searchParams.get('code_challenge_method')).toBe('S256');
    await signInAt(world, { method, person: 'mira' });
    expect(await callsOf('google')).toContainEqual(
      expect.objectContaining({ sent: expect.arrayContaining(['code_verifier']) }),
    );
  });
});

describe('Facebook', () => {
  test.each(['other_app', 'invalid_token', 'other_person'])(
    'is not believed with a token that is wrong: %s',
    async (kind) => {
      await fault('facebook', kind);
      const reply = await signInAt(world, { method: 'FACEBOOK_AUTH', person: 'mira' });
      expect(reply).toMatchObject({ code: 'AuthFail', cookie: undefined });
    },
  );

  test('is asked whose token it is, and told that we have the secret', async () => {
    await signInAt(world, { method: 'FACEBOOK_AUTH', person: 'mira' });
    expect((await callsOf('facebook')).map(({ call }) => call)).toEqual([
      'me',
      'debug_token',
      'oauth/access_token',
    ]);
  });
});

describe('WeChat', () => {
  const method = 'WECHAT_AUTH';

  test('[S4.15] returns to the address it was started from, with code and state', async () => {
    const browser = openBrowser();
    const { url, state } = await leave(world, browser, { method, redirect: '/main/recharge?a=1' });
    expect(new URL(url).hash).toBe('#wechat_redirect');
    expect(new URL(url).searchParams.get('scope')).toBe('snsapi_login');
    const back = await beSomebody(world, browser, { url, person: 'mira' });
    expect(back.url.pathname).toBe('/main/recharge');
    expect(back.url.searchParams.get('a')).toBe('1');
    expect(back.url.searchParams.get('state')).toBe(state);
  });

  test('knows somebody without a union id by the open id', async () => {
    const lin = world.person('lin');
    const subject = lin.openIds[websiteAppId] ?? '';
    const accountId = await givenLinked(world, { accountType: 'WECHAT', subject });
    const reply = await signInAt(world, { method, person: 'lin' });
    expect(reply.data).toMatchObject({ accountId });
  });

  test.each(['//evil.example', 'https://evil.example', '/\\evil.example', '/.//evil.example'])(
    'never returns to another site: %s',
    async (redirect) => {
      const { url } = await leave(world, openBrowser(), { method, redirect });
      expect(new URL(url).searchParams.get('redirect_uri')).toBe(`${world.shop.url}/`);
    },
  );

  test('is not offered by a site that has no official account', async () => {
    await setSite(sql`wechat_app_id = null`);
    const body = { method, redirect: '/' };
    const reply = await send(world.shop, '/api/user/login/start', { body });
    await setSite(sql`wechat_app_id = 'wx_official_account'`);
    expect(reply).toMatchObject({ code: 'LoginMethodNotOffered', cookie: undefined });
  });
});

describe('leaving for a provider', () => {
  const start = (body: object, more: object = {}) =>
    send(world.shop, '/api/user/login/start', { body, ...more });

  test('marks the browser for ten minutes, where no script can read it', async () => {
    const response = await fetch(`${world.shop.url}/api/user/login/start`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
      body: JSON.stringify({ method: 'FACEBOOK_AUTH', redirect: '/' }),
    });
    expect(response.headers.getSetCookie()).toEqual([
      expect.stringMatching(/^away=[\w-]{43}; Max-Age=600; Path=\/; HttpOnly; SameSite=Lax$/),
    ]);
  });

  test('leaves no secret in the database that the provider or the browser could be fooled with', async () => {
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
    ['a method that needs no leaving', { method: 'LOGIN_NAME_PASSWD_AUTH', redirect: '/' }],
    ['no address to return to', { method: 'FACEBOOK_AUTH' }],
    [
      'an address of more than 2048 characters',
      { method: 'FACEBOOK_AUTH', redirect: '/'.repeat(2049) },
    ],
  ])('is refused with %s', async (_how, body) => {
    expect(await start(body)).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
  });

  test('is refused from another site', async () => {
    const headers = { 'sec-fetch-site': 'cross-site' };
    const reply = await start({ method: 'FACEBOOK_AUTH', redirect: '/' }, { headers });
    expect(reply).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
  });

  test('is not offered where the site does not offer it, and neither is coming back', async () => {
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

  test('is forgotten when its time is over', async () => {
    await leave(world, openBrowser(), { method: 'FACEBOOK_AUTH' });
    await grow(11);
    await leave(world, openBrowser(), { method: 'FACEBOOK_AUTH' });
    await forgetOldSignIns(world.shop.db);
    const left = await world.shop.db.one(
      z.object({ count: z.coerce.number() }),
      sql`select count(*) from sign_ins_elsewhere`,
    );
    expect(left.count).toBe(1);
  });
});

test('a player who is signed in can sign in elsewhere and is then whoever that is', async () => {
  const player = await givenPlayer(world.shop);
  const browser = openBrowser();
  browser.keep(world.shop.url, await signIn(world.shop, player));
  const reply = await signInAt(world, { method: 'FACEBOOK_AUTH', person: 'mira', browser });
  expect(reply.data).toMatchObject({ accountId: accounts.FACEBOOK_AUTH });
});

/** Makes everybody who is away so many minutes older. */
async function grow(minutes: number): Promise<void> {
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
