import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callRaw } from '../../../test/raw-call.ts';
import {
  givenPlayer,
  openTestShop,
  seal,
  send,
  signIn,
  type TestShop,
} from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';

let shop: TestShop;
/** The same shop on a site that players reach over https. */
let secure: TestShop;
beforeAll(async () => {
  shop = await openTestShop();
  secure = await givenOtherSite(shop, { portalUrl: 'https://other.example' });
});
afterAll(() => shop.closeAll());

const info = (cookie: string | undefined, at: TestShop = shop) =>
  send(at, '/api/user/info', { cookie });
const servers = (cookie: string | undefined) =>
  send(shop, '/api/character/server/list', {
    cookie,
    body: { gameId: 'solmere', system: 'ios' },
  });
const ended = { httpStatus: 203, status: 203, isSuccess: false, code: 'InvalidToken' };

async function givenSignedIn() {
  const player = await givenPlayer(shop);
  return { player, cookie: await signIn(shop, player) };
}

describe('sessions', () => {
  test('a session cookie identifies its player and allows API calls', async () => {
    const { player, cookie } = await givenSignedIn();
    expect((await info(cookie)).data).toMatchObject({ login: true, accountId: player.accountId });
    expect(await servers(cookie)).toMatchObject({ isSuccess: true });
  });

  test('[S4.12] a session ends when its account signs in on another device, and its next call is answered with 203', async () => {
    const { player, cookie: first } = await givenSignedIn();
    const second = await signIn(shop, player);
    expect(await servers(first)).toMatchObject(ended);
    expect(await info(first)).toMatchObject(ended);
    expect(await servers(second)).toMatchObject({ httpStatus: 200, isSuccess: true });
  });

  test('a session does not end when another player signs in', async () => {
    const { cookie } = await givenSignedIn();
    await givenSignedIn();
    expect(await servers(cookie)).toMatchObject({ isSuccess: true });
  });

  test('[S7.05] a session ends for good with the sign-out, which also clears its cookie', async () => {
    const { cookie } = await givenSignedIn();
    const out = await send(shop, '/api/user/logout', { cookie });
    expect(out).toMatchObject({ httpStatus: 200, isSuccess: true, cookie: 'sid=' });
    expect(await info(cookie)).toMatchObject(ended);
    expect(await send(shop, '/api/user/logout', { cookie })).toMatchObject({ isSuccess: true });
  });

  test('a session is not ended by the sign-out of the session that it replaced', async () => {
    const { player, cookie: first } = await givenSignedIn();
    const second = await signIn(shop, player);
    await send(shop, '/api/user/logout', { cookie: first });
    expect(await info(second)).toMatchObject({ isSuccess: true, data: { login: true } });
  });

  test('a session is not ended by a cross-site sign-out', async () => {
    const { cookie } = await givenSignedIn();
    const headers = { 'sec-fetch-site': 'cross-site' };
    const out = await send(shop, '/api/user/logout', { cookie, headers });
    expect(out).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
    expect(await info(cookie)).toMatchObject({ isSuccess: true });
  });

  test('a session expires after thirty days', async () => {
    const { player, cookie } = await givenSignedIn();
    const { days } = await shop.db.one(
      z.object({ days: z.number() }),
      sql`select extract(epoch from expires_at - now())::float8 / 86400 as days from sessions
          where account_id = ${player.accountId}`,
    );
    expect(days).toBeCloseTo(30, 1);
    await shop.db.transaction((tx) =>
      tx.run(sql`update sessions set expires_at = now() where account_id = ${player.accountId}`),
    );
    expect(await info(cookie)).toMatchObject(ended);
    expect(await servers(cookie)).toMatchObject(ended);
  });

  test('a session of one site is refused on another site', async () => {
    const { cookie } = await givenSignedIn();
    // Browsers would not send the cookie there, but an attacker who copied it would.
    const copied = cookie.replace('sid=', '__Host-sid=');
    expect(await info(copied, secure)).toMatchObject(ended);
  });
});

describe('user info', () => {
  test('the call user/info without a session reports that nobody is signed in', async () => {
    const reply = await info(undefined);
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true, data: { login: false } });
    expect(reply.data).toEqual({ login: false });
  });

  test('the call user/info is refused to another site with ForeignOrigin', async () => {
    const { cookie } = await givenSignedIn();
    const headers = { 'sec-fetch-site': 'cross-site' };
    const reply = await send(shop, '/api/user/info', { cookie, headers });
    expect(reply).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin', data: null });
  });

  test.each([
    ['a made-up token', () => 'sid=made-up'],
    ['an empty token', () => 'sid='],
    [
      'a token of an unknown account',
      () => `sid=018f2a3b-4c5d-7e6f-8a9b-0c1d2e3f4a5b.${'a'.repeat(43)}`,
    ],
  ])('the call user/info with %s is answered with 203', async (_what, cookie) => {
    expect(await info(cookie())).toMatchObject(ended);
  });

  test('the call user/info with a wrong session secret for an existing account is answered with 203', async () => {
    const { player } = await givenSignedIn();
    expect(await info(`sid=${player.accountId}.${'a'.repeat(43)}`)).toMatchObject(ended);
  });

  test('the call user/info returns the player of the session, whatever the identity headers say', async () => {
    const [{ player, cookie }, other] = [await givenSignedIn(), await givenSignedIn()];
    const headers = { accountid: other.player.accountId, userid: other.player.accountId };
    const reply = await send(shop, '/api/user/info', { cookie, headers });
    expect(reply.data).toMatchObject({ accountId: player.accountId });
  });
});

describe('session and browser cookies', () => {
  async function cookieLines(at: TestShop): Promise<[string, string]> {
    const player = await givenPlayer(shop);
    const data = await seal(at, '/api/user/login', {
      method: 'LOGIN_NAME_PASSWD_AUTH',
      loginName: player.loginName,
      password: player.password,
    });
    const reply = await callRaw(`${at.url}/api/user/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', version: 'test' },
      body: JSON.stringify({ data }),
    });
    const [session = '', device = '', ...more] = reply.headers['set-cookie'] ?? [];
    expect(more).toEqual([]);
    return [session, device];
  }

  const flagsOf = (line: string) => line.split('; ').slice(1).toSorted();
  const ages = { session: 'Max-Age=2592000', device: 'Max-Age=7776000' };

  test('session and browser cookies are HttpOnly and SameSite=Lax', async () => {
    const [session, device] = await cookieLines(shop);
    expect(device).toMatch(/^device=[\w-]{43};/);
    const flags = (age: string) => ['HttpOnly', age, 'Path=/', 'SameSite=Lax'];
    expect([session, device].map(flagsOf)).toEqual([flags(ages.session), flags(ages.device)]);
  });

  test('session and browser cookies of an https site are Secure and have the prefix __Host-', async () => {
    const [session, device] = await cookieLines(secure);
    expect(session).toMatch(/^__Host-sid=/);
    expect(device).toMatch(/^__Host-device=/);
    const flags = (age: string) => ['HttpOnly', age, 'Path=/', 'SameSite=Lax', 'Secure'];
    expect([session, device].map(flagsOf)).toEqual([flags(ages.session), flags(ages.device)]);
    const [cookie = ''] = session.split(';', 1);
    expect(await info(cookie, secure)).toMatchObject({ data: { login: true } });
  });
});

test('the database stores passwords and session tokens only as hashes', async () => {
  const { player, cookie } = await givenSignedIn();
  const secret = cookie.split('.')[1] ?? '';
  expect(secret).toHaveLength(43);
  const { dump } = await shop.db.one(
    z.object({ dump: z.string() }),
    sql`
      select concat(
        (select string_agg(sessions::text, ' ') from sessions),
        (select string_agg(identities::text, ' ') from identities),
        (select string_agg(accounts::text, ' ') from accounts)) as dump`,
  );
  expect(dump).toContain(player.accountId);
  expect(dump).toContain('$argon2id$');
  expect(dump).not.toContain(player.password);
  expect(dump).not.toContain(secret);
  expect(dump).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
  expect(dump).not.toContain(Buffer.from(secret).toString('hex'));
});
