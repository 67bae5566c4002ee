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

/** Any new session would have ended this one. */
async function expectStillIn({ cookie, accountId }: Holder): Promise<void> {
  const { data } = await send(shop, userInfo.path, { cookie });
  expect(data).toMatchObject({ login: true, accountId });
}

const grow = (minutes: number) =>
  shop.db.transaction((tx) =>
    tx.run(sql`
      update passkey_challenges
      set expires_at = expires_at - make_interval(mins => ${minutes})`),
  );

describe('a passkey', () => {
  test('is made, listed, and signs its player in on another device', async () => {
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
    // As every sign-in does, it has ended the older session.
    expect(await send(shop, userInfo.path, { cookie })).toMatchObject({ httpStatus: 203 });
  });

  test('of a device that does not count signs in again and again', async () => {
    const { device, accountId } = await givenHolder({ isCounting: false });
    for (const _time of [1, 2]) {
      const reply = await signInWithPasskey(shop, { device });
      expect(reply.data).toMatchObject({ accountId });
    }
  });

  test('is asked for as the player’s own, on this site, with their finger or code', async () => {
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

  test('that says nothing of its maker, or only of itself, is taken', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const lies = { attestation: 'self' } as const;
    const reply = await addPasskey(shop, { cookie, device: newDevice(), lies });
    expect(reply.isSuccess).toBe(true);
  });

  test('is refused without a name, with one that is too long, or with one that cannot be read', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    for (const name of ['', '   ', 'a'.repeat(61), 'a\u202eb', 'a\nb']) {
      const reply = await addPasskey(shop, { cookie, device: newDevice(), name });
      expect(reply).toMatchObject({ httpStatus: 400, code: 'InvalidParams' });
    }
  });
});

test('beginning to sign in tells nobody who exists: it is the same for all but for chance', async () => {
  await givenHolder();
  const replies = await Promise.all([1, 2].map(() => send(shop, startPasskeyLogin.path)));
  const [first, second] = replies.map(({ data }) => startPasskeyLogin.reply.parse(data).options);
  expect(first).toMatchObject({ allowCredentials: [], userVerification: 'required' });
  expect(first?.challenge).toMatch(/^[\w-]{43}$/);
  expect(second?.challenge).not.toBe(first?.challenge);
  expect({ ...second, challenge: '' }).toEqual({ ...first, challenge: '' });
});

const madeUp = 'a'.repeat(43);

/** What a thief, a phishing page or a broken device could send. */
const lies: [what: string, lies: Lies][] = [
  ['from a page of another address', { origin: 'https://localhost.evil.example' }],
  ['from another port of this host', { origin: 'http://localhost:1' }],
  ['for another site', { rpId: 'evil.example' }],
  ['from inside somebody else’s page', { crossOrigin: true }],
  ['without finger or code', { isVerified: false }],
  ['without anybody there', { isPresent: false }],
  ['with a challenge that nobody was given', { challenge: madeUp }],
];

describe('a sign-in is refused, and no session begins,', () => {
  const cases: [what: string, lies: Lies][] = [
    ...lies,
    ['that was made to register', { type: 'webauthn.create' }],
    ['with a counter that stands still', { counter: 1 }],
    ['with a counter that goes back to nothing', { counter: 0 }],
    ['that says it is somebody else’s', { userHandle: 'AAAAAAAAAAAAAAAAAAAAAA' }],
    ['that does not say whose it is', { userHandle: null }],
  ];
  test.each(cases)('%s', async (_what, lie) => {
    const holder = await givenHolder();
    const begun = await beginSignIn(shop, { device: holder.device, lies: lie });
    expect(await endSignIn(shop, begun)).toMatchObject(refused);
    await expectStillIn(holder);
  });

  const changed = (text: string) => text.replace(/^./, (first) => (first === 'A' ? 'B' : 'A'));
  const tampered: [what: string, change: (response: Assertion) => Partial<Assertion>][] = [
    ['with a signature that is none', () => ({ signature: 'AAAA' })],
    [
      'with data that was not signed',
      (sent) => ({ authenticatorData: `${sent.authenticatorData}AA` }),
    ],
    ['with a credential nobody has', ({ id }) => ({ id: changed(id) })],
    ['with something that cannot be read', () => ({ clientDataJSON: 'AAAA' })],
    [
      'with a flag set by hand',
      ({ authenticatorData }) => ({ authenticatorData: verifiedByHand(authenticatorData) }),
    ],
  ];
  test.each(tampered)('%s', async (what, change) => {
    const holder = await givenHolder();
    const isVerified = !what.includes('by hand');
    const begun = await beginSignIn(shop, { device: holder.device, lies: { isVerified } });
    const response = { ...begun.response, ...change(begun.response) };
    expect(await endSignIn(shop, { ...begun, response })).toMatchObject(refused);
    await expectStillIn(holder);
  });

  function verifiedByHand(authenticatorData: string): string {
    const bytes = Buffer.from(authenticatorData, 'base64url');
    bytes[32] = bytes.readUInt8(32) | 0x04;
    return bytes.toString('base64url');
  }

  test('with the signature of another player’s device', async () => {
    const [holder, thief] = [await givenHolder(), await givenHolder()];
    const begun = await beginSignIn(shop, { device: thief.device });
    const theirs = await beginSignIn(shop, { device: holder.device });
    for (const response of [
      { ...begun.response, id: theirs.response.id },
      { ...begun.response, id: theirs.response.id, userHandle: theirs.response.userHandle },
    ]) {
      expect(await endSignIn(shop, { ...begun, response })).toMatchObject(refused);
    }
    await expectStillIn(holder);
    await expectStillIn(thief);
  });

  test('a second time', async () => {
    const { device } = await givenHolder({ isCounting: false });
    const begun = await beginSignIn(shop, { device });
    const first = await endSignIn(shop, begun);
    expect(first.isSuccess).toBe(true);
    expect(await endSignIn(shop, begun)).toMatchObject(refused);
    expect(await send(shop, userInfo.path, { cookie: first.cookie })).toMatchObject({
      data: { login: true },
    });
  });

  test('with a challenge that was tried once, in vain', async () => {
    const holder = await givenHolder();
    const begun = await beginSignIn(shop, { device: holder.device });
    const wrong = { ...begun.response, signature: 'AAAA' };
    expect(await endSignIn(shop, { ...begun, response: wrong })).toMatchObject(refused);
    expect(await endSignIn(shop, begun)).toMatchObject(refused);
    await expectStillIn(holder);
  });

  test('after five minutes, and the challenge is forgotten', async () => {
    const holder = await givenHolder();
    const begun = await beginSignIn(shop, { device: holder.device });
    await grow(5);
    expect(await endSignIn(shop, begun)).toMatchObject(refused);
    await expectStillIn(holder);
    const count = () =>
      shop.db.one(z.object({ n: z.bigint() }), sql`select count(*) as n from passkey_challenges`);
    expect((await count()).n).toBeGreaterThan(0n);
    await beginSignIn(shop, { device: holder.device });
    await forgetOldChallenges(shop.db);
    expect((await count()).n).toBe(1n);
  });

  test('in another browser than it began in, which does not use it up', async () => {
    const holder = await givenHolder();
    const begun = await beginSignIn(shop, { device: holder.device });
    const other = await beginSignIn(shop, { device: holder.device });
    for (const browser of [undefined, other.browser, 'away=made-up']) {
      expect(await endSignIn(shop, { ...begun, browser })).toMatchObject(refused);
    }
    await expectStillIn(holder);
    // The device has meanwhile counted on, for a sign-in that never was.
    expect(await endSignIn(shop, begun)).toMatchObject({ isSuccess: true });
  });

  test('with what was signed for a step-up, which is refused with what was signed for a sign-in', async () => {
    const holder = await givenHolder({ isCounting: false });
    const { cookie, device } = holder;
    const stepUp = await beginStepUp(shop, { cookie, device });
    const begun = await beginSignIn(shop, { device });
    expect(await endSignIn(shop, { ...begun, response: stepUp })).toMatchObject(refused);
    const both = `${cookie}; ${begun.browser}`;
    expect(await endStepUp(shop, { cookie: both, response: begun.response })).toMatchObject(
      refused,
    );
    await expectStillIn(holder);
  });
});

describe('a new passkey is refused, and none is kept,', () => {
  const cases: [what: string, lies: Lies][] = [
    ...lies,
    ['that was made to sign in', { type: 'webauthn.get' }],
    ['that brings certificates to look up', { attestation: 'certificate' }],
  ];
  test.each(cases)('%s', async (_what, lie) => {
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

  test('after five minutes', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const { body } = await begin(cookie);
    await grow(5);
    expect(await send(shop, finishPasskey.path, { cookie, body })).toMatchObject(refused);
    expect(await passkeysOf(shop, cookie)).toEqual([]);
  });

  test('in another session than it began in, of the same player or another', async () => {
    const player = await givenPlayer(shop);
    const { body } = await begin(await signIn(shop, player));
    for (const other of [player, await givenPlayer(shop)]) {
      const cookie = await signIn(shop, other);
      expect(await send(shop, finishPasskey.path, { cookie, body })).toMatchObject(refused);
      expect(await passkeysOf(shop, cookie)).toEqual([]);
    }
  });

  test('under another id than its own', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const { body } = await begin(cookie);
    const response = { ...body.response, id: 'AAAAAAAAAAAAAAAAAAAAAA' };
    const sent = { ...body, response };
    expect(await send(shop, finishPasskey.path, { cookie, body: sent })).toMatchObject(refused);
    expect(await passkeysOf(shop, cookie)).toEqual([]);
  });

  test('twice at once, of which one is kept', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const { body } = await begin(cookie);
    const both = await Promise.all(
      [1, 2].map(() => send(shop, finishPasskey.path, { cookie, body })),
    );
    expect(both.map(({ code }) => code).toSorted()).toEqual(['PasskeyRefused', null]);
    expect(await passkeysOf(shop, cookie)).toHaveLength(1);
  });

  test('where somebody has that credential already', async () => {
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

describe('of two at once', () => {
  test('with the same signature, one gets a session', async () => {
    const { device } = await givenHolder({ isCounting: false });
    const begun = await beginSignIn(shop, { device });
    const both = await Promise.all([1, 2].map(() => endSignIn(shop, begun)));
    expect(both.map(({ code }) => code).toSorted()).toEqual(['PasskeyRefused', null]);
    expect(both.filter(({ cookie }) => cookie !== undefined)).toHaveLength(1);
  });

  test('that count the same, one is a copy and gets none', async () => {
    const { device } = await givenHolder();
    const begun = [
      await beginSignIn(shop, { device, lies: { counter: 9 } }),
      await beginSignIn(shop, { device, lies: { counter: 9 } }),
    ];
    const both = await Promise.all(begun.map((each) => endSignIn(shop, each)));
    expect(both.map(({ code }) => code).toSorted()).toEqual(['PasskeyRefused', null]);
  });
});

test('a passkey of one site does not exist on another', async () => {
  const { device, ...player } = await givenHolder();
  const portalUrl = shop.url.replace('localhost', '127.0.0.1');
  const other = await givenOtherSite(shop, { portalUrl });
  const cookie = await signIn(other, player);
  expect(await passkeysOf(other, cookie)).toEqual([]);
  // Even where a browser would let itself be talked into it.
  const lie = { origin: portalUrl, rpId: '127.0.0.1' };
  expect(await signInWithPasskey(other, { device, lies: lie })).toMatchObject(refused);
  const own = openAuthenticator({ origin: portalUrl });
  expect((await addPasskey(other, { cookie, device: own })).isSuccess).toBe(true);
  expect((await signInWithPasskey(other, { device: own })).isSuccess).toBe(true);
  expect(await signInWithPasskey(shop, { device: own })).toMatchObject(refused);
});

test('wrong answers from one network are limited, right ones are not', async () => {
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
