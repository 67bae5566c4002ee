import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { callRaw } from '../../../test/raw-call.ts';
import { sealAs } from '../../../test/sealing.ts';
import {
  givenPlayer,
  openTestShop,
  seal,
  send,
  type TestPlayer,
  type TestShop,
} from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { createAccount, forgetOldSessions } from './accounts.ts';

const path = '/api/user/login';

let shop: TestShop;
let player: TestPlayer;
beforeAll(async () => {
  shop = await openTestShop();
  player = await givenPlayer(shop);
});
afterAll(() => shop.closeAll());

const credentials = (changes: object = {}) => ({
  method: 'LOGIN_NAME_PASSWD_AUTH',
  loginName: player.loginName,
  password: player.password,
  ...changes,
});

const signInWith = async (changes: object) =>
  await send(shop, path, { body: { data: await seal(shop, path, credentials(changes)) } });

describe('sign-in with login name and password', () => {
  test('[S7.04] a sign-in returns its account and a session cookie', async () => {
    const reply = await signInWith({});
    expect(reply).toMatchObject({ httpStatus: 200, isSuccess: true, code: null });
    expect(reply.data).toEqual({
      login: true,
      accountId: player.accountId,
      accountType: 'ACCOUNT',
      displayName: player.loginName,
      userId: player.accountId,
      gameAccountId: player.gameAccountId,
    });
    expect(reply.cookie).toMatch(/^sid=/);
  });

  test('a sign-in accepts the login name in upper and lower case', async () => {
    const reply = await signInWith({ loginName: player.loginName.toUpperCase() });
    expect(reply.data).toMatchObject({ accountId: player.accountId });
  });

  test('a sign-in works for a player without a game account on the site', async () => {
    const passwordHash = await shop.db.one(
      z.object({ hash: z.string() }),
      sql`select password_hash as hash from identities where account_id = ${player.accountId}`,
    );
    await shop.db.transaction((tx) =>
      createAccount(tx, {
        loginName: 'Newcomer',
        displayName: 'Newcomer',
        passwordHash: passwordHash.hash,
      }),
    );
    const reply = await signInWith({ loginName: 'newcomer' });
    expect(reply.data).toMatchObject({ displayName: 'Newcomer', gameAccountId: null });
  });

  test('a sign-in request encrypted with the second live key works, so that keys can be rotated', async () => {
    const [, key] = shop.loginKeys;
    if (key === undefined) throw new Error('there is no second key');
    const data = await seal(shop, path, credentials(), { key });
    expect(await send(shop, path, { body: { data } })).toMatchObject({ isSuccess: true });
  });
});

describe('refused sign-ins', () => {
  const refusal = (code: string, msg: string) => ({
    httpStatus: 200,
    isSuccess: false,
    code,
    msg,
    data: null,
    cookie: undefined,
  });

  test('a sign-in with an unknown login name is refused with LoginNameAccountNotFound', async () => {
    const reply = await signInWith({ loginName: 'nobody' });
    expect(reply).toMatchObject(refusal('LoginNameAccountNotFound', 'Account does not exist'));
  });

  test.each(['dawn-58', 'Dawn-58 ', 'x'])(
    'a sign-in with the wrong password "%s" is refused with InvalidPassword',
    async (password) => {
      const reply = await signInWith({ password });
      expect(reply).toMatchObject(refusal('InvalidPassword', 'Incorrect password'));
    },
  );

  test.each([
    ['without a password', { password: undefined }],
    ['with an empty name', { loginName: '' }],
    ['with a name of more than 64 characters', { loginName: 'a'.repeat(65) }],
    ['with a password of more than 128 characters', { password: 'a'.repeat(129) }],
    ['with an unknown field', { isAdmin: true }],
    ['with a password for the method MOBILE_AUTH', { method: 'MOBILE_AUTH' }],
    ['with a NUL character in the name', { loginName: 'a\0b' }],
  ])('a sign-in %s is refused with InvalidParams', async (_how, changes) => {
    expect(await signInWith(changes)).toMatchObject(
      refusal('InvalidParams', 'Parameter exception'),
    );
  });

  test('an encrypted sign-in request is refused when the same request is sent again', async () => {
    const data = await seal(shop, path, credentials());
    expect(await send(shop, path, { body: { data } })).toMatchObject({ isSuccess: true });
    const again = await send(shop, path, { body: { data } });
    expect(again).toMatchObject(refusal('InvalidParams', 'Parameter exception'));
  });

  test('an encrypted sign-in request sent twenty times concurrently signs in once', async () => {
    const data = await seal(shop, path, credentials());
    const replies = await Promise.all(
      Array.from({ length: 20 }, () => send(shop, path, { body: { data } })),
    );
    expect(replies.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
  });

  test('an encrypted sign-in request that was refused is refused as a replay when sent again', async () => {
    const data = await seal(shop, path, credentials({ password: 'wrong' }));
    expect(await send(shop, path, { body: { data } })).toMatchObject({ code: 'InvalidPassword' });
    expect(await send(shop, path, { body: { data } })).toMatchObject({ code: 'InvalidParams' });
  });

  test('an encrypted sign-in request that is stale or was encrypted for another API call is refused', async () => {
    const [key] = shop.loginKeys;
    if (key === undefined) throw new Error('there is no key');
    const stale = await seal(shop, path, credentials(), { ageSeconds: 600 });
    const elsewhere = await sealAs(key, '/api/user/phone/psw/reset', credentials());
    for (const data of [stale, elsewhere]) {
      const reply = await send(shop, path, { body: { data } });
      expect(reply).toMatchObject(refusal('InvalidParams', 'Parameter exception'));
    }
  });

  test.each([
    ['unsealed credentials', () => credentials()],
    ['an empty body', () => ({})],
    ['a malformed sealed body', () => ({ data: 'a.b.c' })],
    ['a sealed body of more than 4096 characters', () => ({ data: `a..b.${'c'.repeat(4096)}.d` })],
  ])('a sign-in with %s is refused as malformed', async (_what, body) => {
    const reply = await send(shop, path, { body: body() });
    expect(reply).toMatchObject({ httpStatus: 400, isSuccess: false, code: 'InvalidParams' });
  });

  test('a cross-site sign-in is refused, and its encrypted request stays valid on its own site', async () => {
    const data = await seal(shop, path, credentials());
    const headers = { 'sec-fetch-site': 'cross-site' };
    const reply = await send(shop, path, { body: { data }, headers });
    expect(reply).toMatchObject({ httpStatus: 403, code: 'ForeignOrigin', cookie: undefined });
    // The body was refused before it was opened, so it is still valid on its own site.
    expect(await send(shop, path, { body: { data } })).toMatchObject({ isSuccess: true });
  });
});

test('GET /api/user/keys returns public keys and the server time, without private key parts', async () => {
  const reply = await callRaw(`${shop.url}/api/user/keys`);
  const { data } = z
    .object({ data: z.object({ keys: z.array(z.strictObject(publicKey)), ts: z.int() }) })
    .parse(reply.json());
  expect(data.keys.map(({ kid }) => kid)).toEqual(['first', 'second']);
  expect(Math.abs(data.ts - Date.now() / 1000)).toBeLessThan(60);
  for (const { d } of shop.loginKeys) expect(reply.text).not.toContain(d);
});

const publicKey = {
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  x: z.string(),
  y: z.string(),
  kid: z.string(),
};

test('an expired session is deleted, other sessions are kept', async () => {
  const [gone, kept] = await Promise.all([givenPlayer(shop), givenPlayer(shop)]);
  for (const { loginName, password } of [gone, kept]) await signInWith({ loginName, password });
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update sessions set expires_at = now() - interval '1 second'
      where account_id = ${gone.accountId}`),
  );
  await forgetOldSessions(shop.db);
  const left = await shop.db.many(
    z.object({ account_id: z.uuid() }),
    sql`select account_id from sessions where account_id in (${gone.accountId}, ${kept.accountId})`,
  );
  expect(left).toEqual([{ account_id: kept.accountId }]);
});

test('the id of a used sign-in request is deleted once the request is too old to be accepted, and not before', async () => {
  const [old, fresh] = [crypto.randomUUID(), crypto.randomUUID()];
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`insert into used_envelopes values (${old}, now() - interval '1 second')`);
    await tx.run(sql`insert into used_envelopes values (${fresh}, now() + interval '1 minute')`);
  });
  await forgetOldSessions(shop.db);
  const left = await shop.db.many(
    z.object({ jti: z.uuid() }),
    sql`select jti from used_envelopes where jti in (${old}, ${fresh})`,
  );
  expect(left).toEqual([{ jti: fresh }]);
});

test('two accounts cannot share a login name that differs only in case', async () => {
  const twin = { loginName: player.loginName.toUpperCase(), displayName: 'Twin', passwordHash: '' };
  const making = shop.db.transaction((tx) => createAccount(tx, twin));
  await expect(making).rejects.toMatchObject({ code: '23505' });
});
