import { endSession, listSessions } from '@pointgate/contract/sessions.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  givenPlayer,
  openTestShop,
  send,
  signIn,
  type TestPlayer,
  type TestShop,
} from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';
import { startSession } from './accounts.ts';

let shop: TestShop;
let other: TestShop;
let player: TestPlayer;
let cookie: string;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  other = await givenOtherSite(shop, { portalUrl: 'http://other.example' });
});
beforeEach(async () => {
  player = await givenPlayer(shop);
  cookie = await signIn(shop, player);
});
afterAll(() => shop.closeAll());

async function read(at: TestShop = shop, by: string = cookie) {
  const reply = await send(at, listSessions.path, { cookie: by, body: {} });
  expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true });
  return listSessions.reply.parse(reply.data).sessions;
}
async function readAs(userAgent: string) {
  const headers = { 'user-agent': userAgent };
  const { data } = await send(shop, listSessions.path, { cookie, body: {}, headers });
  return listSessions.reply.parse(data).sessions;
}
const letHourPass = () =>
  shop.db.transaction((tx) =>
    tx.run(sql`
      update sessions set seen_at = seen_at - interval '1 hour'
      where account_id = ${player.accountId}`),
  );
const end = (body: object, by: string | undefined = cookie) =>
  send(shop, endSession.path, { cookie: by, body });
const isLive = async (at: TestShop, by: string) =>
  (await send(at, '/api/user/info', { cookie: by })).httpStatus === 200;

/** The session of the account on the other site. */
async function otherSession() {
  const session = (await read()).find(({ isThis }) => !isThis);
  if (session === undefined) throw new Error('the account has no other session');
  const { siteId, startedAt } = session;
  return { siteId, startedAt };
}

describe('session list', () => {
  test('the session list shows the site and times of each session, with the requesting session first', async () => {
    const [here, ...rest] = await read();
    expect(rest).toEqual([]);
    expect(here).toMatchObject({ siteTitle: 'Solmere', isThis: true, isByLink: false });
    const startedMs = Date.parse(here?.startedAt ?? '');
    expect(Math.abs(Date.now() - startedMs)).toBeLessThan(60_000);
    expect(Date.parse(here?.endsAt ?? '') - startedMs).toBeGreaterThan(29 * 86_400_000);

    const elsewhere = await signIn(other, player);
    const both = await read();
    expect(both.map(({ isThis }) => isThis)).toEqual([true, false]);
    const [first, second] = await read(other, elsewhere);
    expect([first?.siteId, second?.siteId]).toEqual([both[1]?.siteId, both[0]?.siteId]);
    expect(first?.isThis).toBe(true);
  });

  test('the session list shows the browser, system and hour of the last use, updated at most hourly', async () => {
    const [here] = await readAs('Mozilla/5.0 (Windows NT 10.0) Chrome/124.0.0.0 Safari/537.36');
    expect(here?.device).toEqual({ browser: 'chrome', system: 'windows' });
    const seenMs = Date.parse(here?.seenAt ?? '');
    expect(Date.now() - seenMs).toBeLessThan(2 * 3_600_000);
    expect(seenMs % 3_600_000).toBe(0);

    // Within the hour nothing is written; afterwards the browser in use is.
    const phone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 17_4) Mobile/15E148 MicroMessenger/8.0.49';
    expect((await readAs(phone))[0]?.device.browser).toBe('chrome');
    await letHourPass();
    const [later] = await readAs(phone);
    expect(later?.device).toEqual({ browser: 'wechat', system: 'ios' });
    expect(Date.parse(later?.seenAt ?? '')).toBeGreaterThanOrEqual(seenMs);
  });

  test('the session list shows no device for a session not used yet, and never the device of an earlier session', async () => {
    await readAs('Mozilla/5.0 (Windows NT 10.0) Chrome/124.0.0.0 Safari/537.36');
    await signIn(other, player);
    const [, unused] = await read();
    expect(unused).toMatchObject({ device: { browser: null, system: null }, seenAt: null });
    cookie = await signIn(shop, player);
    expect((await readAs('curl/8.7.1'))[0]).toMatchObject({
      device: { browser: null, system: null },
      seenAt: expect.any(String),
    });
  });

  test('a call with an ended session does not set the time of last use of the session that replaced it', async () => {
    const ended = cookie;
    await signIn(shop, player);
    const headers = { 'user-agent': 'Mozilla/5.0 (Windows NT 10.0) Firefox/125.0' };
    const reply = await send(shop, listSessions.path, { cookie: ended, body: {}, headers });
    expect(reply.httpStatus).toBe(203);
    const elsewhere = await signIn(other, player);
    const sessions = await read(other, elsewhere);
    expect(sessions.find(({ isThis }) => !isThis)).toMatchObject({ seenAt: null });
  });

  test('the session list marks a session that was started by a sign-in link', async () => {
    await shop.db.transaction((tx) =>
      startSession(tx, { accountId: player.accountId, siteId: 'other', by: 'link' }),
    );
    expect((await read()).map(({ isByLink }) => isByLink)).toEqual([false, true]);
  });

  test('the session list omits expired sessions', async () => {
    await signIn(other, player);
    await shop.db.transaction((tx) =>
      tx.run(sql`
        update sessions set expires_at = now()
        where account_id = ${player.accountId} and site_id = ${'other'}`),
    );
    expect(await read()).toHaveLength(1);
  });

  test('the session list omits sessions of other players', async () => {
    await signIn(other, await givenPlayer(shop));
    expect(await read()).toHaveLength(1);
  });
});

describe('ending a session from another session', () => {
  test('a session ended from another session is over at once, and ending it again succeeds', async () => {
    const elsewhere = await signIn(other, player);
    const session = await otherSession();
    expect(await end(session)).toMatchObject({ httpStatus: 200, isSuccess: true });
    expect(await isLive(other, elsewhere)).toBe(false);
    expect(await isLive(shop, cookie)).toBe(true);
    expect(await end(session)).toMatchObject({ httpStatus: 200, isSuccess: true });
    expect(await read()).toHaveLength(1);
  });

  test('a request to end a session does not end a newer session on the same site', async () => {
    await signIn(other, player);
    const old = await otherSession();
    const next = await signIn(other, player);
    expect(await end(old)).toMatchObject({ isSuccess: true });
    expect(await isLive(other, next)).toBe(true);
  });

  test("a request to end another player's session has no effect and the same answer as a success", async () => {
    const stranger = await givenPlayer(shop);
    const theirs = await signIn(shop, stranger);
    const [session] = await read(shop, theirs);
    const { siteId, startedAt } = session ?? {};
    const reply = await end({ siteId, startedAt });
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true, data: {} });
    expect(await isLive(shop, theirs)).toBe(true);
  });

  test('a player can end the current session from the session list, and its next call is answered with 203', async () => {
    const [session] = await read();
    const { siteId, startedAt } = session ?? {};
    await end({ siteId, startedAt });
    expect(await isLive(shop, cookie)).toBe(false);
  });
});

test('the API calls for the session list refuse malformed, unauthenticated and cross-site requests', async () => {
  const good = { siteId: 'solmere', startedAt: '2026-11-15T10:00:00.000Z' };
  for (const body of [
    {},
    { siteId: good.siteId },
    { ...good, siteId: '../x' },
    { ...good, startedAt: 'yesterday' },
    { ...good, accountId: player.accountId },
  ]) {
    expect(await end(body)).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
  }
  const extra = { cookie, body: { accountId: player.accountId } };
  expect(await send(shop, listSessions.path, extra)).toMatchObject({ code: 'InvalidParams' });
  for (const { path } of [listSessions, endSession]) {
    const body = path === endSession.path ? good : {};
    expect(await send(shop, path, { body })).toMatchObject({
      httpStatus: 203,
      code: 'InvalidToken',
    });
    const headers = { 'sec-fetch-site': 'cross-site' };
    expect(await send(shop, path, { cookie, body, headers })).toMatchObject({
      httpStatus: 403,
      code: 'ForeignOrigin',
    });
  }
});
