import { AccountType } from '@pointgate/contract/accounts.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testIdentityKeyOf } from '../../../test/identities.ts';
import { openBrowser } from '../../../test/identity/browser.ts';
import {
  givenLinked,
  type IdentityWorld,
  leave,
  type Method,
  openIdentityWorld,
  signInAt,
} from '../../../test/identity/world.ts';
import { seal, send } from '../../../test/shop.ts';
import { sql } from '../../platform/db.ts';
import { hashPassword } from '../accounts/passwords.ts';

const password = 'Dawn-58-reach';
const person = 'mira';

let world: IdentityWorld;
beforeAll(async () => {
  world = await openIdentityWorld();
});
afterAll(() => world.stop());

/** An account that signs in by name and password only. */
async function givenTyped(accountType: 'ACCOUNT' | 'EMAIL' | 'MOBILE', subject: string) {
  const key = testIdentityKeyOf({ accountType, subject });
  const accountId = await givenLinked(world, key);
  const passwordHash = await hashPassword(password);
  await world.shop.db.transaction((tx) =>
    tx.run(
      sql`update identities set password_hash = ${passwordHash} where account_id = ${accountId}`,
    ),
  );
  return accountId;
}

async function signInTyped(credentials: Record<string, unknown>) {
  const path = '/api/user/login';
  const data = await seal(world.shop, path, { ...credentials, password });
  return (await send(world.shop, path, { body: { data } })).cookie;
}

const signInElsewhere = async (method: Method) =>
  (await signInAt(world, { method, person })).cookie;

/** Apple posts its answer to the shop, which then redirects the player to a page. */
async function signInWithApple() {
  const browser = openBrowser();
  const { url } = await leave(world, browser, { method: 'APPLE_SIGN_IN_AUTH' });
  const answer = await browser.press(await browser.go(url), { name: 'person', value: person });
  await browser.submit(answer, `${world.shop.url}/?`);
  return browser.cookie(world.shop.url);
}

test('[S3.10] each of the seven account types signs in by its own method, and an eighth type is rejected', async () => {
  const mira = world.person(person);
  const [loginName, email, phone] = ['mira', 'mira@example.com', '+12025550123'];
  const ways: Record<string, { accountId: string; signIn: () => Promise<string | undefined> }> = {
    MOBILE: {
      accountId: await givenTyped('MOBILE', phone),
      signIn: () => signInTyped({ method: 'MOBILE_PASSWORD_AUTH', phone }),
    },
    EMAIL: {
      accountId: await givenTyped('EMAIL', email),
      signIn: () => signInTyped({ method: 'EMAIL_PASSWORD_AUTH', email }),
    },
    ACCOUNT: {
      accountId: await givenTyped('ACCOUNT', loginName),
      signIn: () => signInTyped({ method: 'LOGIN_NAME_PASSWD_AUTH', loginName }),
    },
    FACEBOOK: {
      accountId: await givenLinked(world, { accountType: 'FACEBOOK', subject: mira.facebook }),
      signIn: () => signInElsewhere('FACEBOOK_AUTH'),
    },
    GOOGLE_PLAY_GAME: {
      accountId: await givenLinked(world, {
        accountType: 'GOOGLE_PLAY_GAME',
        subject: mira.google,
      }),
      signIn: () => signInElsewhere('GOOGLE_PLAY_GAMES_AUTH'),
    },
    APPLE_SIGN_IN: {
      accountId: await givenLinked(world, { accountType: 'APPLE_SIGN_IN', subject: mira.apple }),
      signIn: signInWithApple,
    },
    WECHAT: {
      accountId: await givenLinked(world, { accountType: 'WECHAT', subject: mira.unionId ?? '' }),
      signIn: () => signInElsewhere('WECHAT_AUTH'),
    },
  };
  expect(AccountType.options).toEqual(Object.keys(ways));

  for (const [accountType, { accountId, signIn }] of Object.entries(ways)) {
    const { data } = await send(world.shop, '/api/user/info', { cookie: await signIn() });
    expect(data).toMatchObject({ login: true, accountId, accountType });
  }

  await expect(givenLinked(world, { accountType: 'TWITTER', subject: 'mira' })).rejects.toThrow(
    'account_type_is_known',
  );
});
