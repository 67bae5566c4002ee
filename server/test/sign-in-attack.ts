import type { Credentials } from '@pointgate/contract/credentials.ts';
import { z } from 'zod';
import { openPasswordCheck } from '../src/people/accounts/password-check.ts';
import { isRightPassword } from '../src/people/accounts/passwords.ts';
import { proveIdentity, typedSignIns } from '../src/people/accounts/sign-in.ts';
import {
  openSignInGuard,
  type Place,
  type SignInGuard,
} from '../src/people/accounts/sign-in-guard.ts';
import { openBlindIndex } from '../src/platform/blind-index.ts';
import type { Db } from '../src/platform/db.ts';
import {
  givenMember,
  openTestCodes,
  type TestCodes,
  type TestMember,
  testSignIn,
  type VirtualClock,
} from './codes.ts';
import { testAddresses, testIdentityKeyOf, testIndexKey } from './identities.ts';

type Visitor = Partial<Place> & {
  proof?: string | null;
  /** Called when the attempt uses its encrypted request up. */
  consume?: () => Promise<void>;
};

export interface TestSignIns extends TestCodes {
  guard: SignInGuard;
  /** The number of password comparisons. */
  hashed(): number;
  /** The account, or the refusal code. */
  attempt(from: string | Visitor, credentials: Credentials): Promise<string>;
  byName(from: string | Visitor, loginName: string, password: string): Promise<string>;
  /** Signs in like the portal, with a proof of work if one is required. */
  byNameWithProof(from: Visitor, loginName: string, password: string): Promise<string>;
}

export function openTestSignIns(db: Db, clock: VirtualClock): TestSignIns {
  const guard = openSignInGuard({ db, now: clock.now, blindIndex: openBlindIndex(testIndexKey) });
  const own = openTestCodes({ db, clock });
  let hashed = 0;
  const checkPassword = openPasswordCheck({
    ...own,
    db,
    guard,
    isRightPassword: async (passwordHash, password) => {
      hashed += 1;
      return await isRightPassword(passwordHash, password);
    },
  });
  const methods = typedSignIns({
    ...own,
    db,
    guard,
    identityKeyOf: testIdentityKeyOf,
    addresses: testAddresses,
    checkPassword,
  });
  const attempt: TestSignIns['attempt'] = async (from, credentials) => {
    const visitor = typeof from === 'string' ? { network: from } : from;
    try {
      const input = { ...testSignIn, network: '192.0.2.0/24', ...visitor, credentials };
      return (await proveIdentity(methods, credentials.method, input)).accountId;
    } catch (error) {
      return z.object({ code: z.string() }).parse(error).code;
    }
  };
  const byName: TestSignIns['byName'] = (from, loginName, password) =>
    attempt(from, { method: 'LOGIN_NAME_PASSWD_AUTH', loginName, password });
  return {
    ...own,
    guard,
    hashed: () => hashed,
    attempt,
    byName,
    byNameWithProof: async (from, loginName, password) => {
      const answer = await byName(from, loginName, password);
      if (answer !== 'HumanProofNeeded') return answer;
      return await byName({ ...from, proof: await own.prove() }, loginName, password);
    },
  };
}

/** One of 65,536 networks. */
export const networkAt = (index: number) => `10.${index >> 8}.${index & 255}.0/24`;

export interface AttackSize {
  attempts: number;
  addresses: number;
  names: number;
  owners: number;
}

/**
 * Guesses passwords from many addresses, every second time with a proof of work, while owners of
 * some of the accounts sign in from new addresses. Each address is in a different network, which
 * suits the attacker best, and everything happens at the same time.
 */
export async function attackWhileOwnersSignIn(
  db: Db,
  signIns: TestSignIns,
  { attempts, addresses, names, owners }: AttackSize,
): Promise<{ ownersIn: number; guessed: number; answers: Map<string, number> }> {
  const members: TestMember[] = [];
  for (let index = 0; index < names; index += 1) members.push(await givenMember(db));
  const memberAt = (index: number) => {
    const member = members[index % names];
    if (member === undefined) throw new Error('there is no member to attack');
    return member;
  };
  const answers = new Map<string, number>();
  let guessed = 0;
  let ownersIn = 0;
  const guess = async (index: number) => {
    const { loginName, accountId } = memberAt(index);
    const from = { network: networkAt(index % addresses) };
    const work = Math.floor(index / addresses + index) % 2 === 0 ? 'byName' : 'byNameWithProof';
    const answer = await signIns[work](from, loginName, `Guess-${index}`);
    if (answer === accountId) guessed += 1;
    answers.set(answer, (answers.get(answer) ?? 0) + 1);
  };
  const own = async (index: number) => {
    const { loginName, password, accountId } = memberAt(index);
    const from = { network: `172.${16 + (index >> 8)}.${index & 255}.0/24` };
    if ((await signIns.byNameWithProof(from, loginName, password)) === accountId) ownersIn += 1;
  };
  const between = Math.floor(attempts / owners);
  let next = 0;
  const lane = async () => {
    for (let index = next++; index < attempts; index = next++) {
      await guess(index);
      if (index % between === between - 1) await own((index - between + 1) / between);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return { ownersIn, guessed, answers };
}
