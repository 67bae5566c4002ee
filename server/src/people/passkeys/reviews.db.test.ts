import {
  type PasskeyReview,
  resetPasswordByEmail,
  reviewPasskeys,
} from '@pointgate/contract/passwords.ts';
import { realNameInfo } from '@pointgate/contract/people.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { openAuthenticator } from '../../../test/authenticator.ts';
import { givenMember, type TestMember } from '../../../test/codes.ts';
import { type OwnerWorld, openOwnerWorld } from '../../../test/owner-world.ts';
import {
  addPasskey,
  beginStepUp,
  endStepUp,
  passkeysOf,
  signInWithPasskey,
  stepUpWithPasskey,
} from '../../../test/passkeys.ts';
import { givenPerson } from '../../../test/people.ts';
import { type Reply, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { realNameWaitHours } from '../accounts/accounts.ts';

let world: OwnerWorld;
let shop: TestShop;
beforeAll(async () => {
  world = await openOwnerWorld();
  shop = world.shop;
});
afterAll(() => world.stop());

const newDevice = () => openAuthenticator({ origin: shop.url });
const newPassword = 'Tide-41-hollow';
const reviewIn = (reply: Reply): PasskeyReview =>
  resetPasswordByEmail.reply.parse(reply.data).review;
const answer = (token: string, remove: string[]) =>
  send(shop, reviewPasskeys.path, { body: { token, remove } });
const look = (cookie: string | undefined) => send(shop, realNameInfo.path, { cookie });

/** A member with a passkey that was added by an attacker who knew the password. */
async function givenPasskeyOf() {
  const member = await givenMember(shop.db);
  await givenPerson(shop, member.accountId);
  const cookie = await world.signIn(member);
  const device = newDevice();
  await addPasskey(shop, { cookie, device, name: 'Planted' });
  return { member, cookie, device };
}

async function resetAndAsk(member: TestMember) {
  const review = reviewIn(await world.resetPassword(member, newPassword));
  if (review === null) throw new Error('the password reset opened no review');
  return review;
}

const signInAnew = (member: TestMember) => world.signIn({ ...member, password: newPassword });

describe('passkey reviews after a password reset', () => {
  test("a passkey that an attacker planted is removed in the owner's review after a password reset and cannot sign in any more", async () => {
    const { member, device } = await givenPasskeyOf();
    const { token, passkeys } = await resetAndAsk(member);
    expect(passkeys).toMatchObject([{ name: 'Planted', siteTitle: expect.any(String) }]);
    const stolen = await signInWithPasskey(shop, { device });
    expect(stolen).toMatchObject({ isSuccess: true });

    const ids = passkeys.map(({ passkeyId }) => passkeyId);
    expect(await answer(token, ids)).toMatchObject({ isSuccess: true });

    expect(await send(shop, '/api/user/info', { cookie: stolen.cookie })).toMatchObject({
      code: 'InvalidToken',
    });
    expect(await signInWithPasskey(shop, { device })).toMatchObject({ code: 'PasskeyRefused' });
    const own = newDevice();
    const cookie = await signInAnew(member);
    expect(await addPasskey(shop, { cookie, device: own })).toMatchObject({ isSuccess: true });
    await world.mailSaying(member, 'A passkey was removed');
  });

  test('a passkey that an attacker adds during a review is removed together with the reviewed passkey', async () => {
    const { member, device } = await givenPasskeyOf();
    const { token, passkeys } = await resetAndAsk(member);
    const { cookie = '' } = await signInWithPasskey(shop, { device });
    const second = newDevice();
    expect(await addPasskey(shop, { cookie, device: second })).toMatchObject({ isSuccess: true });
    await answer(
      token,
      passkeys.map(({ passkeyId }) => passkeyId),
    );
    expect(await signInWithPasskey(shop, { device: second })).toMatchObject({
      code: 'PasskeyRefused',
    });
  });

  test('a passkey review that the player did not answer is repeated after the next password reset', async () => {
    const { member, device } = await givenPasskeyOf();
    const first = await resetAndAsk(member);
    const second = await resetAndAsk(member);
    expect(second.passkeys).toEqual(first.passkeys);
    expect(await answer(first.token, [])).toMatchObject({ code: 'ReviewExpired' });
    await answer(
      second.token,
      second.passkeys.map(({ passkeyId }) => passkeyId),
    );
    expect(await signInWithPasskey(shop, { device })).toMatchObject({ code: 'PasskeyRefused' });
  });

  test('a passkey that its owner kept in the review after a password reset is not reviewed again', async () => {
    const { member, device } = await givenPasskeyOf();
    const { token } = await resetAndAsk(member);
    expect(await answer(token, [])).toMatchObject({ isSuccess: true });
    expect(reviewIn(await world.resetPassword(member, newPassword))).toBeNull();
    expect(await signInWithPasskey(shop, { device })).toMatchObject({ isSuccess: true });
  });

  test("the review of passkeys after a password reset cannot remove another account's passkey and can be answered only once", async () => {
    const [{ member }, other] = [await givenPasskeyOf(), await givenPasskeyOf()];
    const { token } = await resetAndAsk(member);
    const [theirs] = await passkeysOf(shop, other.cookie);
    await answer(token, [theirs?.passkeyId ?? '']);
    expect(await passkeysOf(shop, other.cookie)).toHaveLength(1);
    expect(await answer(token, [])).toMatchObject({ code: 'ReviewExpired' });
  });

  test('the review of passkeys after a password reset expires after half an hour', async () => {
    const { member } = await givenPasskeyOf();
    const { token } = await resetAndAsk(member);
    await shop.db.transaction((tx) =>
      tx.run(sql`update passkey_reviews set expires_at = expires_at - interval '30 minutes'`),
    );
    expect(await answer(token, [])).toMatchObject({ code: 'ReviewExpired' });
  });

  test('a step-up that began before a password reset is refused after the reset', async () => {
    const { member, cookie, device } = await givenPasskeyOf();
    const response = await beginStepUp(shop, { cookie, device });
    await world.resetPassword(member, newPassword);
    expect(await endStepUp(shop, { cookie, response })).toMatchObject({ code: 'InvalidToken' });
    const { count } = await shop.db.one(
      z.object({ count: z.int() }),
      sql`select count(*)::int as count from passkey_challenges where purpose = 'step_up'`,
    );
    expect(count).toBe(0);
  });
});

describe('real-name data after a password reset', () => {
  test('real-name data is withheld after a password reset for three days without a passkey older than the reset', async () => {
    const member = await givenMember(shop.db);
    await givenPerson(shop, member.accountId);
    await world.resetPassword(member, newPassword);
    const cookie = await signInAnew(member);
    expect(await look(cookie)).toMatchObject({
      code: 'RealNameWaits',
      data: { until: expect.any(String) },
    });
    // A passkey added after the reset does not help either.
    const device = newDevice();
    await addPasskey(shop, { cookie, device });
    await stepUpWithPasskey(shop, { cookie, device });
    expect(await look(cookie)).toMatchObject({ code: 'RealNameWaits' });

    await shop.db.transaction((tx) =>
      tx.run(sql`
        update accounts set waits_until = waits_until - make_interval(hours => ${realNameWaitHours})
        where id = ${member.accountId}`),
    );
    expect(await look(cookie)).toMatchObject({ isSuccess: true });
  });

  test('real-name data stays withheld from an attacker who adds a passkey and resets the password again', async () => {
    const member = await givenMember(shop.db);
    await givenPerson(shop, member.accountId);
    await world.resetPassword(member, newPassword);
    const device = newDevice();
    await addPasskey(shop, { cookie: await signInAnew(member), device });
    const { token } = await resetAndAsk(member);
    await answer(token, []);
    const cookie = await signInAnew(member);
    await stepUpWithPasskey(shop, { cookie, device });
    expect(await look(cookie)).toMatchObject({ code: 'RealNameWaits' });
  });

  test('real-name data is withheld after a password reset that an earlier release recorded in the column reset_at', async () => {
    const member = await givenMember(shop.db);
    await givenPerson(shop, member.accountId);
    await shop.db.transaction((tx) =>
      tx.run(sql`update accounts set reset_at = now() where id = ${member.accountId}`),
    );
    expect(await look(await world.signIn(member))).toMatchObject({ code: 'RealNameWaits' });
  });

  test("real-name data stays withheld from an attacker who removes the owner's passkeys in the review", async () => {
    const { member } = await givenPasskeyOf();
    const { token, passkeys } = await resetAndAsk(member);
    await answer(
      token,
      passkeys.map(({ passkeyId }) => passkeyId),
    );
    expect(await look(await signInAnew(member))).toMatchObject({ code: 'RealNameWaits' });
  });

  test('after a password reset, real-name data is shown after a step-up with an older passkey, not with a newer one', async () => {
    const { member, device } = await givenPasskeyOf();
    const { token } = await resetAndAsk(member);
    await answer(token, []);
    const cookie = await signInAnew(member);
    expect(await look(cookie)).toMatchObject({ code: 'StepUpNeeded' });
    await stepUpWithPasskey(shop, { cookie, device });
    expect(await look(cookie)).toMatchObject({ isSuccess: true });
    const newer = newDevice();
    await addPasskey(shop, { cookie, device: newer });
    const { cookie: other } = await signInWithPasskey(shop, { device: newer });
    expect(await look(other)).toMatchObject({ code: 'StepUpNeeded' });
  });
});
