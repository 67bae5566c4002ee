import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import {
  givenMember,
  openTestCodes,
  startClock,
  type TestMember,
  testBrowser,
  testSignIn,
} from '../../../test/codes.ts';
import { cloneDatabase, type TestDatabase } from '../../../test/database.ts';
import { testAddresses, testIdentityKeyOf, testIndexKey } from '../../../test/identities.ts';
import { openBlindIndex } from '../../platform/blind-index.ts';
import { type Db, sql } from '../../platform/db.ts';
import { accountOfKey, addIdentity } from './accounts.ts';
import { openPasswordCheck } from './password-check.ts';
import { isRightPassword } from './passwords.ts';
import { proveIdentity, typedSignIns } from './sign-in.ts';
import { openSignInGuard } from './sign-in-guard.ts';

let database: TestDatabase;
let db: Db;
let member: TestMember;
beforeAll(async () => {
  database = await cloneDatabase();
  db = database.open(4);
  member = await givenMember(db, { phone: '+8613800138000', email: 'Mira.Holm@example.com' });
});
afterAll(async () => {
  await db.close();
  await database.drop();
});

const dumpOf = async () => {
  const { dump } = await db.one(
    z.object({ dump: z.string() }),
    sql`
      select concat(
        (select string_agg(identities::text, ' ') from identities),
        (select string_agg(accounts::text, ' ') from accounts),
        (select string_agg(codes::text, ' ') from codes),
        (select string_agg(known_networks::text, ' ') from known_networks),
        (select string_agg(limit_counters::text, ' ') from limit_counters)) as dump`,
  );
  return dump;
};

test('an account is found by its phone number or mail address in any spelling', async () => {
  for (const subject of ['+8613800138000', '+86 138-0013-8000']) {
    const key = testIdentityKeyOf({ accountType: 'MOBILE', subject });
    expect(await accountOfKey(db, key)).toBe(member.accountId);
  }
  for (const subject of ['mira.holm@example.com', 'MIRA.HOLM@EXAMPLE.COM']) {
    const key = testIdentityKeyOf({ accountType: 'EMAIL', subject });
    expect(await accountOfKey(db, key)).toBe(member.accountId);
  }
});

test('a second account with the same phone number in another spelling is refused', async () => {
  const { accountId } = await givenMember(db, { phone: '+8613800138001' });
  const key = testIdentityKeyOf({ accountType: 'MOBILE', subject: '+86 13800138000' });
  const adding = db.transaction((tx) => addIdentity(tx, { accountId, key, passwordHash: null }));
  await expect(adding).rejects.toMatchObject({ code: '23505' });
});

test.each(['EMAIL', 'MOBILE'])(
  'the table identities rejects a plain-text mail address or phone number as the subject of type %s',
  async (accountType) => {
    for (const subject of [member.phone, member.email, '8613800138000'.padEnd(44, 'x')]) {
      const writing = db.transaction((tx) =>
        tx.run(sql`
        insert into identities (account_type, subject, account_id)
        values (${accountType}, ${subject}, ${member.accountId})`),
      );
      await expect(writing).rejects.toMatchObject({
        constraint: 'addresses_and_phones_are_hashed',
      });
    }
  },
);

test('after sign-ins and one-time codes, the database has no readable or guessable mail address, phone number or code', async () => {
  const clock = startClock();
  const { codes, outbox, proofs } = openTestCodes({ db, clock });
  const guard = openSignInGuard({
    db,
    now: clock.now,
    blindIndex: openBlindIndex(testIndexKey),
  });
  const identityKeyOf = testIdentityKeyOf;
  const methods = typedSignIns({
    db,
    codes,
    guard,
    identityKeyOf,
    addresses: testAddresses,
    checkPassword: openPasswordCheck({ db, guard, proofs, isRightPassword }),
  });
  const network = '192.0.2.0/24';
  const around = { ...testSignIn, network };
  const { phone, email, password } = member;
  for (const target of [
    { kind: 'text', to: phone, country: 'CN' } as const,
    { kind: 'mail', to: email.toLowerCase() } as const,
  ]) {
    const purpose = target.kind === 'mail' ? 'password_forget_email' : 'phone_internal';
    const asked = { target, purpose, network: `10.0.${target.kind.length}.0/24` } as const;
    await codes
      .send({ ...asked, browser: testBrowser, proof: null, locale: 'en-US', siteTitle: 'Solmere' })
      .catch(() => {});
  }
  await codes.settle();
  const code = outbox.codeFor(phone);
  // Some players type a phone number as the login name; it must be hashed there, too.
  const byName = { method: 'LOGIN_NAME_PASSWD_AUTH', loginName: phone, password } as const;
  const nobody = proveIdentity(methods, byName.method, { credentials: byName, ...around });
  await expect(nobody).rejects.toMatchObject({ code: 'LoginNameAccountNotFound' });
  const byPhone = { method: 'MOBILE_PASSWORD_AUTH', phone, password: 'Wrong-58' } as const;
  const wrong = proveIdentity(methods, byPhone.method, { credentials: byPhone, ...around });
  await expect(wrong).rejects.toMatchObject({ code: 'InvalidPassword' });
  const byMail = { method: 'EMAIL_PASSWORD_AUTH', email, password } as const;
  const right = await proveIdentity(methods, byMail.method, { credentials: byMail, ...around });
  expect(right.accountId).toBe(member.accountId);

  const dump = await dumpOf();
  expect(dump).toContain('sign-in:name:');
  expect(dump).toContain('code:target:');
  const hidden = [phone, phone.slice(3), email, email.toLowerCase(), password];
  for (const value of [...hidden, ...hidden.map((text) => `MOBILE:${text}`), `ACCOUNT:${phone}`]) {
    expect(dump).not.toContain(value);
    // An unkeyed hash protects nothing: all phone numbers can be tried.
    const digest = createHash('sha256').update(value).digest();
    for (const form of ['hex', 'base64', 'base64url'] as const) {
      expect(dump).not.toContain(digest.toString(form));
    }
  }
  expect(dump).not.toMatch(new RegExp(`(?<![\\d.])${code}(?!\\d)`));
});
