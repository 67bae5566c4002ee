import { userInfo } from '@pointgate/contract/accounts.ts';
import { arrivalHeader } from '@pointgate/contract/arrivals.ts';
import {
  finishPasskey,
  passkeysMax,
  removePasskey,
  startPasskey,
  startStepUp,
  stepUpMinutes,
} from '@pointgate/contract/passkeys.ts';
import { realNameInfo } from '@pointgate/contract/people.ts';
import { sdkTicket } from '@pointgate/contract/tickets.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { type Authenticator, openAuthenticator } from '../../../test/authenticator.ts';
import {
  addPasskey,
  beginStepUp,
  endStepUp,
  passkeysOf,
  signInWithPasskey,
  stepUpWithPasskey,
} from '../../../test/passkeys.ts';
import { givenPerson, personEnvironment } from '../../../test/people.ts';
import { givenPlayer, openTestShop, send, signIn, type TestShop } from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';
import { updateUsed } from './passkeys.queries.ts';
import { forgetPasskeys } from './passkeys.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...personEnvironment() });
});
afterAll(() => shop.closeAll());

const newDevice = () => openAuthenticator({ origin: shop.url });

/** A player with a passkey and real-name data, signed in with the password. */
async function givenHolder() {
  const player = await givenPlayer(shop);
  await givenPerson(shop, player.accountId);
  const cookie = await signIn(shop, player);
  const device = newDevice();
  const { data } = await addPasskey(shop, { cookie, device });
  const { passkeyId } = finishPasskey.reply.parse(data);
  return { ...player, cookie, device, passkeyId };
}

async function ageSessions(accountId: string, minutes: number): Promise<void> {
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update sessions
      set proven_at = proven_at - make_interval(mins => ${minutes}),
          stepped_up_at = stepped_up_at - make_interval(mins => ${minutes})
      where account_id = ${accountId}`),
  );
}

const look = (cookie: string | undefined) => send(shop, realNameInfo.path, { cookie });
const stepUp = (cookie: string, device: Authenticator) =>
  stepUpWithPasskey(shop, { cookie, device });
const stepUpNeeded = { isSuccess: false, code: 'StepUpNeeded', data: null };
const refused = { isSuccess: false, code: 'PasskeyRefused', data: null };
const shown = { isSuccess: true, data: { fullName: '张*丰' } };

describe('real-name data behind a step-up', () => {
  test('real-name data is shown without a step-up to a player without a passkey, however old the session', async () => {
    const player = await givenPlayer(shop);
    await givenPerson(shop, player.accountId);
    const cookie = await signIn(shop, player);
    await ageSessions(player.accountId, 60);
    expect(await look(cookie)).toMatchObject(shown);
  });

  test('real-name data is shown to a player with a passkey for ten minutes after a step-up', async () => {
    const { accountId, cookie, device } = await givenHolder();
    expect(await look(cookie)).toMatchObject(stepUpNeeded);
    expect(await stepUp(cookie, device)).toMatchObject({ isSuccess: true, data: {} });
    expect(await look(cookie)).toMatchObject(shown);
    await ageSessions(accountId, stepUpMinutes - 1);
    expect(await look(cookie)).toMatchObject(shown);
    await ageSessions(accountId, 1);
    expect(await look(cookie)).toMatchObject(stepUpNeeded);
  });

  test('a read of real-name data that is refused for lack of a step-up is not recorded as a read in the audit log', async () => {
    const { accountId, cookie } = await givenHolder();
    await look(cookie);
    const reads = await shop.db.many(
      z.object({ action: z.string() }),
      sql`select action from person_audits where account_id = ${accountId} and action = 'read'`,
    );
    expect(reads).toEqual([]);
  });

  test('real-name data is shown for the first ten minutes of a session that began with a passkey', async () => {
    const { accountId, device } = await givenHolder();
    const { cookie } = await signInWithPasskey(shop, { device });
    expect(await look(cookie)).toMatchObject(shown);
    await ageSessions(accountId, stepUpMinutes);
    expect(await look(cookie)).toMatchObject(stepUpNeeded);
  });

  test("a passkey step-up of a player is valid only in its session, not in the player's next one", async () => {
    const { cookie, device, ...player } = await givenHolder();
    await stepUp(cookie, device);
    expect(await look(await signIn(shop, player))).toMatchObject(stepUpNeeded);
    await signInWithPasskey(shop, { device });
    expect(await look(await signIn(shop, player))).toMatchObject(stepUpNeeded);
  });

  test('real-name data is shown on a site where the player has no passkey, and a step-up counts per site', async () => {
    const { cookie, device, ...player } = await givenHolder();
    const portalUrl = shop.url.replace('localhost', '127.0.0.1');
    const other = await givenOtherSite(shop, { portalUrl });
    const there = await signIn(other, player);
    expect(await send(other, realNameInfo.path, { cookie: there })).toMatchObject(shown);
    // A step-up on the other site does not count on this site.
    const own = openAuthenticator({ origin: portalUrl });
    await addPasskey(other, { cookie: there, device: own });
    await stepUpWithPasskey(other, { cookie: there, device: own });
    expect(await look(cookie)).toMatchObject(stepUpNeeded);
    expect(await stepUp(cookie, device)).toMatchObject({ isSuccess: true });
  });

  test('real-name data requires a passkey step-up even while Redis is down', async () => {
    const own = await openTestShop({ ...personEnvironment(), REDIS_URL: 'redis://127.0.0.1:1' });
    try {
      const cookie = await signIn(own, await givenPlayer(own));
      const device = openAuthenticator({ origin: own.url });
      await addPasskey(own, { cookie, device });
      expect(await send(own, realNameInfo.path, { cookie })).toMatchObject(stepUpNeeded);
      await stepUpWithPasskey(own, { cookie, device });
      expect(await send(own, realNameInfo.path, { cookie })).toMatchObject({ isSuccess: true });
    } finally {
      await own.closeAll();
    }
  });
});

describe('refused step-ups', () => {
  test("a step-up with another player's passkey is refused", async () => {
    const { cookie, device } = await givenHolder();
    const other = await givenHolder();
    const { data } = await send(shop, startStepUp.path, { cookie });
    const { options } = startStepUp.reply.parse(data);
    expect(() => other.device.show(options)).toThrow('no such passkey');
    for (const userHandle of [undefined, null]) {
      const fresh = startStepUp.reply.parse((await send(shop, startStepUp.path, { cookie })).data);
      const any = { ...fresh.options, allowCredentials: [] };
      const response = other.device.show(any, userHandle === null ? { userHandle } : {});
      expect(await endStepUp(shop, { cookie, response })).toMatchObject(refused);
    }
    expect(await look(cookie)).toMatchObject(stepUpNeeded);
    expect(await stepUp(cookie, device)).toMatchObject({ isSuccess: true });
  });

  test('a step-up of a player without a passkey is refused', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    expect(await send(shop, startStepUp.path, { cookie })).toMatchObject(refused);
  });

  test('a step-up without user verification or with a wrong signature is refused', async () => {
    const { cookie, device } = await givenHolder();
    const lies = { isVerified: false };
    expect(await stepUpWithPasskey(shop, { cookie, device, lies })).toMatchObject(refused);
    const response = { ...(await beginStepUp(shop, { cookie, device })), signature: 'AAAA' };
    expect(await endStepUp(shop, { cookie, response })).toMatchObject(refused);
    expect(await look(cookie)).toMatchObject(stepUpNeeded);
  });

  test('the answer to a passkey step-up is refused a second time and in another session', async () => {
    const { device, ...holder } = await givenHolder();
    const response = await beginStepUp(shop, { cookie: holder.cookie, device });
    const cookie = await signIn(shop, holder);
    expect(await endStepUp(shop, { cookie, response })).toMatchObject(refused);
    expect(await look(cookie)).toMatchObject(stepUpNeeded);

    const again = await beginStepUp(shop, { cookie, device });
    expect(await endStepUp(shop, { cookie, response: again })).toMatchObject({ isSuccess: true });
    await ageSessions(holder.accountId, stepUpMinutes);
    expect(await endStepUp(shop, { cookie, response: again })).toMatchObject(refused);
    expect(await look(cookie)).toMatchObject(stepUpNeeded);
  });

  test('a passkey step-up with a signature counter not above the stored counter is refused', async () => {
    const { cookie, device, passkeyId } = await givenHolder();
    await shop.db.transaction((tx) =>
      tx.run(sql`update passkeys set counter = 9 where id = ${passkeyId}`),
    );
    // The update statement itself compares the counter, for requests that read an older counter.
    for (const [counter, isNoted] of [
      [9, false],
      [0, false],
      [10, true],
      [10, false],
    ] as const) {
      const use = { passkeyId, counter };
      expect(await shop.db.transaction((tx) => updateUsed(tx, use))).toBe(isNoted);
    }
    expect(await stepUp(cookie, device)).toMatchObject(refused);
  });
});

describe('stolen sessions', () => {
  test("a stolen session that is older than ten minutes cannot add the account's first passkey", async () => {
    const { accountId, ...player } = await givenPlayer(shop);
    const cookie = await signIn(shop, { accountId, ...player });
    await ageSessions(accountId, stepUpMinutes);
    expect(await send(shop, startPasskey.path, { cookie })).toMatchObject(stepUpNeeded);
  });

  test('a stolen session more than ten minutes old cannot finish a passkey registration', async () => {
    const player = await givenPlayer(shop);
    const cookie = await signIn(shop, player);
    const { data } = await send(shop, startPasskey.path, { cookie });
    const response = newDevice().make(startPasskey.reply.parse(data).options);
    await ageSessions(player.accountId, stepUpMinutes);
    const body = { response, name: 'Not mine' };
    expect(await send(shop, finishPasskey.path, { cookie, body })).toMatchObject(stepUpNeeded);
    expect(await passkeysOf(shop, cookie)).toEqual([]);
  });

  test('a stolen session does not count as a recent sign-in after it signs in with its own ticket', async () => {
    const player = await givenPlayer(shop);
    const cookie = await signIn(shop, player);
    await ageSessions(player.accountId, stepUpMinutes);
    const issued = await send(shop, sdkTicket.path, {
      cookie,
      body: { uid: player.gameAccountId },
    });
    const { ticket } = sdkTicket.reply.parse(issued.data);
    const arrived = await send(shop, userInfo.path, { headers: { [arrivalHeader]: ticket } });
    expect(arrived.data).toMatchObject({ login: true, accountId: player.accountId });
    const { cookie: renewed } = arrived;
    expect(await send(shop, startPasskey.path, { cookie: renewed })).toMatchObject(stepUpNeeded);
  });

  test('a stolen session can neither add nor remove a passkey without a step-up', async () => {
    const { cookie, passkeyId } = await givenHolder();
    const planted = await addPasskey(shop, { cookie, device: newDevice() });
    expect(planted).toMatchObject(stepUpNeeded);
    const removed = await send(shop, removePasskey.path, { cookie, body: { passkeyId } });
    expect(removed).toMatchObject(stepUpNeeded);
    expect(await passkeysOf(shop, cookie)).toMatchObject([{ passkeyId }]);
  });

  test('a stolen session cannot add a second passkey by finishing two registrations concurrently', async () => {
    const cookie = await signIn(shop, await givenPlayer(shop));
    const begin = async () => {
      const { data } = await send(shop, startPasskey.path, { cookie });
      return newDevice().make(startPasskey.reply.parse(data).options);
    };
    const responses = [await begin(), await begin()];
    const both = await Promise.all(
      responses.map((response) =>
        send(shop, finishPasskey.path, { cookie, body: { response, name: 'One of two' } }),
      ),
    );
    expect(both.map(({ code }) => code).toSorted()).toEqual(['StepUpNeeded', null]);
    expect(await passkeysOf(shop, cookie)).toHaveLength(1);
  });
});

describe('passkey management after a step-up', () => {
  test('a player who stepped up can add a second passkey, and both passkeys sign in', async () => {
    const { accountId, cookie, device } = await givenHolder();
    await stepUp(cookie, device);
    const second = newDevice();
    expect(await addPasskey(shop, { cookie, device: second, name: 'Key' })).toMatchObject({
      isSuccess: true,
    });
    expect((await passkeysOf(shop, cookie)).map(({ name }) => name)).toEqual(['My phone', 'Key']);
    for (const each of [device, second]) {
      const { data } = await signInWithPasskey(shop, { device: each });
      expect(data).toMatchObject({ accountId });
    }
  });

  test('a removed passkey no longer signs in, and a repeated removal succeeds', async () => {
    const { cookie, device, passkeyId } = await givenHolder();
    await stepUp(cookie, device);
    for (const _time of [1, 2]) {
      const reply = await send(shop, removePasskey.path, { cookie, body: { passkeyId } });
      expect(reply).toMatchObject({ isSuccess: true, data: {} });
    }
    expect(await passkeysOf(shop, cookie)).toEqual([]);
    expect(await signInWithPasskey(shop, { device })).toMatchObject(refused);
    expect(await look(cookie)).toMatchObject(shown);
  });

  test("a removal of another player's passkey has no effect and does not reveal that it exists", async () => {
    const { cookie, device } = await givenHolder();
    const other = await givenHolder();
    await stepUp(cookie, device);
    const body = { passkeyId: other.passkeyId };
    expect(await send(shop, removePasskey.path, { cookie, body })).toMatchObject({
      isSuccess: true,
      data: {},
    });
    expect(await passkeysOf(shop, other.cookie)).toHaveLength(1);
  });

  test('a player has at most ten passkeys, even with concurrent registrations', async () => {
    const { cookie, device } = await givenHolder();
    await stepUp(cookie, device);
    for (let count = 2; count < passkeysMax; count += 1) {
      await addPasskey(shop, { cookie, device: newDevice() });
    }
    const both = await Promise.all(
      [1, 2].map(() => addPasskey(shop, { cookie, device: newDevice() })),
    );
    expect(both.map(({ code }) => code).toSorted()).toEqual(['PasskeyRefused', null]);
    expect(await send(shop, startPasskey.path, { cookie })).toMatchObject(refused);
    expect(await passkeysOf(shop, cookie)).toHaveLength(passkeysMax);
  });
});

/** Sends no notice: `notices.db.test.ts` tests the notices. */
const quietly = {
  get db() {
    return shop.db;
  },
  tellOwner: async () => {},
};

test('a player who lost every device can sign in again after an operator removed the passkeys', async () => {
  const [{ accountId, cookie, device, ...player }, other] = [
    await givenHolder(),
    await givenHolder(),
  ];
  expect(
    await shop.db.transaction((tx) => forgetPasskeys(tx, quietly, { accountId, by: 'ines' })),
  ).toBe(1);
  expect(await look(cookie)).toMatchObject(shown);
  expect(await signInWithPasskey(shop, { device })).toMatchObject(refused);
  const again = await signIn(shop, { ...player, accountId });
  expect(await addPasskey(shop, { cookie: again, device: newDevice() })).toMatchObject({
    isSuccess: true,
  });
  // Other players keep their passkeys.
  expect(await look(other.cookie)).toMatchObject(stepUpNeeded);
  expect(
    await shop.db.transaction((tx) =>
      forgetPasskeys(tx, quietly, { accountId: crypto.randomUUID(), by: 'ines' }),
    ),
  ).toBe(0);
});
