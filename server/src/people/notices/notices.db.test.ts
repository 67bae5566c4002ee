import { secureAccount } from '@pointgate/contract/notices.ts';
import { removePasskey } from '@pointgate/contract/passkeys.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { openAuthenticator } from '../../../test/authenticator.ts';
import { givenMember } from '../../../test/codes.ts';
import { operate } from '../../../test/operate.ts';
import { type OwnerWorld, openOwnerWorld } from '../../../test/owner-world.ts';
import { addPasskey, passkeysOf, signInWithPasskey } from '../../../test/passkeys.ts';
import { eventually, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { noticeDays, tellOwner } from './notices.ts';

let world: OwnerWorld;
let shop: TestShop;
beforeAll(async () => {
  world = await openOwnerWorld();
  shop = world.shop;
});
afterAll(() => world.stop());

const tokenIn = (text: string) => /\/login\/secure#(\S+)/.exec(text)?.[1] ?? '';
const secureWith = (token: string) => send(shop, secureAccount.path, { body: { token } });

/** An attacker who knows a member's password has added a passkey, and the member was notified. */
async function givenPlantedPasskey() {
  const member = await givenMember(shop.db);
  const cookie = await world.signIn(member);
  const device = openAuthenticator({ origin: shop.url });
  expect(await addPasskey(shop, { cookie, device })).toMatchObject({ isSuccess: true });
  const text = await world.mailSaying(member, 'A passkey was added');
  return { member, cookie, device, token: tokenIn(text) };
}

const refused = { isSuccess: false, code: 'NoticeExpired' };

test('an account owner is notified by mail, in the account language, when a passkey is added', async () => {
  const member = await givenMember(shop.db);
  const cookie = await world.signIn(member, 'de-DE');
  await addPasskey(shop, { cookie, device: openAuthenticator({ origin: shop.url }), name: 'evil' });
  const text = await world.mailSaying(member, 'wurde ein Passkey hinzugefügt');
  expect(text).toContain(`${shop.url}/login/secure#`);
  // An attacker chooses the name of the passkey, so the mail must not contain it.
  expect(text).not.toContain('evil');
});

test('an account owner is notified when a passkey is removed, but not for an unknown passkey id', async () => {
  const member = await givenMember(shop.db);
  const cookie = await world.signIn(member);
  const device = openAuthenticator({ origin: shop.url });
  await addPasskey(shop, { cookie, device });
  const { cookie: steppedUp } = await signInWithPasskey(shop, { device });
  const remove = (passkeyId: string) =>
    send(shop, removePasskey.path, { cookie: steppedUp, body: { passkeyId } });
  await remove(crypto.randomUUID());
  const [passkey] = await passkeysOf(shop, steppedUp ?? '');
  await remove(passkey?.passkeyId ?? '');
  await world.mailSaying(member, 'A passkey was removed');
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`
      select count(*)::int as count from account_notices
      where account_id = ${member.accountId} and event = 'passkey_removed'`,
  );
  expect(count).toBe(1);
});

test('an account owner is notified when an operator removes the passkeys', async () => {
  const { member } = await givenPlantedPasskey();
  const args = ['forget-passkeys', member.accountId, '--by', 'ines'];
  const { environment } = world;
  expect(await operate(shop, args, { environment })).toMatchObject({ status: 0 });
  await world.mailSaying(member, 'A passkey was removed');
});

test('an account owner is notified when the password is reset with a code', async () => {
  const member = await givenMember(shop.db);
  await world.resetPassword(member, 'Tide-41-hollow');
  await world.mailSaying(member, 'was reset with a code');
});

test('the link in a security notice ends the sessions, removes the added passkey and disables the password', async () => {
  const { member, cookie, device, token } = await givenPlantedPasskey();
  expect(await secureWith(token)).toMatchObject({ isSuccess: true, data: { removed: 1 } });
  expect(await send(shop, '/api/user/info', { cookie })).toMatchObject({ code: 'InvalidToken' });
  expect(await signInWithPasskey(shop, { device })).toMatchObject({ code: 'PasskeyRefused' });
  expect(await world.trySignIn(member)).toMatchObject({ code: 'InvalidPassword' });
  await world.resetPassword(member, 'Tide-41-hollow');
  expect(await world.trySignIn({ ...member, password: 'Tide-41-hollow' })).toMatchObject({
    isSuccess: true,
  });
});

test('the link in a security notice mail works once, even for three concurrent requests', async () => {
  const { token } = await givenPlantedPasskey();
  const answers = await Promise.all([1, 2, 3].map(() => secureWith(token)));
  expect(answers.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
  expect(await secureWith(token)).toMatchObject(refused);
});

test('an expired link from a security notice mail is refused with the same answer as a forged link', async () => {
  const { member, device, token } = await givenPlantedPasskey();
  await shop.db.transaction((tx) =>
    tx.run(sql`
      update account_notices set expires_at = expires_at - make_interval(days => ${noticeDays})
      where account_id = ${member.accountId}`),
  );
  const late = await secureWith(token);
  expect(late).toMatchObject(refused);
  const madeUp = await secureWith(`${'A'.repeat(22)}.${'A'.repeat(43)}`);
  expect({ ...madeUp, requestId: '' }).toEqual({ ...late, requestId: '' });
  expect(await signInWithPasskey(shop, { device })).toMatchObject({ isSuccess: true });
});

test('the link in a security notice also undoes changes made after the notice and invalidates the links of later notices', async () => {
  const { member, device, token } = await givenPlantedPasskey();
  const { cookie = '' } = await signInWithPasskey(shop, { device });
  const second = openAuthenticator({ origin: shop.url });
  await addPasskey(shop, { cookie, device: second });
  const later = await eventually(async () => {
    const tokens = (await world.mailsTo(member)).map(({ text }) => tokenIn(text));
    return tokens.find((each) => each !== '' && each !== token);
  });
  expect(await secureWith(token)).toMatchObject({ data: { removed: 2 } });
  expect(await signInWithPasskey(shop, { device: second })).toMatchObject({
    code: 'PasskeyRefused',
  });
  expect(await secureWith(later)).toMatchObject(refused);
});

test('a security notice whose SMTP connection is lost is sent again with the same link', async () => {
  const member = await givenMember(shop.db);
  const cookie = await world.signIn(member);
  await world.mail.tell('/__sandbox/faults', { kind: 'cut_after_commit', to: member.email });
  await addPasskey(shop, { cookie, device: openAuthenticator({ origin: shop.url }) });
  const mails = await eventually(async () => {
    const found = await world.mailsTo(member);
    return found.length === 2 && found;
  });
  const [token = '', again] = mails.map(({ text }) => tokenIn(text));
  expect(again).toBe(token);
  expect(await secureWith(token)).toMatchObject({ isSuccess: true });
});

test('an account gets at most twenty security notices a day', async () => {
  const member = await givenMember(shop.db);
  await world.signIn(member);
  const change = {
    accountId: member.accountId,
    siteId: 'solmere',
    event: 'password_reset',
  } as const;
  for (let times = 0; times < 25; times += 1) {
    await shop.db.transaction((tx) => tellOwner(tx, shop.notices, change));
  }
  const { count } = await shop.db.one(
    z.object({ count: z.int() }),
    sql`
      select count(*)::int as count from account_notices where account_id = ${member.accountId}`,
  );
  expect(count).toBe(20);
});
