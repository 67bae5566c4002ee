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
import type { IdentityKeyOf } from './identity-keys.ts';
import type { SignInGuard } from './sign-in-guard.ts';

interface PasswordCost {
  memoryCost: number;
  timeCost: number;
  parallelism: number;
}

/** Another price than the shop's own is for tests, where thousands of guesses are made. */
export function passwordsAt(cost: PasswordCost) {
  // Compared with when there is no password, so that both answers take the same time.
  const nobodysHash = hash(randomBytes(32), cost);
  return {
    hashPassword: async (password: string): Promise<string> => await hash(password, cost),
    /** Takes its time even if there is nothing to compare with. */
    isRightPassword: async (
      passwordHash: string | null | undefined,
      password: string,
    ): Promise<boolean> => {
      const isRight = await verify(passwordHash ?? (await nobodysHash), password);
      return isRight && typeof passwordHash === 'string';
    },
  };
}

// Argon2id with the figures OWASP gives: 19 MiB, two passes.
export const { hashPassword, isRightPassword } = passwordsAt({
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

/** Refuses a new password that breaks the rule or that everybody knows. */
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

/** What follows from a new password by code. */
export type OnReset<Followed> = (
  tx: Tx,
  reset: { accountId: string; siteId: string; event: 'password_reset' | 'recovery_code_used' },
) => Promise<Followed>;

/** Sets what a code has earned: a password for all typed names, and an end to all that was begun before. */
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
 * Sets a new password for all ways into the account and ends all its sessions. The code is used up.
 * The player is known from this network afterwards, and so can sign in while others are guessing.
 * Answers whose password it is.
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
  // Returned and not thrown: a wrong code is a try that has to be counted.
  const reset = await db.transaction(async (tx) => {
    const isRight = await codes.use(tx, { purpose, to, code, browser });
    if (!isRight || accountId === undefined) return undefined;
    await selectAccountLocked(tx, accountId);
    // Meanwhile the address may have been taken off the account.
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
