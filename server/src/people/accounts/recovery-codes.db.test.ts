import { secureAccount } from '@pointgate/contract/notices.ts';
import { makeRecoveryCodes, ownSecurity, removeAddress } from '@pointgate/contract/own-account.ts';
import { resetPasswordByRecoveryCode } from '@pointgate/contract/passwords.ts';
import { realNameInfo } from '@pointgate/contract/people.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openAuthenticator } from '../../../test/authenticator.ts';
import { givenMember, type TestMember } from '../../../test/codes.ts';
import { givenSignedIn, type OwnerWorld, openOwnerWorld } from '../../../test/owner-world.ts';
import { addPasskey } from '../../../test/passkeys.ts';
import { givenPerson } from '../../../test/people.ts';
import { send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';

let world: OwnerWorld;
let shop: TestShop;
beforeAll(async () => {
  world = await openOwnerWorld();
  shop = world.shop;
});
afterAll(() => world.stop());

const better = 'Tide-41-hollow';
const wrong = 'G7KD-9XMP-3TWR-CV25';
const Made = z.object({ codes: z.array(z.string()) });

const make = (cookie: string, current: string | null = 'Dawn-58') =>
  world.sealed(cookie, makeRecoveryCodes.path, { current });
const securityOf = async (cookie: string) =>
  ownSecurity.reply.parse((await send(shop, ownSecurity.path, { cookie })).data);

async function givenCodes() {
  const { member, cookie } = await givenSignedIn(world);
  const { codes } = Made.parse((await make(cookie)).data);
  return { member, cookie, codes, code: codes[0] ?? '' };
}

const reset = (typed: { account: string; code: string }) =>
  world.sealed(undefined, resetPasswordByRecoveryCode.path, { ...typed, password: better });

const storedFor = ({ accountId }: TestMember) =>
  shop.db.many(
    z.object({ row: z.string() }),
    sql`select recovery_codes::text as row from recovery_codes where account_id = ${accountId}`,
  );

test('ten recovery codes of sixteen characters are created, and the database stores none in plain text', async () => {
  const { member, codes, cookie } = await givenCodes();
  expect(new Set(codes).size).toBe(10);
  for (const code of codes) expect(code).toMatch(/^\w{4}(-\w{4}){3}$/);
  const rows = JSON.stringify(await storedFor(member));
  for (const code of codes) {
    for (const form of [code, code.replaceAll('-', '')]) {
      expect(rows).not.toContain(form);
      expect(rows).not.toContain(Buffer.from(form).toString('hex'));
    }
  }
  expect((await securityOf(cookie)).recoveryCodes).toMatchObject({ unused: 10 });
});

test('an owner is notified by mail when recovery codes are created and when a recovery code is used', async () => {
  const { member, code } = await givenCodes();
  await world.mailSaying(member, 'New recovery codes were made');
  expect(await reset({ account: member.loginName, code })).toMatchObject({ isSuccess: true });
  await world.mailSaying(member, 'was reset with a recovery code');
});

test.each(['loginName', 'email', 'phone'] as const)(
  "an account owner resets the password with a recovery code and the account's %s",
  async (by) => {
    const { member, code, cookie } = await givenCodes();
    expect(await reset({ account: member[by], code })).toMatchObject({ isSuccess: true });
    expect(await send(shop, '/api/user/info', { cookie })).toMatchObject({ code: 'InvalidToken' });
    expect(await world.trySignIn(member)).toMatchObject({ code: 'InvalidPassword' });
    const again = await world.signIn({ ...member, password: better });
    expect((await securityOf(again)).recoveryCodes).toMatchObject({ unused: 9 });
  },
);

test('a recovery code is accepted in lower case and with spaces', async () => {
  const { member, code } = await givenCodes();
  const written = code.toLowerCase().replaceAll('-', ' ');
  expect(await reset({ account: member.loginName, code: written })).toMatchObject({
    isSuccess: true,
  });
});

test('a recovery code works once, even for two concurrent requests', async () => {
  const { member, code } = await givenCodes();
  const replies = await Promise.all([1, 2].map(() => reset({ account: member.loginName, code })));
  expect(replies.map((reply) => reply.code).toSorted()).toEqual(['InvalidRecoveryCode', null]);
});

test('a recovery code is refused for another account', async () => {
  const { code } = await givenCodes();
  const other = await givenMember(shop.db);
  expect(await reset({ account: other.loginName, code })).toMatchObject({
    code: 'InvalidRecoveryCode',
  });
});

test('a recovery code for an unknown account is refused with the same answer as a wrong recovery code', async () => {
  const { member } = await givenCodes();
  const [there, not] = [
    await reset({ account: member.loginName, code: wrong }),
    await reset({ account: 'nobody-at-all', code: wrong }),
  ];
  expect({ ...there, requestId: '' }).toEqual({ ...not, requestId: '' });
});

test('new recovery codes invalidate the older recovery codes', async () => {
  const { member, cookie, code } = await givenCodes();
  await make(cookie);
  expect(await reset({ account: member.loginName, code })).toMatchObject({
    code: 'InvalidRecoveryCode',
  });
});

test('recovery codes are created only with the right password or, for a player with a passkey, a step-up', async () => {
  const { cookie } = await givenSignedIn(world);
  expect(await make(cookie, 'Wrong-58')).toMatchObject({ code: 'InvalidPassword' });
  await addPasskey(shop, { cookie, device: openAuthenticator({ origin: shop.url }) });
  expect(await make(cookie)).toMatchObject({ code: 'StepUpNeeded' });
  expect((await securityOf(cookie)).recoveryCodes).toBeNull();
});

test('guesses at recovery codes require a human proof after three failures and are throttled in the end', async () => {
  const { member, code } = await givenCodes();
  await shop.db.transaction((tx) => tx.run(sql`delete from known_networks`));
  const account = member.loginName;
  const seen: (string | null)[] = [];
  for (let guess = 0; guess < 4; guess += 1) {
    seen.push((await reset({ account, code: wrong })).code);
  }
  expect(seen).toEqual([...Array(3).fill('InvalidRecoveryCode'), 'HumanProofNeeded']);
  // Simulates the maximum number of failures of a network in an hour.
  await shop.db.transaction((tx) =>
    tx.run(sql`update limit_counters set count = 10 where key like 'sign-in:network:%'`),
  );
  expect(await reset({ account, code })).toMatchObject({ code: 'SignInThrottled' });
});

test('real-name data is withheld after a password reset with a recovery code', async () => {
  const { member, code } = await givenCodes();
  await givenPerson(shop, member.accountId);
  await reset({ account: member.loginName, code });
  const cookie = await world.signIn({ ...member, password: better });
  expect(await send(shop, realNameInfo.path, { cookie })).toMatchObject({ code: 'RealNameWaits' });
});

test('an account with a login name and recovery codes can remove its last mail address or phone number', async () => {
  const { cookie } = await givenCodes();
  for (const accountType of ['MOBILE', 'EMAIL']) {
    const payload = { accountType, current: 'Dawn-58' };
    expect(await world.sealed(cookie, removeAddress.path, payload)).toMatchObject({
      isSuccess: true,
    });
  }
});

test('the link in a security notice invalidates recovery codes created after the notice', async () => {
  const { member, code } = await givenCodes();
  const text = await world.mailSaying(member, 'New recovery codes were made');
  const token = /\/login\/secure#(\S+)/.exec(text)?.[1] ?? '';
  expect(await send(shop, secureAccount.path, { body: { token } })).toMatchObject({
    isSuccess: true,
  });
  expect(await reset({ account: member.loginName, code })).toMatchObject({
    code: 'InvalidRecoveryCode',
  });
});
