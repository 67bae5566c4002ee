import { generateKeyPairSync } from 'node:crypto';
import { afterAll, afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { giveUpOn } from '../../../test/hanging.ts';
import { type Browser, formOf, openBrowser, type Visit } from '../../../test/identity/browser.ts';
import {
  givenLinked,
  type IdentityWorld,
  leave,
  openIdentityWorld,
} from '../../../test/identity/world.ts';
import { send } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { reinstateAccount, suspendAccount } from '../accounts/account-states.ts';
import { type AppleClient, openApple } from './apple.ts';
import { forgetOldSignIns } from './identity.ts';
import { refusingWell } from './provider-call.ts';

const method = 'APPLE_SIGN_IN_AUTH';

let world: IdentityWorld;
let accountId: string;
beforeAll(async () => {
  world = await openIdentityWorld();
  const { apple } = world.person('mira');
  accountId = await givenLinked(world, { accountType: 'APPLE_SIGN_IN', subject: apple });
});
afterEach(() => world.outside.tell('/__sandbox/reset', {}));
afterAll(() => world.stop());

const fault = (kind: string) =>
  world.outside.tell('/__sandbox/faults', { provider: 'apple', kind });

/** Starts a sign-in and authenticates at Apple, up to the page that posts Apple's answer. */
async function authenticateAtApple(
  browser: Browser,
  { person, redirect = '/' }: { person: string; redirect?: string },
): Promise<Visit> {
  const { url } = await leave(world, browser, { method, redirect });
  const page = await browser.go(url);
  return await browser.press(page, { name: 'person', value: person });
}

/** The whole sign-in, up to the page of the shop. */
async function signInWithApple(person: string, redirect?: string) {
  const browser = openBrowser();
  const answer = await authenticateAtApple(browser, {
    person,
    ...(redirect === undefined ? {} : { redirect }),
  });
  return { browser, end: await browser.submit(answer, `${world.shop.url}/?`) };
}

const sessionOf = ({ setCookies }: Visit) => setCookies.find((cookie) => cookie.startsWith('sid='));

async function whoIsIn(browser: Browser): Promise<unknown> {
  const cookie = browser.cookie(world.shop.url);
  return (await send(world.shop, '/api/user/info', { cookie })).data;
}

describe('[S3.11] APPLE_SIGN_IN_AUTH', () => {
  test('a player authenticated by Apple is signed in and redirected to the root of the site with appleId=true', async () => {
    const { browser, end } = await signInWithApple('mira');
    expect(end.url.href).toBe(`${world.shop.url}/?appleId=true`);
    expect(end.status).toBe(303);
    expect(await whoIsIn(browser)).toMatchObject({
      login: true,
      accountId,
      accountType: 'APPLE_SIGN_IN',
    });
  });

  test('[S4.14] an Apple user without an account is redirected with appleId=false and not signed in', async () => {
    const { browser, end } = await signInWithApple('stranger');
    expect(end.url.href).toBe(`${world.shop.url}/?appleId=false`);
    expect(sessionOf(end)).toBeUndefined();
    expect(await whoIsIn(browser)).toEqual({ login: false });
  });

  test('an Apple user with a suspended account is redirected with appleId=false and not signed in', async () => {
    const key = { accountId, by: 'ines', reason: 'a card that was stolen' };
    const { db } = world.shop;
    await db.transaction((tx) => suspendAccount(tx, key));
    onTestFinished(async () => void (await db.transaction((tx) => reinstateAccount(tx, key))));
    const { browser, end } = await signInWithApple('mira');
    expect(end.url.href).toBe(`${world.shop.url}/?appleId=false`);
    expect(await whoIsIn(browser)).toEqual({ login: false });
  });

  test('an Apple sign-in restores the original query without parameters reserved by the shop', async () => {
    const redirect = '/login?redirect=%2Fmain%3Fa%3D1&appleId=false&x=y';
    const { end } = await signInWithApple('mira', redirect);
    expect(end.url.pathname).toBe('/');
    expect([...end.url.searchParams]).toEqual([
      ['appleId', 'true'],
      ['redirect', '/main?a=1'],
      ['x', 'y'],
    ]);
  });

  test.each([
    '//evil.example',
    'https://evil.example/?a=1',
    '/\\evil.example?a=1',
    '/.//evil.example',
  ])('an Apple sign-in never redirects to another site: %s', async (redirect) => {
    const { end } = await signInWithApple('mira', redirect);
    expect(end.url.href).toBe(`${world.shop.url}/?appleId=true`);
  });

  test('a player who cancels at Apple is redirected without appleId and not signed in', async () => {
    const browser = openBrowser();
    const answer = await authenticateAtApple(browser, { person: '', redirect: '/login?x=y' });
    const end = await browser.submit(answer, `${world.shop.url}/?`);
    expect(end.url.href).toBe(`${world.shop.url}/?x=y`);
    expect(await whoIsIn(browser)).toEqual({ login: false });
  });

  test('an Apple sign-in works with and without the user name that Apple sends only the first time', async () => {
    const jun = await givenLinked(world, {
      accountType: 'APPLE_SIGN_IN',
      subject: world.person('jun').apple,
    });
    for (const isFirst of [true, false]) {
      const browser = openBrowser();
      const answer = await authenticateAtApple(browser, { person: 'jun' });
      expect('user' in formOf(answer).fields).toBe(isFirst);
      await browser.submit(answer, `${world.shop.url}/?`);
      expect(await whoIsIn(browser)).toMatchObject({ accountId: jun });
    }
  });

  test.each(['bad_signature', 'wrong_nonce', 'wrong_audience', 'wrong_issuer', 'expired', 'error'])(
    "an Apple sign-in with the fault %s in Apple's answer is redirected with appleId=false",
    async (kind) => {
      await fault(kind);
      const { browser, end } = await signInWithApple('mira');
      expect(end.url.href).toBe(`${world.shop.url}/?appleId=false`);
      expect(sessionOf(end)).toBeUndefined();
      expect(await whoIsIn(browser)).toEqual({ login: false });
    },
  );

  test('an Apple sign-in is redirected with appleId=false when Apple does not answer', async () => {
    await fault('hang');
    const { result, limitsMs } = await giveUpOn(world.outside, () => signInWithApple('mira'));
    expect(result.end.url.href).toBe(`${world.shop.url}/?appleId=false`);
    expect(sessionOf(result.end)).toBeUndefined();
    expect(await whoIsIn(result.browser)).toEqual({ login: false });
    expect(limitsMs).toContain(8_000);
  });

  test('an Apple sign-in with an expired code is redirected with appleId=false', async () => {
    const browser = openBrowser();
    const answer = await authenticateAtApple(browser, { person: 'mira' });
    await world.outside.tell('/__sandbox/expire-codes', {});
    const end = await browser.submit(answer, `${world.shop.url}/?`);
    expect(end.url.searchParams.get('appleId')).toBe('false');
  });
});

describe('the form posted by Apple', () => {
  test('the answer that Apple posts through the browser sets no cookie and only redirects with a handoff token', async () => {
    const browser = openBrowser();
    const answer = await authenticateAtApple(browser, { person: 'mira' });
    const step = await browser.submit(answer, `${world.shop.url}/api/user/apple/done`);
    expect(step.setCookies).toEqual([]);
    expect(step.url.searchParams.get('handoff')).toMatch(/^[\w-]{43}$/);
  });

  test('the answer that Apple posts through the browser does not sign in a victim to whom an attacker forwards it', async () => {
    const attacker = openBrowser();
    const answer = await authenticateAtApple(attacker, { person: 'mira' });
    const victim = openBrowser();
    // The victim has a sign-in at Apple in progress too, so it has a cookie of its own.
    await leave(world, victim, { method });
    const end = await victim.submit(answer, `${world.shop.url}/?`);
    expect(end.url.href).toBe(`${world.shop.url}/?appleId=false`);
    expect(sessionOf(end)).toBeUndefined();
    expect(await whoIsIn(victim)).toEqual({ login: false });
  });

  test('the answer that Apple posts through the browser does not sign in a browser that never started a sign-in', async () => {
    const answer = await authenticateAtApple(openBrowser(), { person: 'mira' });
    const end = await openBrowser().submit(answer, `${world.shop.url}/?`);
    expect(end.url.href).toBe(`${world.shop.url}/?appleId=false`);
    expect(sessionOf(end)).toBeUndefined();
  });

  test('the answer that Apple posts through the browser is refused a second time', async () => {
    const browser = openBrowser();
    const answer = await authenticateAtApple(browser, { person: 'mira' });
    await browser.submit(answer, `${world.shop.url}/?`);
    const again = await browser.submit(answer, `${world.shop.url}/?`);
    expect(again.url.href).toBe(`${world.shop.url}/?appleId=false`);
    expect(sessionOf(again)).toBeUndefined();
  });

  test('the answer that Apple posts through the browser signs in once when it is sent twice concurrently', async () => {
    const browser = openBrowser();
    const answer = await authenticateAtApple(browser, { person: 'mira' });
    const ends = await Promise.all([1, 2].map(() => browser.submit(answer, `${world.shop.url}/?`)));
    expect(ends.map(({ url }) => url.search).toSorted()).toEqual([
      '?appleId=false',
      '?appleId=true',
    ]);
  });

  test('the handoff token that continues an Apple sign-in after its redirect works once', async () => {
    const browser = openBrowser();
    const answer = await authenticateAtApple(browser, { person: 'mira' });
    const step = await browser.submit(answer, `${world.shop.url}/api/user/apple/done`);
    const root = `${world.shop.url}/?`;
    const first = await browser.go(step.url.href, root);
    const second = await browser.go(step.url.href, root);
    expect(first.url.search).toBe('?appleId=true');
    expect(second.url.search).toBe('?appleId=false');
    expect(sessionOf(second)).toBeUndefined();
  });

  test('the handoff token that continues an Apple sign-in after its redirect expires after two minutes and is deleted', async () => {
    const browser = openBrowser();
    const answer = await authenticateAtApple(browser, { person: 'mira' });
    const step = await browser.submit(answer, `${world.shop.url}/api/user/apple/done`);
    await world.shop.db.transaction((tx) =>
      tx.run(sql`update sign_in_handoffs set expires_at = expires_at - interval '2 minutes'`),
    );
    const end = await browser.go(step.url.href, `${world.shop.url}/?`);
    expect(end.url.search).toBe('?appleId=false');
    await forgetOldSignIns(world.shop.db);
    const left = await world.shop.db.one(
      z.object({ count: z.coerce.number() }),
      sql`select count(*) from sign_in_handoffs where expires_at < now()`,
    );
    expect(left.count).toBe(0);
  });

  test.each([
    ['an empty body', ''],
    ['an unknown state', `code=x&state=${'a'.repeat(43)}`],
    ['a malformed state', 'code=x&state=%00'],
    ['no state', 'code=x'],
    ['two states', 'code=x&state=a&state=b'],
  ])(
    'the answer that Apple posts through the browser with %s is redirected with appleId=false',
    async (_what, body) => {
      const response = await post(body);
      expect(response.status).toBe(303);
      expect(response.headers.get('location')).toBe('/?appleId=false');
      expect(response.headers.getSetCookie()).toEqual([]);
    },
  );

  test('the answer posted to the Apple sign-in with the state of another sign-in method is refused and does not use up that state', async () => {
    const { state } = await leave(world, openBrowser(), { method: 'GOOGLE_PLAY_GAMES_AUTH' });
    const response = await post(`code=x&state=${state}`);
    expect(response.headers.get('location')).toBe('/?appleId=false');
    const { count } = await world.shop.db.one(
      z.object({ count: z.coerce.number() }),
      sql`select count(*) from sign_ins_elsewhere where state_hash = sha256(${state}::bytea)`,
    );
    expect(count).toBe(1);
  });

  test('POST /api/user/login/start with a form instead of JSON is answered with HTTP 415', async () => {
    const response = await fetch(`${world.shop.url}/api/user/login/start`, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'sec-fetch-site': 'same-origin',
      },
      body: 'method=FACEBOOK_AUTH&redirect=/',
    });
    expect(response.status).toBe(415);
  });
});

describe('client secrets for Apple', () => {
  const otherKey = () =>
    generateKeyPairSync('ec', {
      namedCurve: 'P-256',
      privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
      publicKeyEncoding: { type: 'spki', format: 'pem' },
    }).privateKey;
  const tradeAs = async (changes: Partial<AppleClient>) => {
    const apple = openApple({ ...world.apple, ...changes });
    const away = {
      state: 's'.repeat(43),
      nonce: 'n'.repeat(43),
      pkceVerifier: 'v'.repeat(43),
      redirectUri: `${world.shop.url}/api/user/apple/return`,
    };
    const browser = openBrowser();
    const page = await browser.go((await apple.start(away)).href);
    const answer = await browser.press(page, { name: 'person', value: 'mira' });
    const code = formOf(answer).fields.code ?? '';
    return await refusingWell(method, () => apple.finish({ ...away, code }));
  };

  test('the shop exchanges an Apple authorization code with its configured client secret', async () => {
    expect(await tradeAs({})).toEqual({ subject: world.person('mira').apple });
  });

  test.each([
    ['signed with another key', () => ({ privateKey: otherKey() })],
    ['of another key id', () => ({ keyId: 'KEY0000000' })],
    ['of another team', () => ({ teamId: 'TEAM000000' })],
  ])(
    'the Apple sandbox refuses a code exchange with a client secret %s, and the sign-in fails with AuthFail',
    async (_what, changes) => {
      await expect(tradeAs(changes())).rejects.toMatchObject({ code: 'AuthFail' });
    },
  );
});

async function post(body: string): Promise<Response> {
  return await fetch(`${world.shop.url}/api/user/apple/return`, {
    method: 'POST',
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'sec-fetch-site': 'cross-site',
      origin: 'https://appleid.apple.com',
    },
    body,
    redirect: 'manual',
  });
}
