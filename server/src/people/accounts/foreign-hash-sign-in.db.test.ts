import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/bcrypt';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { z } from 'zod';
import { testSignIn } from '../../../test/codes.ts';
import { testIdentityKeyOf } from '../../../test/identities.ts';
import { openTestShop, seal, send, type TestShop } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { log } from '../../platform/log.ts';
import { addIdentity, createAccount } from './accounts.ts';
import { setPassword } from './passwords.ts';

const path = '/api/user/login';
/** Longer than a new password may be. */
const password = 'correct horse battery staple';

let shop: TestShop;
let oldHash: string;
beforeAll(async () => {
  shop = await openTestShop({ LOG_LEVEL: 'silent' });
  oldHash = await hash(password, { cost: 4, version: '2y' });
});
afterEach(() => vi.restoreAllMocks());
afterAll(() => shop.closeAll());

/** A player with a login name, a mail address and a hash of another system. */
async function givenImported(passwordHash = oldHash) {
  const loginName = `old-${randomUUID()}`;
  const email = `${loginName}@example.com`;
  const accountId = await shop.db.transaction(async (tx) => {
    const id = await createAccount(tx, { loginName, displayName: loginName, passwordHash });
    const key = testIdentityKeyOf({ accountType: 'EMAIL', subject: email });
    await addIdentity(tx, { accountId: id, key, passwordHash });
    const google = testIdentityKeyOf({ accountType: 'GOOGLE_PLAY_GAME', subject: loginName });
    await addIdentity(tx, { accountId: id, key: google, passwordHash: null });
    return id;
  });
  return { accountId, loginName, email };
}

const signIn = async (loginName: string, typed = password) =>
  await send(shop, path, {
    body: {
      data: await seal(shop, path, {
        method: 'LOGIN_NAME_PASSWD_AUTH',
        loginName,
        password: typed,
      }),
    },
  });

const signInByMail = async (email: string) =>
  await send(shop, path, {
    body: { data: await seal(shop, path, { method: 'EMAIL_PASSWORD_AUTH', email, password }) },
  });

const prove = async (loginName: string) => {
  const method = shop.checks.methods.LOGIN_NAME_PASSWD_AUTH;
  if (method === undefined) throw new Error('the shop has no such method');
  const credentials = { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password } as const;
  return await method({ ...testSignIn, network: '192.0.2.0/24', credentials });
};

const hashesOf = async (accountId: string) => {
  const rows = await shop.db.many(
    z.object({ account_type: z.string(), password_hash: z.string().nullable() }),
    sql`select account_type, password_hash from identities where account_id = ${accountId}`,
  );
  return Object.fromEntries(rows.map((row) => [row.account_type, row.password_hash]));
};

const ownForm = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/;

describe('sign-in with a password hash of another system', () => {
  test('the first sign-in puts our own hash in the place of the foreign one, for all typed names', async () => {
    const player = await givenImported();
    expect(await signIn(player.loginName)).toMatchObject({ isSuccess: true });
    const hashes = await hashesOf(player.accountId);
    expect(hashes.ACCOUNT).toMatch(ownForm);
    expect(hashes.EMAIL).toBe(hashes.ACCOUNT);
    expect(hashes.GOOGLE_PLAY_GAME).toBe(null);
    expect(await signInByMail(player.email)).toMatchObject({ isSuccess: true });
    expect(await hashesOf(player.accountId)).toEqual(hashes);
  });

  test('a wrong password is refused with InvalidPassword and leaves the foreign hash', async () => {
    const player = await givenImported();
    expect(await signIn(player.loginName, 'wrong')).toMatchObject({ code: 'InvalidPassword' });
    expect((await hashesOf(player.accountId)).ACCOUNT).toBe(oldHash);
  });

  test('a password that the rule for new passwords would refuse signs in before and after its hash is replaced', async () => {
    const player = await givenImported();
    for (const _ of ['foreign', 'own']) {
      expect(await signIn(player.loginName)).toMatchObject({ isSuccess: true });
    }
  });

  test('several first sign-ins at the same time all succeed and leave one hash', async () => {
    const player = await givenImported();
    const replies = await Promise.all([1, 2, 3, 4].map(() => signIn(player.loginName)));
    expect(replies.map(({ code }) => code)).toEqual([null, null, null, null]);
    expect((await hashesOf(player.accountId)).ACCOUNT).toMatch(ownForm);
  });

  test('a sign-in that was proven before another one replaced the hash still counts', async () => {
    const player = await givenImported();
    const [first, second] = await Promise.all([prove(player.loginName), prove(player.loginName)]);
    for (const { requireStill } of [first, second]) {
      await shop.db.transaction(async (tx) => requireStill?.(tx));
    }
  });

  test('a sign-in whose password is changed before it is complete is refused', async () => {
    const player = await givenImported();
    const { requireStill } = await prove(player.loginName);
    const { accountId } = player;
    const reset = { accountId, siteId: 'solmere', event: 'password_reset' } as const;
    await shop.db.transaction((tx) =>
      setPassword(tx, { onReset: async () => {} }, { ...reset, password: 'Tide-41' }),
    );
    await expect(shop.db.transaction(async (tx) => requireStill?.(tx))).rejects.toMatchObject({
      code: 'InvalidPassword',
    });
    expect(await signIn(player.loginName)).toMatchObject({ code: 'InvalidPassword' });
  });

  test('failed guesses at a foreign hash are counted and throttled like those at our own', async () => {
    const player = await givenImported();
    const tries = [];
    for (let guess = 0; guess < 12; guess += 1) {
      tries.push((await signIn(player.loginName, `Guess-${guess}`)).code);
    }
    expect(tries).toContain('InvalidPassword');
    expect(['HumanProofNeeded', 'SignInThrottled']).toContain(tries.at(-1));
    await shop.db.transaction((tx) => tx.run(sql`delete from limit_counters`));
  });
});

describe('a stored hash that cannot be read', () => {
  test.each(['not a hash at all', '$2b$12$cut', '5f4dcc3b5aa765d61d8327deb882cf99', ''])(
    'the unreadable stored hash "%s" refuses like a wrong password and is named in the log without the hash',
    async (unreadable) => {
      const player = await givenImported(unreadable);
      const told = vi.spyOn(log, 'error');
      expect(await signIn(player.loginName)).toMatchObject({ code: 'InvalidPassword' });
      await shop.db.transaction((tx) => tx.run(sql`delete from limit_counters`));
      expect(told).toHaveBeenCalledExactlyOnceWith(
        expect.objectContaining({ accountId: player.accountId }),
        'the stored password hash of an account cannot be read',
      );
      if (unreadable !== '') expect(JSON.stringify(told.mock.calls)).not.toContain(unreadable);
    },
  );
});
