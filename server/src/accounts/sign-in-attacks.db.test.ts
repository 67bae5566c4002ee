import type { Credentials } from '@pointgate/contract/credentials.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  givenMember,
  openTestCodes,
  startClock,
  type TestCodes,
  type TestMember,
  testBrowser,
  type VirtualClock,
} from '../../test/codes.ts';
import { openTestDb } from '../../test/database.ts';
import { effort } from '../../test/effort.ts';
import { testAddresses, testIdentityKeyOf, testIndexKey } from '../../test/identities.ts';
import { openBlindIndex } from '../platform/blind-index.ts';
import { type Db, sql } from '../platform/db.ts';
import { log } from '../platform/log.ts';
import { isRightPassword } from './passwords.ts';
import { proveIdentity, type SignInMethods, typedSignIns } from './sign-in.ts';
import { openSignInGuard, type SignInGuard } from './sign-in-guard.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  log.level = 'silent';
  ({ db, close } = await openTestDb());
});
afterAll(() => close());

let clock: VirtualClock;
let hashed: number;
let guard: SignInGuard;
let own: TestCodes;
let methods: SignInMethods;
let member: TestMember;
beforeEach(async () => {
  await db.transaction(async (tx) => {
    await tx.run(sql`delete from limit_counters`);
    await tx.run(sql`delete from known_networks`);
    await tx.run(sql`delete from codes`);
    await tx.run(sql`delete from identities`);
  });
  clock = startClock();
  hashed = 0;
  guard = openSignInGuard({ db, now: clock.now, blindIndex: openBlindIndex(testIndexKey) });
  own = openTestCodes({ db, clock });
  methods = typedSignIns({
    db,
    codes: own.codes,
    guard,
    identityKeyOf: testIdentityKeyOf,
    addresses: testAddresses,
    isRightPassword: async (passwordHash, password) => {
      hashed += 1;
      return await isRightPassword(passwordHash, password);
    },
  });
  member = await givenMember(db);
});

const networkAt = (index: number) => `10.${index >> 8}.${index & 255}.0/24`;
const home = '192.0.2.0/24';
const away = '198.51.100.0/24';

/** The account, or the code of the refusal. */
async function attempt(network: string, credentials: Credentials): Promise<string> {
  try {
    const site = { siteId: 'solmere', portalUrl: 'http://localhost' };
    const locale = 'en-US' as const;
    const input = { credentials, network, site, locale, browser: testBrowser };
    return (await proveIdentity(methods, credentials.method, input)).accountId;
  } catch (error) {
    return z.object({ code: z.string() }).parse(error).code;
  }
}

const byName = (network: string, loginName: string, password: string) =>
  attempt(network, { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password });
const guessAt = (network: string, victim = member) => byName(network, victim.loginName, 'Guess-1');
const signInFrom = (network: string, player = member) =>
  byName(network, player.loginName, player.password);

const pairs = effort({ gate: 3_000, night: 10_000 });

describe('thousands of pairs of names and passwords from 300 addresses', () => {
  const attack = async (nameOf: (index: number) => string, passSeconds: number) => {
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (let index = lane; index < pairs; index += 8) {
        clock.pass({ seconds: passSeconds });
        await byName(networkAt(index % 300), nameOf(index), `Guess-${index}`);
      }
    });
    await Promise.all(lanes);
  };

  test.each([
    ['in an hour', 'names of nobody', 3_600 / pairs, (index: number) => `nobody-${index}`],
    ['in a day', 'names of nobody', 86_400 / pairs, (index: number) => `nobody-${index}`],
    ['at one moment', 'one name', 0, () => member.loginName],
  ])(
    '%s, at %s, reach the hash at most a hundred times',
    async (_when, _whose, pass, nameOf) => {
      expect(await signInFrom(home)).toBe(member.accountId);
      hashed = 0;
      await attack(nameOf, pass);
      expect(hashed).toBeGreaterThan(0);
      expect(hashed).toBeLessThanOrEqual(100);
      // The player at home has noticed nothing.
      expect(await signInFrom(home)).toBe(member.accountId);
    },
    180_000,
  );
});

describe('a player whose account somebody else attacks', () => {
  const attackFrom = async (networks: number) => {
    for (let index = 0; index < networks * 20; index += 1)
      await guessAt(networkAt(index % networks));
  };

  test('gets in from where they never were, as long as few dozen networks attack', async () => {
    await attackFrom(30);
    expect(await guessAt(networkAt(1))).toBe('SignInThrottled');
    expect(await signInFrom(away)).toBe(member.accountId);
  });

  test('gets in by a code when hundreds attack, and with the password from then on', async () => {
    await attackFrom(60);
    expect(await signInFrom(away)).toBe('SignInThrottled');
    await own.codes.send({
      purpose: 'phone_foreign',
      target: { kind: 'text', to: member.phone, country: 'US' },
      network: away,
      browser: testBrowser,
      proof: null,
      locale: 'en-US',
      siteTitle: 'Solmere',
    });
    await own.codes.settle();
    const { phone } = member;
    const code = own.outbox.codeFor(phone);
    expect(await attempt(away, { method: 'MOBILE_AUTH', phone, code })).toBe(member.accountId);
    expect(await signInFrom(away)).toBe(member.accountId);
  });

  test('is not known from a network where somebody else signed in', async () => {
    const other = await givenMember(db);
    expect(await signInFrom(away, other)).toBe(other.accountId);
    await attackFrom(60);
    expect(await signInFrom(away, other)).toBe(other.accountId);
    expect(await signInFrom(away)).toBe('SignInThrottled');
  });
});

describe('failures', () => {
  test('from a known network are few, and the next hour brings new tries', async () => {
    await signInFrom(home);
    for (let time = 0; time < 10; time += 1) expect(await guessAt(home)).toBe('InvalidPassword');
    expect(await signInFrom(home)).toBe('SignInThrottled');
    // They are not the other networks' failures.
    expect(await signInFrom(away)).toBe(member.accountId);
    clock.pass({ hours: 1 });
    expect(await signInFrom(home)).toBe(member.accountId);
  });

  test('from a strange network are few, whatever the names, and the next day brings new tries', async () => {
    for (let time = 0; time < 10; time += 1) {
      expect(await byName(away, `nobody-${time}`, 'Guess-1')).toBe('LoginNameAccountNotFound');
    }
    expect(await byName(away, 'nobody-10', 'Guess-1')).toBe('SignInThrottled');
    expect(await signInFrom(away)).toBe('SignInThrottled');
    clock.pass({ hours: 24 });
    expect(await signInFrom(away)).toBe(member.accountId);
  });

  test('at one name leave tries only to networks that have not failed', async () => {
    for (let index = 0; index < 5; index += 1) {
      await guessAt(networkAt(index));
      await guessAt(networkAt(index));
    }
    expect(await guessAt(networkAt(0))).toBe('SignInThrottled');
    expect(await byName(networkAt(0), 'somebody-else', 'Guess-1')).toBe('LoginNameAccountNotFound');
    expect(await signInFrom(away)).toBe(member.accountId);
    clock.pass({ hours: 1 });
    expect(await guessAt(networkAt(0))).toBe('InvalidPassword');
  });

  test('of fifty tries at once count before more than a few others are looked at', async () => {
    await Promise.all(Array.from({ length: 50 }, () => guessAt(away)));
    expect(hashed).toBeLessThanOrEqual(10 + 3);
  });

  test('are made up for by players who know their password, once for each', async () => {
    const players = [];
    for (let index = 0; index < 4; index += 1) players.push(await givenMember(db));
    for (let index = 0; index < 12; index += 1) {
      await byName(networkAt(index), `nobody-${index}`, 'Guess-1');
    }
    expect(await byName(networkAt(0), 'nobody', 'Guess-1')).toBe('SignInThrottled');
    for (const player of players) await signInFrom(away, player);
    expect(await strangers()).toBe(0);
    for (let index = 0; index < 6; index += 1) {
      await byName(networkAt(index + 20), `nobody-${index}`, 'Guess-1');
    }
    for (const player of players) await signInFrom(away, player);
    expect(await strangers()).toBe(6);
  });

  test('of codes count for the network', async () => {
    const byCode = (network: string) =>
      attempt(network, { method: 'MOBILE_AUTH', phone: '+12025550199', code: '123456' });
    for (let time = 0; time < 10; time += 1)
      expect(await byCode(away)).toBe('MobileAccountNotFound');
    expect(await byCode(away)).toBe('SignInThrottled');
    expect(await byCode(home)).toBe('MobileAccountNotFound');
    expect(hashed).toBe(0);
  });
});

const strangers = async () => {
  const { count } = await db.one(
    z.object({ count: z.int() }),
    sql`select count from limit_counters where key = 'sign-in:strangers'`,
  );
  return count;
};

test('a network is known for ninety days and then forgotten', async () => {
  const isKept = async () => {
    await guard.forgetOld();
    return (await db.many(z.object({}), sql`select network from known_networks`)).length === 1;
  };
  await signInFrom(home);
  clock.pass({ hours: 24 * 90 - 1 });
  expect(await isKept()).toBe(true);
  await signInFrom(home);
  clock.pass({ hours: 24 * 90 - 1 });
  expect(await isKept()).toBe(true);
  clock.pass({ hours: 1 });
  expect(await isKept()).toBe(false);
});

test('a name that nobody has costs a hash like any other', async () => {
  expect(await byName(away, 'nobody', 'Dawn-58')).toBe('LoginNameAccountNotFound');
  expect(hashed).toBe(1);
});

test('an account without a password cannot be opened with any', async () => {
  await db.transaction((tx) => tx.run(sql`update identities set password_hash = null`));
  for (const password of ['', 'Dawn-58', 'nobody has this password']) {
    expect(await byName(away, member.loginName, password)).toBe('InvalidPassword');
  }
  expect(hashed).toBe(3);
});

test('of two who sign in with one code at once, one gets in', async () => {
  const { phone } = member;
  await own.codes.send({
    purpose: 'phone_foreign',
    target: { kind: 'text', to: phone, country: 'US' },
    network: home,
    browser: testBrowser,
    proof: null,
    locale: 'en-US',
    siteTitle: 'Solmere',
  });
  await own.codes.settle();
  const code = own.outbox.codeFor(phone);
  const outcomes = await Promise.all(
    [home, away].map((network) => attempt(network, { method: 'MOBILE_AUTH', phone, code })),
  );
  expect(outcomes.toSorted()).toEqual([member.accountId, 'InvalidMobileCode'].toSorted());
});
