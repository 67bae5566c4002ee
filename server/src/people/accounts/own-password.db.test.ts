import { changePassword, ownSecurity } from '@pointgate/contract/own-account.ts';
import { realNameInfo } from '@pointgate/contract/people.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import type { TestMember } from '../../../test/codes.ts';
import { whileItWaits } from '../../../test/meanwhile.ts';
import { givenSignedIn, type OwnerWorld, openOwnerWorld } from '../../../test/owner-world.ts';
import { givenPerson } from '../../../test/people.ts';
import { quickPasswordHash } from '../../../test/quick-password-hash.ts';
import { send, type TestShop } from '../../../test/shop.ts';
import { givenOtherSite } from '../../../test/sites.ts';
import { sql } from '../../platform/db.ts';
import { suspendAccount } from './account-states.ts';
import { updatePassword } from './accounts.queries.ts';
import { deleteAccessOf } from './accounts.ts';

let world: OwnerWorld;
let shop: TestShop;
beforeAll(async () => {
  world = await openOwnerWorld();
  shop = world.shop;
});
afterAll(() => world.stop());

const better = 'Tide-41-hollow';
const change = (cookie: string, payload: { current: string | null; password: string }) =>
  world.sealed(cookie, changePassword.path, payload);
const whoIs = (cookie: string | undefined, at = shop) => send(at, '/api/user/info', { cookie });

/** Removes the password, as for an account whose owner signs in with codes only. */
const removePassword = ({ accountId }: TestMember) =>
  shop.db.transaction((tx) =>
    tx.run(sql`update identities set password_hash = null where account_id = ${accountId}`),
  );
const letMinutesPass = ({ accountId }: TestMember) =>
  shop.db.transaction((tx) =>
    tx.run(sql`
      update sessions set proven_at = proven_at - interval '11 minutes'
      where account_id = ${accountId}`),
  );

test('an owner who changes the password is notified by mail, and only the new password signs in', async () => {
  const { member, cookie } = await givenSignedIn(world);
  const reply = await change(cookie, { current: member.password, password: better });
  expect(reply).toMatchObject({ isSuccess: true, code: null });
  expect(await world.trySignIn(member)).toMatchObject({ code: 'InvalidPassword' });
  expect(await world.trySignIn({ ...member, password: better })).toMatchObject({ isSuccess: true });
  await world.mailSaying(member, 'was changed');
});

test('a password change ends all other sessions and gives its own session a new cookie', async () => {
  const { member, cookie } = await givenSignedIn(world);
  const other = await givenOtherSite(shop, { portalUrl: 'http://other.example' });
  const elsewhere = await world.signIn(member, 'en-US', other);
  const reply = await change(cookie, { current: member.password, password: better });
  expect(await whoIs(reply.cookie)).toMatchObject({ data: { accountId: member.accountId } });
  expect(await whoIs(cookie)).toMatchObject({ code: 'InvalidToken' });
  expect(await whoIs(elsewhere, other)).toMatchObject({ code: 'InvalidToken' });
});

test('a password change keeps the expiry of its own session', async () => {
  const { member, cookie } = await givenSignedIn(world);
  const read = () =>
    shop.db.one(
      z.object({ expires_at: z.date(), created_at: z.date() }),
      sql`select expires_at, created_at from sessions where account_id = ${member.accountId}`,
    );
  const before = await read();
  await change(cookie, { current: member.password, password: better });
  expect(await read()).toEqual(before);
});

test('a password change with a wrong current password changes nothing', async () => {
  const { member, cookie } = await givenSignedIn(world);
  for (const current of ['Wrong-58', null]) {
    const reply = await change(cookie, { current, password: better });
    expect(reply).toMatchObject({ code: 'InvalidPassword' });
  }
  expect(await whoIs(cookie)).toMatchObject({ data: { login: true } });
  expect(await world.trySignIn(member)).toMatchObject({ isSuccess: true });
});

test('repeated guesses of the current password in an open session require a human proof', async () => {
  const { member, cookie } = await givenSignedIn(world);
  const codes: (string | null)[] = [];
  for (let guess = 0; guess < 20; guess += 1) {
    const { code } = await change(cookie, { current: `Guess-${guess}`, password: better });
    codes.push(code);
  }
  expect(codes.filter((code) => code === 'InvalidPassword').length).toBeLessThan(16);
  // From then on even the right password requires a human proof.
  expect(await change(cookie, { current: member.password, password: better })).toMatchObject({
    code: 'HumanProofNeeded',
  });
});

test.each([
  ['abcdef', 'PasswordFormatMismatch'],
  ['abc123', 'PasswordKnown'],
])(
  'a password change to the malformed or well-known password %s is refused',
  async (password, code) => {
    const { member, cookie } = await givenSignedIn(world);
    expect(await change(cookie, { current: member.password, password })).toMatchObject({ code });
    expect(await world.trySignIn(member)).toMatchObject({ isSuccess: true });
  },
);

test('an account without a password can set a password only in a session that recently proved its owner', async () => {
  const { member, cookie } = await givenSignedIn(world);
  await removePassword(member);
  await letMinutesPass(member);
  const asked = { current: null, password: better };
  expect(await change(cookie, asked)).toMatchObject({ code: 'StepUpNeeded' });
  expect((await send(shop, ownSecurity.path, { cookie })).data).toMatchObject({
    hasPassword: false,
    canHavePassword: true,
  });
  await shop.db.transaction((tx) =>
    tx.run(sql`update sessions set proven_at = now() where account_id = ${member.accountId}`),
  );
  const reply = await change(cookie, asked);
  expect(reply).toMatchObject({ isSuccess: true });
  expect((await send(shop, ownSecurity.path, { cookie: reply.cookie })).data).toMatchObject({
    hasPassword: true,
  });
});

test('real-name data stays hidden for a waiting time after a player has set a first password, but not after a password was changed', async () => {
  const { member, cookie } = await givenSignedIn(world);
  await givenPerson(shop, member.accountId);
  const changed = await change(cookie, { current: member.password, password: better });
  expect(await send(shop, realNameInfo.path, { cookie: changed.cookie })).toMatchObject({
    isSuccess: true,
  });
  await removePassword(member);
  const first = await change(changed.cookie ?? '', { current: null, password: better });
  expect(await send(shop, realNameInfo.path, { cookie: first.cookie })).toMatchObject({
    code: 'RealNameWaits',
  });
});

test('only one of two concurrent password changes succeeds', async () => {
  const { member, cookie } = await givenSignedIn(world);
  const passwords = ['Tide-41-one', 'Tide-41-two'];
  const replies = await Promise.all(
    passwords.map((password) => change(cookie, { current: member.password, password })),
  );
  expect(replies.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
  const signIns = await Promise.all(
    passwords.map((password) => world.trySignIn({ ...member, password })),
  );
  expect(signIns.map(({ isSuccess }) => isSuccess)).toEqual(
    replies.map(({ isSuccess }) => isSuccess),
  );
});

test('a sign-in with a password that is changed concurrently starts no session', async () => {
  const { member } = await givenSignedIn(world);
  const { accountId } = member;
  const passwordHash = await quickPasswordHash(better);
  const reply = await whileItWaits(shop, accountId, {
    call: () => world.trySignIn(member),
    change: (tx) => updatePassword(tx, { accountId, passwordHash }),
  });
  expect(reply).toMatchObject({ code: 'InvalidPassword' });
  expect(reply.cookie).toBeUndefined();
});

test('a password change is refused when the sessions end concurrently or the account is suspended', async () => {
  const { member, cookie } = await givenSignedIn(world);
  const { accountId, password } = member;
  const reply = await whileItWaits(shop, accountId, {
    call: () => change(cookie, { current: password, password: better }),
    change: (tx) => deleteAccessOf(tx, accountId),
  });
  expect(reply).toMatchObject({ code: 'InvalidToken' });
  expect(await world.trySignIn(member)).toMatchObject({ isSuccess: true });
  const again = await world.signIn(member);
  await shop.db.transaction((tx) =>
    suspendAccount(tx, { accountId, by: 'ines', reason: 'a stolen card' }),
  );
  expect(await change(again, { current: password, password: better })).toMatchObject({
    code: 'InvalidToken',
  });
});

test('a password reset forgets all known networks and browsers of the account except those that the reset came from', async () => {
  const { member } = await givenSignedIn(world);
  const { accountId } = member;
  await shop.db.transaction(async (tx) => {
    await tx.run(sql`
      insert into known_networks (account_id, network, last_at)
      values (${accountId}, '198.51.100.0/24', now())`);
    await tx.run(sql`
      insert into known_devices (account_id, device_hash, last_at)
      values (${accountId}, ${Buffer.alloc(32, 'stranger')}, now())`);
  });
  await world.resetPassword(member, better);
  const Row = z.object({ networks: z.string(), strangers: z.int() });
  const known = await shop.db.one(
    Row,
    sql`
      select (select string_agg(network::text, ' ') from known_networks
              where account_id = ${accountId}) as networks,
             (select count(*)::int from known_devices
              where account_id = ${accountId} and device_hash = ${Buffer.alloc(32, 'stranger')})
               as strangers`,
  );
  expect(known.networks).toMatch(/^203\.0\.\d+\.0\/24$/);
  expect(known.strangers).toBe(0);
});
