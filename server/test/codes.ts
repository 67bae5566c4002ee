import { randomUUID } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { addIdentity, createAccount } from '../src/people/accounts/accounts.ts';
import {
  type CodeMessages,
  type Codes,
  type CodesOptions,
  openCodes,
} from '../src/people/accounts/codes.ts';
import { type HumanProofs, openHumanProofs } from '../src/people/accounts/human-proof.ts';
import { openSignInGuard } from '../src/people/accounts/sign-in-guard.ts';
import { openBlindIndex } from '../src/platform/blind-index.ts';
import type { Db } from '../src/platform/db.ts';
import { testIdentityKeyOf, testIndexKey } from './identities.ts';
import { quickPasswordHash } from './quick-password-hash.ts';

/** A clock that only moves when told to. */
export interface VirtualClock {
  now(): number;
  pass(time: { seconds?: number; hours?: number }): void;
}

export function startClock(): VirtualClock {
  let at = Date.now();
  return {
    now: () => at,
    pass: ({ seconds = 0, hours = 0 }) => {
      at += (seconds + hours * 3600) * 1000;
    },
  };
}

/** The browser id of all code requests in tests, as in its cookie. */
export const testBrowser = 'b'.repeat(43);
export const testBrowserCookie = `away=${testBrowser}`;

/** A sign-in attempt of that browser without a proof of work. */
export const testSignIn = {
  device: undefined,
  proof: null,
  consume: async () => {},
  site: { siteId: 'solmere', portalUrl: 'http://localhost' },
  locale: 'en-US',
  browser: testBrowser,
} as const;

/** Messages that were passed to the mail server and the SMS provider. */
export interface Outbox extends CodeMessages {
  sent: { to: string; code: string }[];
  codeFor(to: string): string;
}

export function openOutbox(): Outbox {
  const sent: Outbox['sent'] = [];
  const keep = async ({ to, code }: { to: string; code: string }) => {
    sent.push({ to, code });
    return 'sent' as const;
  };
  return {
    sent,
    canMail: true,
    canText: () => true,
    mailCode: keep,
    textCode: keep,
    codeFor: (to) => {
      const message = sent.findLast((one) => one.to === to);
      if (message === undefined) throw new Error('no code was sent to this address');
      return message.code;
    },
  };
}

export interface TestCodes {
  codes: Codes;
  outbox: Outbox;
  proofs: HumanProofs;
  /** Requests a challenge and solves it. */
  prove(): Promise<string>;
}

export function openTestCodes(
  { db, clock }: { db: Db; clock: VirtualClock },
  changes: Partial<CodesOptions> = {},
): TestCodes {
  const outbox = openOutbox();
  const blindIndex = openBlindIndex(testIndexKey);
  const guard = openSignInGuard({ db, now: clock.now, blindIndex });
  const proofs = openHumanProofs({
    secret: 'a secret of the tests',
    now: clock.now,
    effort: { cost: 10, counterMin: 1, counterMax: 5 },
  });
  const codes = openCodes({
    db,
    messages: outbox,
    proofs,
    identityKeyOf: testIdentityKeyOf,
    isKnownNetwork: guard.isKnownNetwork,
    pepper: 'a pepper of the tests',
    countries: ['CN', 'US', 'JP', 'DE'],
    textsPerDayMax: 2_000,
    textsUnansweredMax: 90,
    now: clock.now,
    ...changes,
  });
  return { codes, outbox, proofs, prove: async () => await solve(await proofs.challenge()) };
}

export async function solve(
  challenge: Awaited<ReturnType<HumanProofs['challenge']>>,
): Promise<string> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return Buffer.from(JSON.stringify({ challenge, solution })).toString('base64');
}

/** An account with login name, mail address, phone number and password. */
export interface TestMember {
  accountId: string;
  loginName: string;
  email: string;
  phone: string;
  password: string;
}

/** The number of members per database, because phone numbers are unique. */
const members = new WeakMap<Db, number>();

export async function givenMember(db: Db, changes: Partial<TestMember> = {}): Promise<TestMember> {
  const number = (members.get(db) ?? 0) + 1;
  members.set(db, number);
  const loginName = `member-${randomUUID()}`;
  const member = {
    loginName,
    email: `${loginName}@example.com`,
    phone: `+120255501${String(number).padStart(2, '0')}`,
    password: 'Dawn-58',
    ...changes,
  };
  const passwordHash = await quickPasswordHash(member.password);
  const accountId = await db.transaction(async (tx) => {
    const id = await createAccount(tx, { loginName, displayName: loginName, passwordHash });
    const { email, phone } = member;
    const byMail = testIdentityKeyOf({ accountType: 'EMAIL', subject: email });
    const byPhone = testIdentityKeyOf({ accountType: 'MOBILE', subject: phone });
    await addIdentity(tx, { accountId: id, key: byMail, passwordHash });
    await addIdentity(tx, { accountId: id, key: byPhone, passwordHash });
    return id;
  });
  return { accountId, ...member };
}
