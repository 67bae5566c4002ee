import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { hash, verify } from '@node-rs/argon2';
import type { CodePurpose } from '@pointgate/contract/codes.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import { isPasswordWellFormed } from '@pointgate/contract/passwords.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import {
  selectAccountLocked,
  selectIdentity,
  updatePassword,
  updateReset,
} from './accounts.queries.ts';
import { beginRealNameWait } from './accounts.ts';
import type { Addresses } from './addresses.ts';
import type { Codes } from './codes.ts';
import { readHash } from './foreign-hashes.ts';
import type { IdentityKeyOf } from './identity-keys.ts';
import type { SignInGuard } from './sign-in-guard.ts';

interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** Other costs than the default are for tests with thousands of guesses. */
export function passwordsAt(cost: PasswordCost) {
  // A dummy hash for accounts without a password, so that both answers take the same time.
  const nobodysHash = hash(randomBytes(32), cost);
  const ownPrefix = `$argon2id$v=19$m=${cost.memoryCost},t=${cost.timeCost},p=${cost.parallelism}$`;
  return {
    hashPassword: async (password: string): Promise<string> => await hash(password, cost),
    /** Whether this shop made the hash, at its present cost. */
    isOwnHash: (passwordHash: string): boolean => passwordHash.startsWith(ownPrefix),
    /**
     * Reads hashes of other systems as well. Takes the time of an own one if there is none to compare
     * with, or one that cannot be read.
     */
    isRightPassword: async (
      passwordHash: string | null | undefined,
      password: string,
    ): Promise<boolean> => {
      const check = typeof passwordHash === 'string' ? readHash(passwordHash) : undefined;
      if (typeof check === 'function') return await check(password);
      await verify(await nobodysHash, password);
      return false;
    },
  };
}

// Argon2id with the parameters that OWASP recommends: 19 MiB, two passes.
export const { hashPassword, isOwnHash, isRightPassword } = passwordsAt({
  memoryCost: 19_456,
  timeCost: 2,
  parallelism: 1,
});

/** Passwords that attackers try first, in lower case. */
export type KnownPasswords = ReadonlySet<string>;

const ownList = new URL('../../../data/known-passwords.txt', import.meta.url);

export async function readKnownPasswords(file: string | undefined): Promise<KnownPasswords> {
  const text = await readFile(file ?? ownList, 'utf8');
  const lines = text.split('\n').map((line) => line.trim().toLowerCase());
  return new Set(lines.filter((line) => line !== ''));
}

/** Refuses a new password that is malformed or on the list of known passwords. */
export function requireGoodPassword(password: string, known: KnownPasswords): void {
  if (!isPasswordWellFormed(password)) throw new AppError('PasswordFormatMismatch');
  if (known.has(password.toLowerCase())) throw new AppError('PasswordKnown');
}

export interface PasswordParts<Followed> {
  db: Db;
  codes: Codes;
  guard: SignInGuard;
  identityKeyOf: IdentityKeyOf;
  addresses: Addresses;
  knownPasswords: KnownPasswords;
  onReset: OnReset<Followed>;
}

/** Runs after a password reset, in its transaction. */
export type OnReset<Followed> = (
  tx: Tx,
  reset: { accountId: string; siteId: string; event: 'password_reset' | 'recovery_code_used' },
) => Promise<Followed>;

/**
 * Sets a new password for all typed names, ends all access and withholds real-name data, after a
 * valid code.
 */
export async function setPassword<Followed>(
  tx: Tx,
  { onReset }: Pick<PasswordParts<Followed>, 'onReset'>,
  { password, ...reset }: Parameters<OnReset<Followed>>[1] & { password: string },
): Promise<Followed> {
  const { accountId } = reset;
  await updatePassword(tx, { accountId, passwordHash: await hashPassword(password) });
  await beginRealNameWait(tx, accountId);
  await updateReset(tx, accountId);
  return await onReset(tx, reset);
}

/**
 * Resets the password with a code, which is used up, and ends all sessions. The network becomes
 * known, so that the player can sign in while the account is under attack. Answers the account.
 */
export async function resetPassword<Followed>(
  { db, codes, guard, identityKeyOf, addresses, knownPasswords, onReset }: PasswordParts<Followed>,
  input: {
    accountType: 'EMAIL' | 'MOBILE';
    subject: string;
    purpose: CodePurpose;
    code: string;
    password: string;
    siteId: string;
    network: string;
    device: string | undefined;
    locale: Locale;
    browser: string | undefined;
  },
): Promise<{ accountId: string; followed: Followed }> {
  requireGoodPassword(input.password, knownPasswords);
  const {
    purpose,
    accountType,
    subject: to,
    code,
    siteId,
    network,
    device,
    locale,
    browser,
  } = input;
  const key = identityKeyOf(input);
  const identity = await selectIdentity(db, key);
  const accountId = identity?.account_id;
  const admission = await guard.admitCode({ accountId, network, device });
  // Returned instead of thrown, because the attempt must be committed.
  const reset = await db.transaction(async (tx) => {
    const isRight = await codes.use(tx, { purpose, to, code, browser });
    if (!isRight || accountId === undefined) return undefined;
    await selectAccountLocked(tx, accountId);
    // The address may have been removed from the account while waiting for the lock.
    if ((await selectIdentity(tx, key))?.account_id !== accountId) return undefined;
    const proven = { accountId, accountType, subject: to, locale, by: 'code' } as const;
    await addresses.keepIn(tx, proven);
    const { password } = input;
    const event = 'password_reset';
    return {
      followed: await setPassword(tx, { onReset }, { accountId, siteId, password, event }),
    };
  });
  if (reset === undefined || accountId === undefined) {
    await guard.failed(admission);
    throw new AppError(input.accountType === 'EMAIL' ? 'InvalidEmailCode' : 'InvalidMobileCode');
  }
  await guard.succeeded({ accountId, network, device });
  return { accountId, followed: reset.followed };
}
