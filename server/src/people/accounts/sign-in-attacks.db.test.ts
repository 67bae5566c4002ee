import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { z } from 'zod';
import {
  givenMember,
  startClock,
  type TestMember,
  testBrowser,
  type VirtualClock,
} from '../../../test/codes.ts';
import { openTestDb } from '../../../test/database.ts';
import { effort } from '../../../test/effort.ts';
import {
  attackWhileOwnersSignIn,
  networkAt,
  openTestSignIns,
  type TestSignIns,
} from '../../../test/sign-in-attack.ts';
import { type Db, sql } from '../../platform/db.ts';
import { log } from '../../platform/log.ts';

let db: Db;
let close: () => Promise<void>;
beforeAll(async () => {
  log.level = 'silent';
  ({ db, close } = await openTestDb());
});
afterAll(() => close());

let clock: VirtualClock;
let signIns: TestSignIns;
let member: TestMember;
beforeEach(async () => {
  await db.transaction(async (tx) => {
    await tx.run(sql`delete from limit_counters`);
    await tx.run(sql`delete from known_networks`);
    await tx.run(sql`delete from known_devices`);
    await tx.run(sql`delete from codes`);
    await tx.run(sql`delete from identities`);
  });
  clock = startClock();
  signIns = openTestSignIns(db, clock);
  member = await givenMember(db);
});

const home = '192.0.2.0/24';
const away = '198.51.100.0/24';
const [device, otherDevice] = ['d', 'e'].map((letter) => letter.repeat(43));

const guessAt = (network: string, victim = member) =>
  signIns.byNameWithProof({ network }, victim.loginName, 'Guess-1');
const signInFrom = (network: string, player = member) =>
  signIns.byName(network, player.loginName, player.password);
const signInWithProofFrom = (network: string, player = member) =>
  signIns.byNameWithProof({ network }, player.loginName, player.password);
const askForCode = async (network: string) => {
  const { phone } = member;
  await signIns.codes.send({
    purpose: 'phone_foreign',
    target: { kind: 'text', to: phone, country: 'US' },
    network,
    browser: testBrowser,
    proof: null,
    locale: 'en-US',
    siteTitle: 'Solmere',
  });
  await signIns.codes.settle();
  return { method: 'MOBILE_AUTH', phone, code: signIns.outbox.codeFor(phone) } as const;
};

test('account owners can sign in from new networks while attackers guess at many account names, with and without human proofs', async () => {
  const size = { attempts: 240, addresses: 120, names: 24, owners: 8 };
  const { ownersIn, guessed, answers } = await attackWhileOwnersSignIn(db, signIns, size);
  expect(ownersIn).toBe(8);
  expect(guessed).toBe(0);
  // Shows that the attack was real: guesses without a proof were refused, those with a proof compared.
  expect(answers.get('HumanProofNeeded')).toBeGreaterThan(80);
  expect(answers.get('InvalidPassword')).toBeGreaterThan(80);
});

const pairs = effort({ gate: 1_000, night: 10_000 });

describe('credential stuffing from 300 networks without a human proof', () => {
  const attack = async (nameOf: (index: number) => string, passSeconds: number) => {
    const lanes = Array.from({ length: 8 }, async (_, lane) => {
      for (let index = lane; index < pairs; index += 8) {
        clock.pass({ seconds: passSeconds });
        await signIns.byName(networkAt(index % 300), nameOf(index), `Guess-${index}`);
      }
    });
    await Promise.all(lanes);
  };

  test.each([
    ['within an hour', 'unknown names', 3_600 / pairs, (index: number) => `nobody-${index}`],
    ['within a day', 'unknown names', 86_400 / pairs, (index: number) => `nobody-${index}`],
    ['at one instant', 'one name', 0, () => member.loginName],
  ])(
    'an attack that tries stolen passwords %s at %s causes at most a hundred password hash computations',
    async (_when, _whose, pass, nameOf) => {
      expect(await signInFrom(home)).toBe(member.accountId);
      const before = signIns.hashed();
      await attack(nameOf, pass);
      expect(signIns.hashed() - before).toBeGreaterThan(0);
      expect(signIns.hashed() - before).toBeLessThanOrEqual(100);
      // The player on the known network is not affected.
      expect(await signInFrom(home)).toBe(member.accountId);
    },
    180_000,
  );
});

describe('accounts under attack', () => {
  const attackFrom = async (networks: number) => {
    for (let index = 0; index < networks * 6; index += 1) {
      await guessAt(networkAt(index % networks));
    }
  };

  test('a player whose account is attacked signs in from a new network with a human proof after two mistakes', async () => {
    await attackFrom(20);
    expect(await signInFrom(away)).toBe('HumanProofNeeded');
    expect(await guessAt(away)).toBe('InvalidPassword');
    expect(await guessAt(away)).toBe('InvalidPassword');
    expect(await signInWithProofFrom(away)).toBe(member.accountId);
  });

  test('a player whose account is attacked needs no human proof on a known network or in a known browser', async () => {
    const { loginName, password } = member;
    await signIns.byName({ network: home, device }, loginName, password);
    await attackFrom(20);
    expect(await signInFrom(home)).toBe(member.accountId);
    const there = { network: networkAt(0), device };
    expect(await signIns.byName(there, loginName, password)).toBe(member.accountId);
  });

  test('an account allows five failed sign-ins a day from each network that it does not know', async () => {
    await attackFrom(20);
    expect(signIns.hashed()).toBe(5 * 20);
    expect(await guessAt(networkAt(0))).toBe('SignInThrottled');
  });

  test('an account with 1,000 failed sign-ins a day still admits known networks, known browsers and one-time codes', async () => {
    const { loginName, password } = member;
    await signIns.byName({ network: home, device }, loginName, password);
    for (let index = 0; index < 5; index += 1) await guessAt(networkAt(index));
    await db.transaction((tx) =>
      tx.run(sql`update limit_counters set count = 999 where key like 'sign-in:name:%'`),
    );
    expect(await guessAt(networkAt(5))).toBe('InvalidPassword');
    expect(await guessAt(networkAt(6))).toBe('SignInThrottled');
    expect(await signInWithProofFrom(away)).toBe('SignInThrottled');
    expect(await signInFrom(home)).toBe(member.accountId);
    expect(await signIns.byName({ network: away, device }, loginName, password)).toBe(
      member.accountId,
    );
    const other = '203.0.113.0/24';
    expect(await signIns.attempt(other, await askForCode(other))).toBe(member.accountId);
    expect(await signInFrom(other)).toBe(member.accountId);
  });

  test('a network and browser known to one account still need a human proof for another, attacked account', async () => {
    const other = await givenMember(db);
    await signIns.byName({ network: away, device: otherDevice }, other.loginName, other.password);
    await attackFrom(20);
    const theirs = { network: away, device: otherDevice };
    expect(await signIns.byName(theirs, other.loginName, other.password)).toBe(other.accountId);
    const answer = await signIns.byName(theirs, member.loginName, member.password);
    expect(answer).toBe('HumanProofNeeded');
  });

  test('an account owner in a known browser can sign in after others have used up the allowed attempts of the same network', async () => {
    const { loginName, password } = member;
    await signIns.byName({ network: home, device }, loginName, password);
    for (let time = 0; time < 20; time += 1) await guessAt(home);
    expect(await signInWithProofFrom(home)).toBe('SignInThrottled');
    expect(await signIns.byName({ network: home, device }, loginName, password)).toBe(
      member.accountId,
    );
  });
});

describe('failed sign-ins', () => {
  test('a known network of an account is allowed ten failed sign-ins without and five with a human proof in an hour', async () => {
    await signInFrom(home);
    for (let time = 0; time < 10; time += 1) {
      expect(await signIns.byName(home, member.loginName, 'Guess-1')).toBe('InvalidPassword');
    }
    for (let time = 0; time < 5; time += 1) expect(await guessAt(home)).toBe('InvalidPassword');
    expect(await signInWithProofFrom(home)).toBe('SignInThrottled');
    clock.pass({ hours: 1 });
    expect(await signInFrom(home)).toBe(member.accountId);
  });

  test('a known browser of an account allows 15 failed sign-ins, and again after an hour', async () => {
    const { loginName, password } = member;
    await signIns.byName({ network: home, device }, loginName, password);
    for (let time = 0; time < 15; time += 1) {
      const answer = await signIns.byNameWithProof({ network: away, device }, loginName, 'Guess-1');
      expect(answer).toBe('InvalidPassword');
    }
    expect(await signIns.byNameWithProof({ network: away, device }, loginName, password)).toBe(
      'SignInThrottled',
    );
    clock.pass({ hours: 1 });
    expect(await signIns.byName({ network: away, device }, loginName, password)).toBe(
      member.accountId,
    );
  });

  test('an unknown network needs a human proof after three failures and is throttled after ten in an hour', async () => {
    for (let time = 0; time < 10; time += 1) {
      const guess = [`nobody-${time}`, 'Guess-1'] as const;
      const first = await signIns.byName(away, ...guess);
      expect(first).toBe(time < 3 ? 'LoginNameAccountNotFound' : 'HumanProofNeeded');
      if (time < 3) continue;
      const second = await signIns.byNameWithProof({ network: away }, ...guess);
      expect(second).toBe('LoginNameAccountNotFound');
    }
    expect(await signInWithProofFrom(away)).toBe('SignInThrottled');
    clock.pass({ hours: 1 });
    expect(await signInFrom(away)).toBe(member.accountId);
  });

  test('an account name with three failed sign-ins requires a human proof from unknown networks for a day', async () => {
    for (let index = 0; index < 3; index += 1) {
      expect(await signIns.byName(networkAt(index), member.loginName, 'Guess-1')).toBe(
        'InvalidPassword',
      );
    }
    expect(await signInFrom(away)).toBe('HumanProofNeeded');
    const other = await givenMember(db);
    expect(await signInFrom(away, other)).toBe(other.accountId);
    clock.pass({ hours: 24 });
    expect(await signInFrom('203.0.113.0/24')).toBe(member.accountId);
  });

  test('at most eight of fifty concurrent password guesses from one network are compared with the password hash', async () => {
    await Promise.all(Array.from({ length: 50 }, () => guessAt(away)));
    expect(signIns.hashed()).toBeLessThanOrEqual(5 + 3);
  });

  test("the shop-wide count of failed sign-ins falls with a player's first sign-in from a network, but not with the next ones", async () => {
    const players = [];
    for (let index = 0; index < 10; index += 1) players.push(await givenMember(db));
    const failAt = async (from: number, count: number) => {
      for (let index = from; index < from + count; index += 1) {
        await signIns.byNameWithProof({ network: networkAt(index) }, `nobody-${index}`, 'Guess-1');
      }
    };
    await failAt(0, 30);
    expect(await signIns.byName(networkAt(100), 'nobody', 'Guess-1')).toBe('HumanProofNeeded');
    for (const player of players) await signInWithProofFrom(away, player);
    expect(await strangers()).toBe(0);
    await failAt(200, 6);
    for (const player of players) await signInFrom(away, player);
    expect(await strangers()).toBe(6);
  });

  test('sign-ins with wrong one-time codes count against their network, but not against known browsers', async () => {
    const byCode = (network: string) =>
      signIns.attempt(network, { method: 'MOBILE_AUTH', phone: '+12025550199', code: '123456' });
    const credentials = await askForCode(away);
    await signIns.byName({ network: home, device }, member.loginName, member.password);
    const before = signIns.hashed();
    for (let time = 0; time < 10; time += 1)
      expect(await byCode(away)).toBe('MobileAccountNotFound');
    expect(await byCode(away)).toBe('SignInThrottled');
    expect(await byCode(home)).toBe('MobileAccountNotFound');
    expect(signIns.hashed()).toBe(before);
    expect(await signIns.attempt({ network: away, device }, credentials)).toBe(member.accountId);
  });
});

test('a human proof works for one sign-in attempt only', async () => {
  for (let time = 0; time < 3; time += 1) await guessAt(away);
  const visitor = { network: away, proof: await signIns.prove() };
  expect(await signIns.byName(visitor, 'nobody', 'Guess-1')).toBe('LoginNameAccountNotFound');
  expect(await signIns.byName(visitor, 'nobody', 'Guess-1')).toBe('HumanProofNeeded');
});

test('a sign-in refused by a limit of attempts writes no database row and leaves its human proof usable', async () => {
  const written = () =>
    db.one(
      z.object({ rows: z.string() }),
      sql`
        select (select count(*) from limit_counters) || ' ' || (select sum(count) from limit_counters)
          || ' ' || (select count(*) from used_proofs) as rows`,
    );
  for (let time = 0; time < 10; time += 1) await guessAt(networkAt(time % 2));
  const before = await written();
  let used = 0;
  const credentials = {
    method: 'LOGIN_NAME_PASSWD_AUTH',
    loginName: member.loginName,
    password: 'Guess-1',
  } as const;
  const consume = async () => {
    used += 1;
  };
  const proof = await signIns.prove();
  for (const refused of [
    { network: networkAt(0), proof },
    { network: away, proof: null },
    { network: away, proof: 'made up' },
  ]) {
    await signIns.attempt({ ...refused, consume }, credentials);
  }
  expect(await written()).toEqual(before);
  expect(used).toBe(0);
});

const strangers = async () => {
  const { count } = await db.one(
    z.object({ count: z.int() }),
    sql`select count from limit_counters where key = 'sign-in:strangers'`,
  );
  return count;
};

test('a known network or browser of an account is deleted ninety days after its last sign-in', async () => {
  const kept = async () => {
    await signIns.guard.forgetOld();
    const networks = await db.many(z.object({}), sql`select network from known_networks`);
    const devices = await db.many(z.object({}), sql`select device_hash from known_devices`);
    return [networks.length, devices.length];
  };
  const come = () => signIns.byName({ network: home, device }, member.loginName, member.password);
  await come();
  clock.pass({ hours: 24 * 90 - 1 });
  expect(await kept()).toEqual([1, 1]);
  await come();
  clock.pass({ hours: 24 * 90 - 1 });
  expect(await kept()).toEqual([1, 1]);
  clock.pass({ hours: 1 });
  expect(await kept()).toEqual([0, 0]);
});

test('an account keeps at most its fifty newest browsers as known browsers', async () => {
  for (let index = 0; index < 55; index += 1) {
    clock.pass({ seconds: 1 });
    const newOne = String(index).padStart(43, 'd');
    await signIns.byName({ network: home, device: newOne }, member.loginName, member.password);
  }
  const devices = await db.many(z.object({}), sql`select device_hash from known_devices`);
  expect(devices).toHaveLength(50);
});

test('a sign-in with an unknown account name computes a password hash like any other sign-in', async () => {
  expect(await signIns.byName(away, 'nobody', 'Dawn-58')).toBe('LoginNameAccountNotFound');
  expect(signIns.hashed()).toBe(1);
});

test('an account without a password refuses every password', async () => {
  await db.transaction((tx) => tx.run(sql`update identities set password_hash = null`));
  for (const password of ['', 'Dawn-58', 'nobody has this password']) {
    expect(await signIns.byName(away, member.loginName, password)).toBe('InvalidPassword');
  }
  expect(signIns.hashed()).toBe(3);
});

test('only one of two concurrent sign-ins with the same one-time code succeeds', async () => {
  const credentials = await askForCode(home);
  const outcomes = await Promise.all(
    [home, away].map((network) => signIns.attempt(network, credentials)),
  );
  expect(outcomes.toSorted()).toEqual([member.accountId, 'InvalidMobileCode'].toSorted());
});
