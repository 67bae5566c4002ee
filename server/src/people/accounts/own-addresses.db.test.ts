import { secureAccount } from '@pointgate/contract/notices.ts';
import {
  changeAddress,
  ownSecurity,
  removeAddress,
  sendAddressCode,
} from '@pointgate/contract/own-account.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openAuthenticator } from '../../../test/authenticator.ts';
import { givenMember, type TestMember } from '../../../test/codes.ts';
import { testIdentityKeyOf } from '../../../test/identities.ts';
import { whileItWaits } from '../../../test/meanwhile.ts';
import {
  forgetLimits,
  givenSignedIn,
  type OwnerWorld,
  openOwnerWorld,
} from '../../../test/owner-world.ts';
import { addPasskey, signInWithPasskey, stepUpWithPasskey } from '../../../test/passkeys.ts';
import { eventually, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { forgetOldNotices, noticeDays } from '../notices/notices.ts';
import { accountOfKey, addIdentity, deleteAccessOf } from './accounts.ts';
import { leaveAddresses } from './addresses.queries.ts';

let world: OwnerWorld;
let shop: TestShop;
beforeAll(async () => {
  world = await openOwnerWorld();
  shop = world.shop;
});
afterAll(() => world.stop());

const newMail = () => `new-${crypto.randomUUID()}@example.com`;
const at = (member: TestMember, email: string): TestMember => ({ ...member, email });
const ownerOf = (email: string) =>
  accountOfKey(shop.db, testIdentityKeyOf({ accountType: 'EMAIL', subject: email }));
const tokenIn = (text: string) => /\/login\/secure#(\S+)/.exec(text)?.[1] ?? '';
const secureWith = (token: string) => send(shop, secureAccount.path, { body: { token } });

/** The code that a session asks for and that is mailed to an address. */
async function codeFor(cookie: string, email: string): Promise<string> {
  const read = async () =>
    (await world.mailsTo({ email })).flatMap(({ text }) => /^\d{6}$/m.exec(text) ?? []);
  const before = (await read()).length;
  expect(await ask(cookie, email)).toMatchObject({ isSuccess: true });
  return await eventually(async () => {
    const codes = await read();
    return codes.length > before && codes[0];
  });
}

async function ask(cookie: string, email: string) {
  await forgetLimits(shop);
  const { requestId: _another, ...reply } = await world.sealed(cookie, sendAddressCode.path, {
    address: { email },
  });
  return reply;
}

interface Change {
  email: string;
  code: string;
  current?: string | null;
}
const change = (cookie: string, { email, code, current = 'Dawn-58' }: Change) =>
  world.sealed(cookie, changeAddress.path, { address: { email }, code, current });
const remove = (cookie: string, accountType: 'EMAIL' | 'MOBILE', current = 'Dawn-58') =>
  world.sealed(cookie, removeAddress.path, { accountType, current });

/** An attacker who knows the password has replaced the owner's address with another address. */
async function givenTakenOver() {
  const { member, cookie } = await givenSignedIn(world);
  const email = newMail();
  const code = await codeFor(cookie, email);
  expect(await change(cookie, { email, code })).toMatchObject({ isSuccess: true });
  const token = tokenIn(await world.mailSaying(member, 'The email address of your'));
  return { member, cookie, email, token };
}

test('an account owner who changed the mail address signs in with the new address and no longer with the old one', async () => {
  const { member, email } = await givenTakenOver();
  expect(await world.trySignIn(at(member, email))).toMatchObject({ isSuccess: true });
  expect(await world.trySignIn(member)).toMatchObject({ code: 'EmailAccountNotFound' });
});

test('an account owner sees the mail address masked, and nothing of a phone number that the shop knows only as a hash', async () => {
  const { cookie, email } = await givenTakenOver();
  const { data } = await send(shop, ownSecurity.path, { cookie });
  const domain = email.slice(email.indexOf('@'));
  expect(data).toMatchObject({
    email: { masked: `n***${domain}`, canBeRemoved: true },
    // Nobody ever signed in with it, so the shop knows nothing but a hash.
    phone: { masked: null, canBeRemoved: true },
  });
});

test('the undo link mailed to the former mail address after its change restores it and removes the new address', async () => {
  const { member, email, token } = await givenTakenOver();
  expect(await secureWith(token)).toMatchObject({ isSuccess: true });
  expect(await ownerOf(email)).toBeUndefined();
  expect(await ownerOf(member.email)).toBe(member.accountId);
  await world.resetPassword(member, 'Tide-41-hollow');
  expect(await world.trySignIn({ ...member, password: 'Tide-41-hollow' })).toMatchObject({
    isSuccess: true,
  });
});

test('the link in a security notice restores a phone number that was removed from an account, although the shop stores only a hash', async () => {
  const { member, cookie } = await givenSignedIn(world);
  expect(await remove(cookie, 'MOBILE')).toMatchObject({ isSuccess: true });
  const phoneKey = testIdentityKeyOf({ accountType: 'MOBILE', subject: member.phone });
  expect(await accountOfKey(shop.db, phoneKey)).toBeUndefined();
  const token = tokenIn(await world.mailSaying(member, 'A phone number was removed'));
  expect(await secureWith(token)).toMatchObject({ isSuccess: true });
  expect(await accountOfKey(shop.db, phoneKey)).toBe(member.accountId);
});

test('the undo link of a mail address change keeps the former address if it was already changed back', async () => {
  const { member, cookie, email, token } = await givenTakenOver();
  const code = await codeFor(cookie, member.email);
  expect(await change(cookie, { email: member.email, code })).toMatchObject({ isSuccess: true });
  expect(await secureWith(token)).toMatchObject({ isSuccess: true });
  expect(await ownerOf(member.email)).toBe(member.accountId);
  expect(await ownerOf(email)).toBeUndefined();
});

test('the former mail address of an account is stored as long as its change can be undone, and then deleted', async () => {
  const { member } = await givenTakenOver();
  const left = () =>
    shop.db.one(
      z.object({ count: z.int() }),
      sql`
        select count(*)::int as count from account_addresses
        where account_id = ${member.accountId} and left_at is not null`,
    );
  await forgetOldNotices(shop.db);
  expect(await left()).toEqual({ count: 1 });
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update account_addresses set left_at = left_at - make_interval(days => ${noticeDays})
      where account_id = ${member.accountId}`),
  );
  await forgetOldNotices(shop.db);
  expect(await left()).toEqual({ count: 0 });
});

test('a one-time code for a change of the mail address works once, for that address and in the session that requested it', async () => {
  const { member, cookie } = await givenSignedIn(world);
  const other = await givenSignedIn(world);
  const email = newMail();
  const code = await codeFor(cookie, email);
  const refused = { code: 'InvalidEmailCode' };
  expect(await change(other.cookie, { email, code })).toMatchObject(refused);
  expect(await change(cookie, { email: newMail(), code })).toMatchObject(refused);
  expect(await change(cookie, { email, code })).toMatchObject({ isSuccess: true });
  expect(await change(cookie, { email: member.email, code })).toMatchObject(refused);
});

test('a one-time code for a new mail address is invalidated by five wrong guesses', async () => {
  const { member, cookie } = await givenSignedIn(world);
  const email = newMail();
  const code = await codeFor(cookie, email);
  const wrong = code === '000000' ? '000001' : '000000';
  for (let guess = 0; guess < 5; guess += 1) await change(cookie, { email, code: wrong });
  expect(await change(cookie, { email, code })).toMatchObject({ code: 'InvalidEmailCode' });
  expect(await ownerOf(member.email)).toBe(member.accountId);
});

test('a mail address change with a wrong password changes nothing and leaves its one-time code valid', async () => {
  const { member, cookie } = await givenSignedIn(world);
  const email = newMail();
  const code = await codeFor(cookie, email);
  expect(await change(cookie, { email, code, current: 'Wrong-58' })).toMatchObject({
    code: 'InvalidPassword',
  });
  expect(await ownerOf(member.email)).toBe(member.accountId);
  expect(await change(cookie, { email, code })).toMatchObject({ isSuccess: true });
});

test('a player with a passkey must step up with it before removing the phone number', async () => {
  const { cookie } = await givenSignedIn(world);
  const device = openAuthenticator({ origin: shop.url });
  await addPasskey(shop, { cookie, device });
  expect(await remove(cookie, 'MOBILE')).toMatchObject({ code: 'StepUpNeeded' });
  await stepUpWithPasskey(shop, { cookie, device });
  expect(await remove(cookie, 'MOBILE')).toMatchObject({ isSuccess: true });
});

test('a code request for a new mail address does not reveal that the address is taken; only the right code does', async () => {
  const { cookie } = await givenSignedIn(world);
  const other = await givenMember(shop.db);
  expect(await ask(cookie, other.email)).toEqual(await ask(cookie, newMail()));
  expect(await change(cookie, { email: other.email, code: '000000' })).toMatchObject({
    code: 'InvalidEmailCode',
  });
  const rival = await givenMember(shop.db);
  const code = await codeFor(cookie, rival.email);
  expect(await change(cookie, { email: rival.email, code })).toMatchObject({
    code: 'AddressTaken',
  });
  expect(await ownerOf(rival.email)).toBe(rival.accountId);
});

test('a change to a mail address that another account took after the code was sent is refused with AddressTaken', async () => {
  const { cookie, member } = await givenSignedIn(world);
  const rival = await givenMember(shop.db);
  const email = newMail();
  const code = await codeFor(cookie, email);
  const key = testIdentityKeyOf({ accountType: 'EMAIL', subject: email });
  const { accountId } = rival;
  await shop.db.transaction((tx) => addIdentity(tx, { accountId, key, passwordHash: null }));
  expect(await change(cookie, { email, code })).toMatchObject({ code: 'AddressTaken' });
  expect(await ownerOf(email)).toBe(accountId);
  expect(await ownerOf(member.email)).toBe(member.accountId);
});

test('only one of two accounts that change to the same mail address concurrently gets the address', async () => {
  const email = newMail();
  const players = [await givenSignedIn(world), await givenSignedIn(world)];
  const codes: string[] = [];
  for (const { cookie } of players) codes.push(await codeFor(cookie, email));
  const replies = await Promise.all(
    players.map(({ cookie }, index) => change(cookie, { email, code: codes[index] ?? '' })),
  );
  expect(replies.map(({ code }) => code).toSorted()).toEqual(['AddressTaken', null]);
});

test('the last mail address or phone number that can recover an account cannot be removed', async () => {
  const { member, cookie } = await givenSignedIn(world);
  expect(await remove(cookie, 'MOBILE')).toMatchObject({ isSuccess: true });
  expect(await remove(cookie, 'EMAIL')).toMatchObject({ code: 'LastWayBack' });
  expect((await send(shop, ownSecurity.path, { cookie })).data).toMatchObject({
    email: { canBeRemoved: false },
    phone: null,
  });
  expect(await ownerOf(member.email)).toBe(member.accountId);
});

test("two concurrent removals of an account's mail address and phone number: only one succeeds", async () => {
  const { cookie } = await givenSignedIn(world);
  const replies = await Promise.all([remove(cookie, 'MOBILE'), remove(cookie, 'EMAIL')]);
  expect(replies.map(({ code }) => code).toSorted()).toEqual(['LastWayBack', null]);
});

test('a password reset is refused when the mail address that got its code is removed concurrently', async () => {
  const { member } = await givenSignedIn(world);
  const { accountId } = member;
  const left = { accountId, accountType: 'EMAIL', locale: 'en-US' } as const;
  const reply = await whileItWaits(shop, accountId, {
    call: () => world.resetPassword(member, 'Tide-41-hollow'),
    change: (tx) => leaveAddresses(tx, left),
  });
  expect(reply).toMatchObject({ code: 'InvalidEmailCode' });
});

test('a change of the mail address is refused when the sessions of its account are ended at the same time', async () => {
  const { member, cookie } = await givenSignedIn(world);
  const { accountId } = member;
  const email = newMail();
  const code = await codeFor(cookie, email);
  const reply = await whileItWaits(shop, accountId, {
    call: () => change(cookie, { email, code }),
    change: (tx) => deleteAccessOf(tx, accountId),
  });
  expect(reply).toMatchObject({ code: 'InvalidToken' });
  expect(await ownerOf(email)).toBeUndefined();
});

test("the undo link of a mail address change ends the attacker's session and removes the passkey added afterwards", async () => {
  const { member, cookie, token } = await givenTakenOver();
  const device = openAuthenticator({ origin: shop.url });
  await addPasskey(shop, { cookie, device });
  expect(await secureWith(token)).toMatchObject({ data: { removed: 1 } });
  expect(await signInWithPasskey(shop, { device })).toMatchObject({ code: 'PasskeyRefused' });
  expect(await send(shop, '/api/user/info', { cookie })).toMatchObject({ code: 'InvalidToken' });
  expect(await ownerOf(member.email)).toBe(member.accountId);
});
