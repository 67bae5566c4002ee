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

describe('a session', () => {
  test('tells who is signed in and lets the player call', async () => {
    const { player, cookie } = await givenSignedIn();
    expect((await info(cookie)).data).toMatchObject({ login: true, accountId: player.accountId });
    expect(await servers(cookie)).toMatchObject({ isSuccess: true });
  });

  test('[S4.12] ends when the account signs in on another device: the next call answers 203', async () => {
    const { player, cookie: first } = await givenSignedIn();
    const second = await signIn(shop, player);
    expect(await servers(first)).toMatchObject(ended);
    expect(await info(first)).toMatchObject(ended);
    expect(await servers(second)).toMatchObject({ httpStatus: 200, isSuccess: true });
  });

  test('of one player does not end when another one signs in', async () => {
    const { cookie } = await givenSignedIn();
    await givenSignedIn();
    expect(await servers(cookie)).toMatchObject({ isSuccess: true });
  });

  test('[S7.05] ends with the sign-out, on this device and for good', async () => {
    const { cookie } = await givenSignedIn();
    const out = await send(shop, '/api/user/logout', { cookie });
    expect(out).toMatchObject({ httpStatus: 200, isSuccess: true, cookie: 'sid=' });
    expect(await info(cookie)).toMatchObject(ended);
    expect(await send(shop, '/api/user/logout', { cookie })).toMatchObject({ isSuccess: true });
  });

  test('is not ended by the sign-out of the device it replaced', async () => {
    const { player, cookie: first } = await givenSignedIn();
    const second = await signIn(shop, player);
    await send(shop, '/api/user/logout', { cookie: first });
    expect(await info(second)).toMatchObject({ isSuccess: true, data: { login: true } });
  });

  test('is not ended by a sign-out that another site sends', async () => {
    const { cookie } = await givenSignedIn();
    const headers = { 'sec-fetch-site': 'cross-site' };
    const out = await send(shop, '/api/user/logout', { cookie, headers });
    expect(out).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin' });
    expect(await info(cookie)).toMatchObject({ isSuccess: true });
  });

  test('lasts thirty days and not longer', async () => {
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

  test('of one site is none of another', async () => {
    const { cookie } = await givenSignedIn();
    // Browsers would not send it there; somebody who copied it would.
    const copied = cookie.replace('sid=', '__Host-sid=');
    expect(await info(copied, secure)).toMatchObject(ended);
  });
});

describe('who is signed in', () => {
  test('is nobody, where there was no session', async () => {
    const reply = await info(undefined);
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true, data: { login: false } });
    expect(reply.data).toEqual({ login: false });
  });

  test('is not told to another site, and the refusal says so', async () => {
    const { cookie } = await givenSignedIn();
    const headers = { 'sec-fetch-site': 'cross-site' };
    const reply = await send(shop, '/api/user/info', { cookie, headers });
    expect(reply).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin', data: null });
  });

  test.each([
    ['a made-up token', () => 'sid=made-up'],
    ['an empty token', () => 'sid='],
    ['a token of nobody', () => `sid=018f2a3b-4c5d-7e6f-8a9b-0c1d2e3f4a5b.${'a'.repeat(43)}`],
  ])('is nobody any more with %s', async (_what, cookie) => {
    expect(await info(cookie())).toMatchObject(ended);
  });

  test('is nobody with another secret for the same account', async () => {
    const { player } = await givenSignedIn();
    expect(await info(`sid=${player.accountId}.${'a'.repeat(43)}`)).toMatchObject(ended);
  });

  test('is a player of the session, whatever the identity headers say', async () => {
    const [{ player, cookie }, other] = [await givenSignedIn(), await givenSignedIn()];
    const headers = { accountid: other.player.accountId, userid: other.player.accountId };
    const reply = await send(shop, '/api/user/info', { cookie, headers });
    expect(reply.data).toMatchObject({ accountId: player.accountId });
  });
});

describe('the cookies of a session and of a known browser', () => {
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

  test('are out of reach for scripts and other sites', async () => {
    const [session, device] = await cookieLines(shop);
    expect(device).toMatch(/^device=[\w-]{43};/);
    const flags = (age: string) => ['HttpOnly', age, 'Path=/', 'SameSite=Lax'];
    expect([session, device].map(flagsOf)).toEqual([flags(ages.session), flags(ages.device)]);
  });

  test('go over https only and to this host only, where the site has https', async () => {
    const [session, device] = await cookieLines(secure);
    expect(session).toMatch(/^__Host-sid=/);
    expect(device).toMatch(/^__Host-device=/);
    const flags = (age: string) => ['HttpOnly', age, 'Path=/', 'SameSite=Lax', 'Secure'];
    expect([session, device].map(flagsOf)).toEqual([flags(ages.session), flags(ages.device)]);
    const [cookie = ''] = session.split(';', 1);
    expect(await info(cookie, secure)).toMatchObject({ data: { login: true } });
  });
});

test('the database knows neither a password nor a token, only their hashes', async () => {
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
