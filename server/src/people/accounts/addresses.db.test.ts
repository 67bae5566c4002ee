import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  givenMember,
  openTestCodes,
  startClock,
  type TestMember,
  testBrowser,
} from '../../../test/codes.ts';
import { testIdentityKeyOf } from '../../../test/identities.ts';
import { personEnvironment } from '../../../test/people.ts';
import { openTestShop, seal, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { openPersonCipher } from '../../platform/person-cipher.ts';
import { openAddress, openAddresses, rotateAddressKeys } from './addresses.ts';
import { readKnownPasswords, resetPassword } from './passwords.ts';
import { openSignInGuard } from './sign-in-guard.ts';

let shop: TestShop;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent', ...personEnvironment() });
});
afterAll(() => shop.closeAll());

const signIn = async (credentials: Record<string, unknown>, language = 'en-US') => {
  const path = '/api/user/login';
  const body = { data: await seal(shop, path, credentials) };
  const reply = await send(shop, path, { body, headers: { 'accept-language': language } });
  expect(reply.isSuccess).toBe(true);
};
const byMail = ({ email, password }: TestMember) => ({
  method: 'EMAIL_PASSWORD_AUTH',
  email,
  password,
});

const rowsOf = ({ accountId }: TestMember) =>
  shop.db.many(
    z.object({ id: z.string(), account_type: z.string(), row: z.string() }),
    sql`
      select id, account_type, account_addresses::text as row from account_addresses
      where account_id = ${accountId} order by account_type`,
  );

async function addressesOf(member: TestMember) {
  const { cipher } = shop.people;
  if (cipher === null) throw new Error('this shop has no person cipher');
  const opened = (await rowsOf(member)).map(async ({ id }) => {
    const found = await openAddress(shop.db, cipher, id);
    return [found?.address.reveal(), found?.locale];
  });
  return await Promise.all(opened);
}

const clock = startClock();

/** Runs a day after the previous reset, because of the limit on codes. */
async function resetByMail(member: TestMember, locale: 'ko-KR' | 'de-DE'): Promise<void> {
  clock.pass({ hours: 25 });
  const { codes, outbox } = openTestCodes({ db: shop.db, clock });
  const network = '192.0.2.0/24';
  const purpose = 'password_forget_email';
  await codes.send({
    purpose,
    target: { kind: 'mail', to: member.email },
    network,
    browser: testBrowser,
    proof: null,
    locale,
    siteTitle: 'Solmere',
  });
  await codes.settle();
  const guard = openSignInGuard({ db: shop.db, now: clock.now, blindIndex: () => randomBytes(32) });
  const parts = {
    db: shop.db,
    codes,
    guard,
    identityKeyOf: testIdentityKeyOf,
    addresses: shop.checks.addresses,
    knownPasswords: await readKnownPasswords(undefined),
    onReset: async () => null,
  };
  await resetPassword(parts, {
    accountType: 'EMAIL',
    subject: member.email,
    purpose,
    code: outbox.codeFor(member.email),
    password: 'Tide-41-hollow',
    siteId: 'solmere',
    network,
    device: undefined,
    locale,
    browser: testBrowser,
  });
}

test("an account's mail address or phone number is stored, encrypted, from the first sign-in with it", async () => {
  const member = await givenMember(shop.db);
  expect(await rowsOf(member)).toEqual([]);
  await signIn({ ...byMail(member), email: member.email.toUpperCase() }, 'ja-JP');
  expect(await addressesOf(member)).toEqual([[member.email, 'ja-JP']]);
  const hex = Buffer.from(member.email).toString('hex');
  for (const { row } of await rowsOf(member)) {
    expect(row).not.toContain(member.email);
    expect(row).not.toContain(hex);
  }
});

test('a phone number that a player signs in with is stored encrypted next to the mail address', async () => {
  const member = await givenMember(shop.db);
  const { phone, password } = member;
  await signIn(byMail(member));
  await signIn({ method: 'MOBILE_PASSWORD_AUTH', phone, password });
  expect(await addressesOf(member)).toEqual([
    [member.email, 'en-US'],
    [member.phone, 'en-US'],
  ]);
});

test('a sign-in by login name or with a wrong password stores no mail address', async () => {
  const member = await givenMember(shop.db);
  const { loginName, password } = member;
  await signIn({ method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password });
  const body = {
    data: await seal(shop, '/api/user/login', { ...byMail(member), password: 'Wrong-1' }),
  };
  expect(await send(shop, '/api/user/login', { body })).toMatchObject({ code: 'InvalidPassword' });
  expect(await rowsOf(member)).toEqual([]);
});

test('the language stored with a mail address changes with a password reset by mailed code, but not with a sign-in', async () => {
  const member = await givenMember(shop.db);
  await resetByMail(member, 'ko-KR');
  expect(await addressesOf(member)).toEqual([[member.email, 'ko-KR']]);
  await signIn({ ...byMail(member), password: 'Tide-41-hollow' }, 'th-TH');
  expect(await addressesOf(member)).toEqual([[member.email, 'ko-KR']]);
  await resetByMail(member, 'de-DE');
  expect(await addressesOf(member)).toEqual([[member.email, 'de-DE']]);
});

test('a mail address that belongs to another account is not stored for an account', async () => {
  const [member, other] = [await givenMember(shop.db), await givenMember(shop.db)];
  await shop.checks.addresses.keep(shop.db, {
    accountId: member.accountId,
    accountType: 'EMAIL',
    subject: other.email,
    locale: 'en-US',
    by: 'code',
  });
  expect(await rowsOf(member)).toEqual([]);
});

test('a shop without master keys for personal data stores no mail addresses or phone numbers of accounts', async () => {
  const member = await givenMember(shop.db);
  const { keep } = openAddresses({ cipher: null, identityKeyOf: testIdentityKeyOf });
  await keep(shop.db, {
    accountId: member.accountId,
    accountType: 'EMAIL',
    subject: member.email,
    locale: 'en-US',
    by: 'code',
  });
  expect(await rowsOf(member)).toEqual([]);
});

test('after a rotation of the encryption keys, stored mail addresses and phone numbers are readable without the old key', async () => {
  const own = await openTestShop({ LOG_LEVEL: 'silent' });
  try {
    const indexKey = randomBytes(32);
    const [oldKey, newKey] = ['k1', 'k2'].map((id) => ({ id, key: randomBytes(32) }));
    if (oldKey === undefined || newKey === undefined) throw new Error('two keys were expected');
    const cipherOf = (...keys: { id: string; key: Buffer }[]) =>
      openPersonCipher({ keys, indexKey });
    const member = await givenMember(own.db);
    const { keep } = openAddresses({
      cipher: cipherOf(oldKey),
      identityKeyOf: testIdentityKeyOf,
    });
    const { accountId, email: subject } = member;
    await keep(own.db, { accountId, accountType: 'EMAIL', subject, locale: 'en-US', by: 'code' });
    const { id } = await own.db.one(
      z.object({ id: z.string() }),
      sql`select id from account_addresses`,
    );
    const both = { cipher: cipherOf(newKey, oldKey) };
    expect(await rotateAddressKeys(own.db, both)).toBe(1);
    expect(await rotateAddressKeys(own.db, both)).toBe(0);
    const opened = await openAddress(own.db, cipherOf(newKey), id);
    expect(opened?.address.reveal()).toBe(subject);
    await expect(openAddress(own.db, cipherOf(oldKey), id)).rejects.toThrow('k2');
  } finally {
    await own.closeAll();
  }
});
