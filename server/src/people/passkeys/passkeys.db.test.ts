import { userInfo } from '@pointgate/contract/accounts.ts';
import {
  type Assertion,
  finishPasskey,
  startPasskey,
  startPasskeyLogin,
} from '@pointgate/contract/passkeys.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Authenticator, type Lies, openAuthenticator } from '../../../test/authenticator.ts';
import {
  addPasskey,
  beginSignIn,
  beginStepUp,
  endSignIn,
  endStepUp,
  passkeysOf,
  signInWithPasskey,
} from '../../../test/passkeys.ts';
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
import { failuresPerNetworkMax, forgetOldChallenges } from './passkeys.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
});
beforeEach(() =>
  shop.db.transaction((tx) => tx.run(sql`delete from limit_counters where key like 'passkey:%'`)),
);
afterAll(() => shop.closeAll());

const newDevice = (more: { isCounting?: boolean } = {}) =>
  openAuthenticator({ origin: shop.url, ...more });

interface Holder extends TestPlayer {
  cookie: string;
  device: Authenticator;
}

/** A player with a passkey, signed in with the password. */
async function givenHolder(more: { isCounting?: boolean } = {}): Promise<Holder> {
  const player = await givenPlayer(shop);
  const cookie = await signIn(shop, player);
  const device = newDevice(more);
  expect(await addPasskey(shop, { cookie, device })).toMatchObject({ isSuccess: true });
  return { ...player, cookie, device };
}

const refused = { isSuccess: false, code: 'PasskeyRefused', data: null, cookie: undefined };

/** A new session of the account would have ended this session. */
async function expectStillSignedIn({ cookie, accountId }: Holder): Promise<void> {
  const { data } = await send(shop, userInfo.path, { cookie });
  expect(data).toMatchObject({ login: true, accountId });
}

const ageChallenges = (minutes: number) =>
  shop.db.transaction((tx) =>
    tx.run(sql`
      update passkey_challenges
      set expires_at = expires_at - make_interval(mins => ${minutes})`),
  );

describe('passkeys', () => {
  test('a passkey can be added, listed and used to sign in on another device', async () => {
    const player = await givenPlayer(shop);
    const cookie = await signIn(shop, player);
    const device = newDevice();
    const added = await addPasskey(shop, { cookie, device, name: '  My phone ' });
    expect(added.data).toMatchObject({ name: 'My phone', lastUsedAt: null });
    expect(await passkeysOf(shop, cookie)).toEqual([added.data]);

    const reply = await signInWithPasskey(shop, { device });
    expect(reply).toMatchObject({ isSuccess: true, data: { accountId: player.accountId } });
    expect(reply.data).toMatchObject({ login: true, gameAccountId: player.gameAccountId });
    const [used] = await passkeysOf(shop, reply.cookie ?? '');
    expect(used?.lastUsedAt).not.toBeNull();
    // Like every sign-in, it has ended the older session.
    expect(await send(shop, userInfo.path, { cookie })).toMatchObject({ httpStatus: 203 });
  });

  test('a passkey without a signature counter signs in repeatedly', async () => {
    const { device, accountId } = await givenHolder({ isCounting: false });
    for (const _time of [1, 2]) {
      const reply = await signInWithPasskey(shop, { device });
      expect(reply.data).toMatchObject({ accountId });
    }
  });

  test('a passkey registration requires a resident key and user verification, for the host name of the site', async () => {
    const { cookie, accountId, loginName } = await givenHolder();
    await shop.db.transaction((tx) =>
      tx.run(sql`update sessions set stepped_up_at = now() where account_id = ${accountId}`),
    );
    const { data } = await send(shop, startPasskey.path, { cookie });
    const { options } = startPasskey.reply.parse(data);
    expect(options).toMatchObject({
      rp: { id: 'localhost' },
      user: { name: loginName },
      attestation: 'none',
      excludeCredentials: [{ type: 'public-key', transports: ['internal'] }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    });
    expect(Buffer.from(options.user.id, 'base64url').toString('hex')).toBe(
      accountId.replaceAll('-', ''),
    );
  });

  test('a passkey with self attestation is accepted', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const lies = { attestation: 'self' } as const;
    const reply = await addPasskey(shop, { cookie, device: newDevice(), lies });
    expect(reply.isSuccess).toBe(true);
  });

  test('a passkey with an empty, overlong or unprintable name is refused', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    for (const name of ['', '   ', 'a'.repeat(61), 'a\u202eb', 'a\nb']) {
      const reply = await addPasskey(shop, { cookie, device: newDevice(), name });
      expect(reply).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
    }
  });
});

test('the options for a passkey sign-in reveal nothing about accounts: two answers differ only in the random challenge', async () => {
  await givenHolder();
  const replies = await Promise.all([1, 2].map(() => send(shop, startPasskeyLogin.path)));
  const [first, second] = replies.map(({ data }) => startPasskeyLogin.reply.parse(data).options);
  expect(first).toMatchObject({ allowCredentials: [], userVerification: 'required' });
  expect(first?.challenge).toMatch(/^[\w-]{43}$/);
  expect(second?.challenge).not.toBe(first?.challenge);
  expect({ ...second, challenge: '' }).toEqual({ ...first, challenge: '' });
});

const madeUp = 'a'.repeat(43);

/** Manipulated values, as an attacker, a phishing page or a broken device could send them. */
const lies: [what: string, lies: Lies][] = [
  ['from another origin', { origin: 'https://localhost.evil.example' }],
  ['from another port of this host', { origin: 'http://localhost:1' }],
  ['for another relying party', { rpId: 'evil.example' }],
  ['from inside a cross-origin frame', { crossOrigin: true }],
  ['without user verification', { isVerified: false }],
  ['without user presence', { isPresent: false }],
  ['with a made-up challenge', { challenge: madeUp }],
];

describe('refused passkey sign-ins', () => {
  const cases: [what: string, lies: Lies][] = [
    ...lies,
    ['with a registration response', { type: 'webauthn.create' }],
    ['with an unchanged counter', { counter: 1 }],
    ['with a counter reset to zero', { counter: 0 }],
    ['with the user handle of another account', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['without a user handle', { userHandle: null }],
  ];
  test.each(cases)('a passkey sign-in %s is refused', async (_what, lie) => {
    const holder = await givenHolder();
    const begun = await beginSignIn(shop, { device: holder.device, lies: lie });
    expect(await endSignIn(shop, begun)).toMatchObject(refused);
    await expectStillSignedIn(holder);
  });

  const changed = (text: string) => text.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  const tampered: [what: string, change: (response: Assertion) => Partial<Assertion>][] = [
    ['with a malformed signature', () => ({ signature: 'AAAA' })],
    [
      'with unsigned authenticator data',
      (sent) => ({ authenticatorData: `${sent.authenticatorData}AA` }),
    ],
    ['with an unknown credential', ({ id }) => ({ id: changed(id) })],
    ['with unreadable client data', () => ({ clientDataJSON: 'AAAA' })],
    [
      'with the verification flag set by hand',
      ({ authenticatorData }) => ({ authenticatorData: verifiedByHand(authenticatorData) }),
    ],
  ];
  test.each(tampered)('a tampered passkey sign-in %s is refused', async (what, change) => {
    const holder = await givenHolder();
    const isVerified = !what.includes('by hand');
    const begun = await beginSignIn(shop, { device: holder.device, lies: { isVerified } });
    const response = { ...begun.response, ...change(begun.response) };
    expect(await endSignIn(shop, { ...begun, response })).toMatchObject(refused);
    await expectStillSignedIn(holder);
  });

  function verifiedByHand(authenticatorData: string): string {
    const bytes = Buffer.from(authenticatorData, 'base64url');
    bytes[32] = bytes.readUInt8(32) | 0x04;
    return bytes.toString('base64url');
  }

  test("a passkey sign-in signed by another player's device is refused", async () => {
    const [holder, thief] = [await givenHolder(), await givenHolder()];
    const begun = await beginSignIn(shop, { device: thief.device });
    const theirs = await beginSignIn(shop, { device: holder.device });
    for (const response of [
      { ...begun.response, id: theirs.response.id },
      { ...begun.response, id: theirs.response.id, userHandle: theirs.response.userHandle },
    ]) {
      expect(await endSignIn(shop, { ...begun, response })).toMatchObject(refused);
    }
    await expectStillSignedIn(holder);
    await expectStillSignedIn(thief);
  });

  test('a passkey sign-in response is refused a second time', async () => {
    const { device } = await givenHolder({ isCounting: false });
    const begun = await beginSignIn(shop, { device });
    const first = await endSignIn(shop, begun);
    expect(first.isSuccess).toBe(true);
    expect(await endSignIn(shop, begun)).toMatchObject(refused);
    expect(await send(shop, userInfo.path, { cookie: first.cookie })).toMatchObject({
      data: { login: true },
    });
  });

  test('a passkey challenge is used up by a failed sign-in', async () => {
    const holder = await givenHolder();
    const begun = await beginSignIn(shop, { device: holder.device });
    const wrong = { ...begun.response, signature: 'AAAA' };
    expect(await endSignIn(shop, { ...begun, response: wrong })).toMatchObject(refused);
    expect(await endSignIn(shop, begun)).toMatchObject(refused);
    await expectStillSignedIn(holder);
  });

  test('a passkey sign-in more than five minutes after its challenge is refused, and the challenge is deleted', async () => {
    const holder = await givenHolder();
    const begun = await beginSignIn(shop, { device: holder.device });
    await ageChallenges(5);
    expect(await endSignIn(shop, begun)).toMatchObject(refused);
    await expectStillSignedIn(holder);
    const count = () =>
      shop.db.one(z.object({ n: z.bigint() }), sql`select count(*) as n from passkey_challenges`);
    expect((await count()).n).toBeGreaterThan(0n);
    await beginSignIn(shop, { device: holder.device });
    await forgetOldChallenges(shop.db);
    expect((await count()).n).toBe(1n);
  });

  test('a passkey sign-in in another browser is refused and does not use up its challenge', async () => {
    const holder = await givenHolder();
    const begun = await beginSignIn(shop, { device: holder.device });
    const other = await beginSignIn(shop, { device: holder.device });
    for (const browser of [undefined, other.browser, 'away=made-up']) {
      expect(await endSignIn(shop, { ...begun, browser })).toMatchObject(refused);
    }
    await expectStillSignedIn(holder);
    // The device counter has meanwhile advanced for a sign-in that was never completed.
    expect(await endSignIn(shop, begun)).toMatchObject({ isSuccess: true });
  });

  test('a passkey response for a step-up is refused for a sign-in, and vice versa', async () => {
    const holder = await givenHolder({ isCounting: false });
    const { cookie, device } = holder;
    const stepUp = await beginStepUp(shop, { cookie, device });
    const begun = await beginSignIn(shop, { device });
    expect(await endSignIn(shop, { ...begun, response: stepUp })).toMatchObject(refused);
    const both = `${cookie}; ${begun.browser}`;
    expect(await endStepUp(shop, { cookie: both, response: begun.response })).toMatchObject(
      refused,
    );
    await expectStillSignedIn(holder);
  });
});

describe('refused passkey registrations', () => {
  const cases: [what: string, lies: Lies][] = [
    ...lies,
    ['with a sign-in response', { type: 'webauthn.get' }],
    ['with a certificate attestation', { attestation: 'certificate' }],
  ];
  test.each(cases)('a new passkey %s is refused and not stored', async (_what, lie) => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const reply = await addPasskey(shop, { cookie, device: newDevice(), lies: lie });
    expect(reply).toMatchObject(refused);
    expect(await passkeysOf(shop, cookie)).toEqual([]);
  });

  const begin = async (cookie: string, device = newDevice()) => {
    const { data } = await send(shop, startPasskey.path, { cookie });
    const { options } = startPasskey.reply.parse(data);
    return { options, body: { response: device.make(options), name: 'My phone' } };
  };

  test('a passkey registration is refused after five minutes', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const { body } = await begin(cookie);
    await ageChallenges(5);
    expect(await send(shop, finishPasskey.path, { cookie, body })).toMatchObject(refused);
    expect(await passkeysOf(shop, cookie)).toEqual([]);
  });

  test('a passkey registration is refused in another session, of the same player or another player', async () => {
    const player = await givenPlayer(shop);
    const { body } = await begin(await signIn(shop, player));
    for (const other of [player, await givenPlayer(shop)]) {
      const cookie = await signIn(shop, other);
      expect(await send(shop, finishPasskey.path, { cookie, body })).toMatchObject(refused);
      expect(await passkeysOf(shop, cookie)).toEqual([]);
    }
  });

  test('a passkey registration with a foreign credential id is refused', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const { body } = await begin(cookie);
    const response = { ...body.response, id: 'AAAAAAAAAAAAAAAAAAAAAA' };
    const sent = { ...body, response };
    expect(await send(shop, finishPasskey.path, { cookie, body: sent })).toMatchObject(refused);
    expect(await passkeysOf(shop, cookie)).toEqual([]);
  });

  test('a passkey registration sent twice concurrently stores one passkey', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const { body } = await begin(cookie);
    const both = await Promise.all(
      [1, 2].map(() => send(shop, finishPasskey.path, { cookie, body })),
    );
    expect(both.map(({ code }) => code).toSorted()).toEqual(['PasskeyRefused', null]);
    expect(await passkeysOf(shop, cookie)).toHaveLength(1);
  });

  test('a passkey registration with the credential id of another player is refused', async () => {
    const device = newDevice();
    const cookie = await signIn(shop, await givenPlayer(shop));
    const first = await begin(cookie, device);
    await send(shop, finishPasskey.path, { cookie, body: first.body });
    const late = await signIn(shop, await givenPlayer(shop));
    const { options } = await begin(late);
    const response = device.make(options, { id: first.body.response.id });
    const body = { response, name: 'My phone' };
    expect(await send(shop, finishPasskey.path, { cookie: late, body })).toMatchObject(refused);
    expect(await passkeysOf(shop, late)).toEqual([]);
    expect(await passkeysOf(shop, cookie)).toHaveLength(1);
  });
});

describe('concurrent passkey sign-ins', () => {
  test('only one of two concurrent sign-ins with the same passkey response gets a session', async () => {
    const { device } = await givenHolder({ isCounting: false });
    const begun = await beginSignIn(shop, { device });
    const both = await Promise.all([1, 2].map(() => endSignIn(shop, begun)));
    expect(both.map(({ code }) => code).toSorted()).toEqual(['PasskeyRefused', null]);
    expect(both.filter(({ cookie }) => cookie !== undefined)).toHaveLength(1);
  });

  test('only one of two concurrent passkey sign-ins with the same counter value succeeds', async () => {
    const { device } = await givenHolder();
    const begun = [
      await beginSignIn(shop, { device, lies: { counter: 9 } }),
      await beginSignIn(shop, { device, lies: { counter: 9 } }),
    ];
    const both = await Promise.all(begun.map((each) => endSignIn(shop, each)));
    expect(both.map(({ code }) => code).toSorted()).toEqual(['PasskeyRefused', null]);
  });
});

test('a passkey registered on one site can be neither listed nor used on another site', async () => {
  const { device, ...player } = await givenHolder();
  const portalUrl = shop.url.replace('localhost', '127.0.0.1');
  const other = await givenOtherSite(shop, { portalUrl });
  const cookie = await signIn(other, player);
  expect(await passkeysOf(other, cookie)).toEqual([]);
  // Even if the browser claims the origin of the other site.
  const lie = { origin: portalUrl, rpId: '127.0.0.1' };
  expect(await signInWithPasskey(other, { device, lies: lie })).toMatchObject(refused);
  const own = openAuthenticator({ origin: portalUrl });
  expect((await addPasskey(other, { cookie, device: own })).isSuccess).toBe(true);
  expect((await signInWithPasskey(other, { device: own })).isSuccess).toBe(true);
  expect(await signInWithPasskey(shop, { device: own })).toMatchObject(refused);
});

test('failed passkey sign-ins of a network are throttled, successful passkey sign-ins do not count', async () => {
  const { device } = await givenHolder();
  const begun = await beginSignIn(shop, { device });
  const wrong = { ...begun, response: { ...begun.response, clientDataJSON: 'AAAA' } };
  for (let time = 1; time < failuresPerNetworkMax; time += 1) {
    expect(await endSignIn(shop, wrong)).toMatchObject(refused);
  }
  for (const _time of [1, 2, 3]) {
    expect(await signInWithPasskey(shop, { device })).toMatchObject({ isSuccess: true });
  }
  const flood = await Promise.all([1, 2, 3, 4].map(() => endSignIn(shop, wrong)));
  expect(flood.map(({ code }) => code).toSorted()).toEqual([
    'PasskeyRefused',
    ...Array(3).fill('SignInThrottled'),
  ]);
  expect(await signInWithPasskey(shop, { device })).toMatchObject({
    code: 'SignInThrottled',
    cookie: undefined,
  });
});
