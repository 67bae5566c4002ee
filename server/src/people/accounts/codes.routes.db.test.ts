import { humanChallenge } from '@pointgate/contract/codes.ts';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  givenMember,
  type Outbox,
  openOutbox,
  solve,
  type TestMember,
  testBrowserCookie,
} from '../../../test/codes.ts';
import { testCipher, testIndexKey } from '../../../test/identities.ts';
import { callRaw } from '../../../test/raw-call.ts';
import { openTestShop, seal, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { createApi } from '../../wiring/app.ts';
import { type CredentialChecks, openCredentialChecks } from './credentials.ts';

let shop: TestShop;
let api: FastifyInstance;
let checks: CredentialChecks;
let outbox: Outbox;
let here: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ TRUST_PROXY: '1' });
  outbox = openOutbox();
  checks = await openCredentialChecks({
    db: shop.db,
    messages: outbox,
    redisUrl: undefined,
    pepper: 'a pepper of the tests',
    indexKey: testIndexKey,
    cipher: testCipher,
    countries: ['CN', 'US'],
    textsPerDayMax: 1_000,
    textsUnansweredMax: 1_000,
    knownPasswordsFile: undefined,
    now: Date.now,
  });
  api = await createApi({ ...shop, checks });
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  here = { ...shop, url: url.replace('127.0.0.1', 'localhost') };
});
afterAll(async () => {
  await api.close();
  await checks.close();
  await shop.closeAll();
});

let addresses = 0;
/** A caller at an address that no other call has used. */
const newCaller = () => {
  addresses += 1;
  return { 'x-forwarded-for': `203.${addresses >> 8}.${addresses & 255}.9` };
};

const emailPath = '/api/user/email/code/send';
const phonePath = '/api/user/phone/code/send';
const loginPath = '/api/user/login';
const resetPath = '/api/user/email/psw/reset';

const call = (path: string, body: object, headers = newCaller()) =>
  send(here, path, { body, headers, cookie: testBrowserCookie });
const callSealed = async (path: string, payload: Record<string, unknown>, headers = newCaller()) =>
  await call(path, { data: await seal(here, path, payload) }, headers);

const mailCode = async (email: string) => {
  const body = { email, purpose: 'password_forget_email', proof: null };
  const reply = await call(emailPath, body);
  await checks.codes.settle();
  return reply;
};
const textCode = async (phone: string, purpose: string) => {
  const reply = await callSealed(phonePath, { phone, purpose, proof: null });
  await checks.codes.settle();
  return reply;
};

const signedInAs = (member: TestMember) => ({
  isSuccess: true,
  data: { accountId: member.accountId },
});

describe('sign-in with a password or a code', () => {
  test('[S3.11] a player signs in with login name, mail address or phone number and a password', async () => {
    const member = await givenMember(shop.db);
    const { loginName, email, phone, password } = member;
    for (const credentials of [
      { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password },
      { method: 'EMAIL_PASSWORD_AUTH', email: email.toUpperCase(), password },
      { method: 'MOBILE_PASSWORD_AUTH', phone, password },
    ]) {
      const reply = await callSealed(loginPath, credentials);
      expect(reply).toMatchObject(signedInAs(member));
      expect(reply.cookie).toMatch(/^sid=/);
    }
  });

  test('[S3.11] [S3.12] [S7.07] a texted one-time code signs its player in once', async () => {
    const member = await givenMember(shop.db);
    expect(await textCode(member.phone, 'phone_foreign')).toMatchObject({
      isSuccess: true,
      data: { nextInSeconds: 60 },
    });
    const credentials = {
      method: 'MOBILE_AUTH',
      phone: member.phone,
      code: outbox.codeFor(member.phone),
    };
    expect(await callSealed(loginPath, credentials)).toMatchObject(signedInAs(member));
    expect(await callSealed(loginPath, credentials)).toMatchObject({ code: 'InvalidMobileCode' });
  });

  test('[S3.12] a mainland China phone number signs in only with a one-time code of the purpose phone_internal', async () => {
    const member = await givenMember(shop.db, { phone: '+8613800138000' });
    expect(await textCode(member.phone, 'phone_foreign')).toMatchObject({ code: 'InvalidParams' });
    expect(await textCode(member.phone, 'phone_internal')).toMatchObject({ isSuccess: true });
    const code = outbox.codeFor(member.phone);
    const credentials = { method: 'MOBILE_AUTH', phone: member.phone, code };
    expect(await callSealed(loginPath, credentials)).toMatchObject(signedInAs(member));
  });

  test('[S3.12] a one-time code sent for a password reset cannot be used to sign in', async () => {
    const { phone } = await givenMember(shop.db);
    expect(await textCode(phone, 'password_forget_phone')).toMatchObject({ isSuccess: true });
    const credentials = { method: 'MOBILE_AUTH', phone, code: outbox.codeFor(phone) };
    const reply = await callSealed(loginPath, credentials);
    expect(reply).toMatchObject({ code: 'InvalidMobileCode', cookie: undefined });
  });

  test.each([
    ['LoginNameAccountNotFound', { method: 'LOGIN_NAME_PASSWD_AUTH', loginName: 'nobody' }],
    ['EmailAccountNotFound', { method: 'EMAIL_PASSWORD_AUTH', email: 'nobody@example.com' }],
    ['MobileAccountNotFound', { method: 'MOBILE_PASSWORD_AUTH', phone: '+12025550198' }],
  ])('a sign-in to an unknown account is refused with %s', async (code, credentials) => {
    const reply = await callSealed(loginPath, { ...credentials, password: 'Dawn-58' });
    expect(reply).toMatchObject({ code, msg: 'Account does not exist', cookie: undefined });
  });

  test('a sign-in after three failed ones from its network is refused without a human proof and does not use up its encrypted request', async () => {
    const caller = newCaller();
    const guess = async (proof: string | null) => {
      const loginName = 'nobody-with-a-proof';
      const credentials = { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password: 'x' };
      const data = await seal(here, loginPath, credentials);
      return (await call(loginPath, { data, proof }, caller)).code;
    };
    for (let time = 0; time < 3; time += 1) {
      expect(await guess(null)).toBe('LoginNameAccountNotFound');
    }
    const kept = () =>
      shop.db.many(z.object({ jti: z.string() }), sql`select jti from used_envelopes`);
    const before = await kept();
    expect(await guess(null)).toBe('HumanProofNeeded');
    const { data } = await send(here, humanChallenge.path, { method: 'GET', headers: caller });
    const proof = await solve(humanChallenge.reply.parse(data));
    expect(await kept()).toHaveLength(before.length);
    expect(await guess(proof)).toBe('LoginNameAccountNotFound');
    expect(await kept()).toHaveLength(before.length + 1);
    expect(await guess(proof)).toBe('HumanProofNeeded');
    expect(await kept()).toHaveLength(before.length + 1);
  });

  test('a sign-in from a browser that the account has used before needs no human proof despite failed sign-ins of others', async () => {
    const { loginName, password, accountId } = await givenMember(shop.db);
    const credentials = { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password };
    const body = async () => ({ data: await seal(here, loginPath, credentials) });
    const first = await callRaw(here.url + loginPath, {
      method: 'POST',
      headers: { 'content-type': 'application/json', version: 'test', ...newCaller() },
      body: JSON.stringify(await body()),
    });
    const device = first.headers['set-cookie']?.[1]?.split(';', 1)[0];
    expect(device).toMatch(/^device=/);
    for (let time = 0; time < 3; time += 1) {
      await callSealed(loginPath, { ...credentials, password: 'Guess-1' });
    }
    const headers = newCaller();
    expect(await send(here, loginPath, { body: await body(), headers })).toMatchObject({
      code: 'HumanProofNeeded',
    });
    const known = await send(here, loginPath, { body: await body(), headers, cookie: device });
    expect(known.data).toMatchObject({ accountId });
  });

  test('a sign-in by a method that the site does not offer is refused', async () => {
    await shop.db.transaction((tx) =>
      tx.run(sql`update sites set login_methods = array['LOGIN_NAME_PASSWD_AUTH']`),
    );
    const { email, phone, password } = await givenMember(shop.db);
    const byMail = { method: 'EMAIL_PASSWORD_AUTH', email, password };
    const byPhone = { method: 'MOBILE_PASSWORD_AUTH', phone, password };
    // Sites are cached for two seconds.
    await expect
      .poll(() => callSealed(loginPath, byMail))
      .toMatchObject({ code: 'canNoEmailLogin' });
    expect(await callSealed(loginPath, byPhone)).toMatchObject({ code: 'LoginMethodNotOffered' });
  });
});

describe('password reset with a code', () => {
  test('[S3.12] [S7.06] [S7.08] a mailed one-time code resets the password once, and the reset ends all sessions', async () => {
    const member = await givenMember(shop.db);
    const { email, loginName, password: old } = member;
    const login = (password: string) =>
      callSealed(loginPath, { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password });
    const { cookie } = await login(old);
    expect(await mailCode(email)).toMatchObject({ isSuccess: true, data: { nextInSeconds: 60 } });
    const reset = { email, code: outbox.codeFor(email), password: 'Tide-41-hollow' };
    expect(await callSealed(resetPath, reset)).toMatchObject({ isSuccess: true, data: {} });
    expect(await send(here, '/api/user/info', { cookie })).toMatchObject({ httpStatus: 203 });
    expect(await login(old)).toMatchObject({ code: 'InvalidPassword' });
    expect(await login('Tide-41-hollow')).toMatchObject(signedInAs(member));
    expect(await callSealed(resetPath, { ...reset, password: 'Ember-3-wick' })).toMatchObject({
      code: 'InvalidEmailCode',
    });
  });

  test('[S3.12] [S7.09] a password reset by texted one-time code works once: the same encrypted request sent again is refused', async () => {
    const member = await givenMember(shop.db);
    const { phone } = member;
    await textCode(phone, 'password_forget_phone');
    const path = '/api/user/phone/psw/reset';
    const reset = { phone, code: outbox.codeFor(phone), password: 'Tide-41-hollow' };
    const wrong = { ...reset, code: reset.code === '000000' ? '000001' : '000000' };
    expect(await callSealed(path, wrong)).toMatchObject({ code: 'InvalidMobileCode' });
    const data = await seal(here, path, reset);
    expect(await call(path, { data })).toMatchObject({ isSuccess: true });
    expect(await call(path, { data })).toMatchObject({ code: 'InvalidParams' });
  });

  test.each([
    ['PasswordFormatMismatch', 'dawnreach'],
    ['PasswordKnown', 'Password123'],
  ])(
    'a password reset whose new password is refused with %s leaves its one-time code valid',
    async (code, password) => {
      const { email } = await givenMember(shop.db);
      await mailCode(email);
      const reset = { email, code: outbox.codeFor(email), password };
      expect(await callSealed(resetPath, reset)).toMatchObject({ code });
      const better = { ...reset, password: 'Tide-41-hollow' };
      expect(await callSealed(resetPath, better)).toMatchObject({ isSuccess: true });
    },
  );

  test('a password reset is refused even with the right code after five wrong codes', async () => {
    const { email } = await givenMember(shop.db);
    await mailCode(email);
    const right = outbox.codeFor(email);
    const guess = (code: string) =>
      callSealed(resetPath, { email, code, password: 'Tide-41-hollow' });
    const wrong = right === '000000' ? '000001' : '000000';
    await Promise.all(Array.from({ length: 5 }, () => guess(wrong)));
    expect(await guess(right)).toMatchObject({ code: 'InvalidEmailCode' });
  });
});

test('a one-time code for a password reset works only in the browser that requested it', async () => {
  const { email } = await givenMember(shop.db);
  const sent = await send(here, emailPath, {
    body: { email, purpose: 'password_forget_email', proof: null },
    headers: newCaller(),
  });
  await checks.codes.settle();
  const { cookie } = sent;
  expect(cookie).toMatch(/^away=[\w-]{43}$/);
  const reset = async (own: string | undefined) => {
    const code = outbox.codeFor(email);
    const data = await seal(here, resetPath, { email, code, password: 'Tide-41-hollow' });
    return await send(here, resetPath, { body: { data }, headers: newCaller(), cookie: own });
  };
  for (const other of [undefined, testBrowserCookie]) {
    expect(await reset(other)).toMatchObject({ code: 'InvalidEmailCode' });
  }
  expect(await reset(cookie)).toMatchObject({ isSuccess: true });
});

test('a network is throttled after ten password resets with a wrong code', async () => {
  const caller = newCaller();
  const guess = async () => {
    const { email } = await givenMember(shop.db);
    const payload = { email, code: '000000', password: 'Tide-41-hollow' };
    return (await callSealed(resetPath, payload, caller)).code;
  };
  for (let time = 0; time < 10; time += 1) expect(await guess()).toBe('InvalidEmailCode');
  expect(await guess()).toBe('SignInThrottled');
});

describe('code requests', () => {
  test("a network's second request for a one-time code needs a human proof, a solved challenge of the shop", async () => {
    const caller = newCaller();
    const ask = (email: string, proof: string | null) =>
      call(emailPath, { email, purpose: 'password_forget_email', proof }, caller);
    expect(await ask('one@example.com', null)).toMatchObject({ isSuccess: true });
    expect(await ask('two@example.com', null)).toMatchObject({ code: 'HumanProofNeeded' });
    const challenge = await send(here, '/api/user/challenge', { method: 'GET' });
    const proof = await solve(challenge.data as Parameters<typeof solve>[0]); // as: solving checks it
    expect(await ask('two@example.com', proof)).toMatchObject({ isSuccess: true });
    expect(await ask('three@example.com', proof)).toMatchObject({ code: 'HumanProofNeeded' });
    expect(await ask('two@example.com', null)).toMatchObject({ code: 'AuthCodeSendTooFrequently' });
  });

  test('a request for a one-time code for a number that cannot receive texts is refused', async () => {
    for (const phone of ['+82212345678', '+819012345678', '+12025550', '+447700900123']) {
      expect(await textCode(phone, 'phone_foreign')).toMatchObject({ code: 'InvalidParams' });
    }
  });

  test('a request for a one-time code is refused when it is malformed, replayed or cross-site', async () => {
    const body = { email: 'aveline@example.com', purpose: 'password_forget_email', proof: null };
    for (const broken of [
      { ...body, email: 'aveline' },
      { ...body, purpose: 'phone_foreign' },
      { ...body, proof: undefined },
      { ...body, proof: 'not base64!' },
      { ...body, extra: 1 },
    ]) {
      expect(await call(emailPath, broken)).toMatchObject({ httpStatus: 400 });
    }
    const foreign = { ...newCaller(), 'sec-fetch-site': 'cross-site' };
    expect(await call(emailPath, body, foreign)).toMatchObject({ code: 'ForeignOrigin' });
    const asked = { phone: '+12025550197', purpose: 'phone_foreign', proof: null };
    const data = await seal(here, phonePath, asked);
    expect(await call(phonePath, { data })).toMatchObject({ isSuccess: true });
    expect(await call(phonePath, { data })).toMatchObject({ code: 'InvalidParams' });
    const incomplete = { phone: '+12025550196' };
    expect(await callSealed(phonePath, incomplete)).toMatchObject({ code: 'InvalidParams' });
  });
});

test('a client network is throttled after it has requested 120 challenges for human proofs', async () => {
  const headers = newCaller();
  const ask = () => send(here, '/api/user/challenge', { method: 'GET', headers });
  const replies = await Promise.all(Array.from({ length: 125 }, ask));
  expect(replies.filter(({ isSuccess }) => isSuccess)).toHaveLength(120);
  expect(replies.find(({ isSuccess }) => !isSuccess)).toMatchObject({
    code: 'AuthCodeSendTooFrequently',
  });
});

test('an expired counter of the sign-in and code limits is deleted from the database', async () => {
  await shop.db.transaction((tx) =>
    tx.run(sql`insert into limit_counters values ('over', 1, now() - interval '1 second')`),
  );
  await checks.forgetOld();
  const counts = await shop.db.many(
    z.object({}),
    sql`select key from limit_counters where key = 'over'`,
  );
  expect(counts).toEqual([]);
});
