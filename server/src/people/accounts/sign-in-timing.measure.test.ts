import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { givenMember, startClock } from '../../../test/codes.ts';
import { testCipher, testIndexKey } from '../../../test/identities.ts';
import { type MessageWorld, startMessageWorld } from '../../../test/messages.ts';
import { startShopProcess } from '../../../test/processes.ts';
import { openTestShop, seal, send, type TestShop } from '../../../test/shop.ts';
import { chanceOfLonger, type Kinds, timesOf } from '../../../test/timing.ts';
import { sql } from '../../platform/db.ts';
import { createApi } from '../../wiring/app.ts';
import type { Codes } from './codes.ts';
import { type CredentialChecks, openCredentialChecks } from './credentials.ts';
import { openPasswordCheck } from './password-check.ts';
import { type isRightPassword, passwordsAt } from './passwords.ts';
import { typedSignIns } from './sign-in.ts';

// Timing side channels: whole calls over HTTP are timed, with a password hash cheaper than the
// shop's own, so that everything else is a larger part of the time.
const passwords = passwordsAt({ memoryCost: 4_096, timeCost: 2, parallelism: 1 });

const clock = startClock();
let world: MessageWorld;
let shop: TestShop;
let checks: CredentialChecks;
let passwordHash: string;
const apis: { close(): Promise<unknown> }[] = [];
beforeAll(async () => {
  world = await startMessageWorld();
  shop = await openTestShop({ TRUST_PROXY: '1' });
  checks = await openCredentialChecks({
    db: shop.db,
    messages: world.messages,
    redisUrl: undefined,
    pepper: 'a pepper of the tests',
    indexKey: testIndexKey,
    cipher: testCipher,
    countries: ['US'],
    textsPerDayMax: 1_000,
    textsUnansweredMax: 1_000,
    knownPasswordsFile: undefined,
    now: clock.now,
  });
  passwordHash = await passwords.hashPassword('Dawn-58');
});
afterAll(async () => {
  for (const api of apis) await api.close();
  await checks.close();
  await shop.closeAll();
  await world.stop();
});

/** The shop with one part of it changed, over HTTP. */
async function shopWith(changes: {
  isRight?: typeof isRightPassword;
  codes?: Codes;
}): Promise<TestShop> {
  const { isRight = passwords.isRightPassword, codes = checks.codes } = changes;
  const methods = typedSignIns({
    ...checks,
    checkPassword: openPasswordCheck({ ...checks, isRightPassword: isRight }),
  });
  const api = await createApi({ ...shop, checks: { ...checks, codes, methods } });
  apis.push(api);
  const url = await api.listen({ host: '127.0.0.1', port: 0 });
  return { ...shop, url: url.replace('127.0.0.1', 'localhost') };
}

let callers = 0;
/** A caller from an unused network, on a day without failures, far from any limit. */
function newCaller(): Record<string, string> {
  callers += 1;
  clock.pass({ hours: 25 });
  return { 'x-forwarded-for': `10.${callers >> 8}.${callers & 255}.9` };
}

/** An account with this password hash, or without a password, and without failed sign-ins. */
async function givenName(hash: string | null): Promise<string> {
  const { accountId, loginName } = await givenMember(shop.db);
  await shop.db.transaction((tx) =>
    tx.run(sql`update identities set password_hash = ${hash} where account_id = ${accountId}`),
  );
  return loginName;
}

/** An unknown name, of the same length and with the same preparation as the known names. */
async function nobodysName(): Promise<string> {
  await givenName(passwordHash);
  return `member-${randomUUID()}`;
}

const guessAt = async (at: TestShop, loginName: string, code: string) => {
  const path = '/api/user/login';
  const guess = { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password: 'Guess-1' };
  const body = { data: await seal(at, path, guess) };
  const headers = newCaller();
  return async () => {
    expect((await send(at, path, { body, headers })).code).toBe(code);
  };
};

const guesses = (at: TestShop) => ({
  unknown: async () => guessAt(at, await nobodysName(), 'LoginNameAccountNotFound'),
  known: async () => guessAt(at, await givenName(passwordHash), 'InvalidPassword'),
  withoutPassword: async () => guessAt(at, await givenName(null), 'InvalidPassword'),
});

const askFor = (at: TestShop, email: string) => {
  const body = { email, purpose: 'password_forget_email', proof: null };
  const headers = newCaller();
  return async () => {
    expect(await send(at, '/api/user/email/code/send', { body, headers })).toMatchObject({
      isSuccess: true,
    });
  };
};

const requests = (at: TestShop) => ({
  unknown: async () => askFor(at, `${await nobodysName()}@example.com`),
  known: async () => askFor(at, `${await givenName(passwordHash)}@example.com`),
});

/** By kind: the probability that it takes longer than the unknown name. A half reveals nothing. */
async function cluesOf<Name extends string>(
  kinds: Kinds<Name | 'unknown'>,
  each: number,
): Promise<number[]> {
  const { unknown, ...others } = await timesOf(kinds, { each });
  return Object.values<number[]>(others).map((times) => chanceOfLonger(times, unknown));
}

async function anyOfThree(
  clues: () => Promise<number[]>,
  isTold: (clues: number[]) => boolean,
): Promise<boolean> {
  return isTold(await clues()) || isTold(await clues()) || isTold(await clues());
}

const isClue = (chance: number) => chance < 0.45 || chance > 0.55;

describe('timing of refused sign-ins', () => {
  test('the time of a refused sign-in does not reveal in 2,000 attempts whether its account name exists', async () => {
    const at = await shopWith({});
    await timesOf(guesses(at), { each: 20 }); // Warms up.
    const first = await cluesOf(guesses(at), 667);
    if (!first.some(isClue)) return;
    // Chance alone exceeds the bound once in hundreds of runs, so only two in a row count.
    const second = await cluesOf(guesses(at), 667);
    const clues = first.map((chance, kind) => [chance, second[kind] ?? 0.5]);
    expect(clues.filter((both) => both.every(isClue))).toEqual([]);
  }, 300_000);

  test('the timing test of sign-ins detects a shop that skips the password hash for unknown account names', async () => {
    const at = await shopWith({
      isRight: async (hash, password) =>
        typeof hash === 'string' && (await passwords.isRightPassword(hash, password)),
    });
    // A busy machine can blur the times, but hardly three times in a row.
    const clues = async () => await cluesOf(guesses(at), 100);
    const isTold = ([known = 0, withoutPassword = 1]: number[]) =>
      known > 0.65 && withoutPassword < known;
    expect(await anyOfThree(clues, isTold)).toBe(true);
  }, 180_000);
});

describe('timing of code requests', () => {
  test('the time of a request for a one-time code does not reveal whether the mail address has an account', async () => {
    // A separate process: its work after the answer must not delay the measurement of the answer.
    const api = await startShopProcess(shop, 'api', {
      TRUST_PROXY: '1',
      LOG_LEVEL: 'error',
      SMTP_URL: world.config.mail.smtpUrl,
      MAIL_FROM: world.config.mail.from,
    });
    apis.push({ close: api.stop });
    const at = { ...shop, url: api.url };
    await timesOf(requests(at), { each: 20 });
    const [first = 0.5] = await cluesOf(requests(at), 500);
    if (!isClue(first)) return;
    const [second = 0.5] = await cluesOf(requests(at), 500);
    expect([first, second].filter(isClue)).not.toHaveLength(2);
  }, 300_000);

  test('the timing test of one-time codes detects a shop that answers a request only after it has sent the mail', async () => {
    const codes: Codes = {
      ...checks.codes,
      send: async (request) => {
        const answer = await checks.codes.send(request);
        await checks.codes.settle();
        return answer;
      },
    };
    const at = await shopWith({ codes });
    const clues = async () => await cluesOf(requests(at), 50);
    expect(await anyOfThree(clues, ([known = 0]) => known > 0.65)).toBe(true);
  }, 180_000);
});
