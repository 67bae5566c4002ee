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

/** Somebody who knows the password of a member has added a passkey, and the member was told. */
async function givenPlantedPasskey() {
  const member = await givenMember(shop.db);
  const cookie = await world.signIn(member);
  const device = openAuthenticator({ origin: shop.url });
  expect(await addPasskey(shop, { cookie, device })).toMatchObject({ isSuccess: true });
  const text = await world.mailSaying(member, 'A passkey was added');
  return { member, cookie, device, token: tokenIn(text) };
}

const refused = { isSuccess: false, code: 'NoticeExpired' };

test('the owner is told by mail when a passkey is added, in the language of the account', async () => {
  const member = await givenMember(shop.db);
  const cookie = await world.signIn(member, 'de-DE');
  await addPasskey(shop, { cookie, device: openAuthenticator({ origin: shop.url }), name: 'evil' });
  const text = await world.mailSaying(member, 'wurde ein Passkey hinzugefügt');
  expect(text).toContain(`${shop.url}/login/secure#`);
  // Whoever adds a passkey names it, and could have the shop write to its owner in words of theirs.
  expect(text).not.toContain('evil');
});

test('the owner is told when a passkey is removed, and not when there was none', async () => {
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

test('the owner is told when an operator has removed the passkeys', async () => {
  const { member } = await givenPlantedPasskey();
  const args = ['forget-passkeys', member.accountId, '--by', 'ines'];
  const { environment } = world;
  expect(await operate(shop, args, { environment })).toMatchObject({ status: 0 });
  await world.mailSaying(member, 'A passkey was removed');
});

test('the owner is told when the password was reset by a code', async () => {
  const member = await givenMember(shop.db);
  await world.resetPassword(member, 'Tide-41-hollow');
  await world.mailSaying(member, 'was reset with a code');
});

test('an owner who says that it was somebody else ends their session, passkey and password', async () => {
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

test('the link of a notice works once', async () => {
  const { token } = await givenPlantedPasskey();
  const answers = await Promise.all([1, 2, 3].map(() => secureWith(token)));
  expect(answers.filter(({ isSuccess }) => isSuccess)).toHaveLength(1);
  expect(await secureWith(token)).toMatchObject(refused);
});

test('the link of a notice is refused after its days, as one that nobody made is', async () => {
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

test('the link of an earlier notice undoes what came later, and uses up the links of later notices', async () => {
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

test('a mail server that breaks off is asked again, with the same link', async () => {
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

test('nobody fills the mailbox of an owner: a day has twenty notices', async () => {
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
