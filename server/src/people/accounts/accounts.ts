import type { SignedIn } from '@pointgate/contract/accounts.ts';
import { deviceOf } from '@pointgate/contract/device.ts';
import { stepUpMinutes } from '@pointgate/contract/passkeys.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { newId } from '../../platform/ids.ts';
import { type QuickLimits, requireRowRoom } from '../../platform/limits.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import { admit } from './account-states.ts';
import {
  deleteAccess,
  deleteOldEnvelopes,
  deleteOldSessions,
  deleteSession,
  insertAccount,
  insertIdentity,
  insertUsedEnvelope,
  type SessionKey,
  selectAccount,
  selectAccountLocked,
  selectGameAccount,
  selectIdentity,
  selectIsBound,
  selectSession,
  selectStanding,
  selectWait,
  updatePassword,
  updateSteppedUp,
  updateWait,
  upsertSession,
} from './accounts.queries.ts';
import { returnAddresses } from './addresses.ts';
import { type IdentityKey, keyOfOpenIdentity, type OpenIdentity } from './identity-keys.ts';
import { deleteRecoveryCodesSince } from './recovery-codes.queries.ts';
import { sealedBodySecondsMax } from './sealed-body.ts';
import { newSessionToken, readSessionToken } from './session-token.ts';
import { updateSeen } from './sessions.queries.ts';

export const sessionDays = 30;

export interface Session {
  /** The cookie's value. */
  token: string;
  signedIn: SignedIn;
}

/**
 * Starts a session, which ends the account's older one on this site, and answers the cookie's
 * value. `by` is the proof: a link proves less, because anybody with a session can request one.
 */
export async function startSession(
  tx: Tx,
  input: {
    accountId: string;
    siteId: string;
    by: 'credentials' | { passkeyId: string } | 'link';
    /** The game account of a link, for players with several. */
    gameAccount?: { gameId: string; gameAccountId: string };
    /** An earlier end than usual: a session renewed through its own links must not last forever. */
    endsAt?: Date | undefined;
  },
): Promise<string> {
  const { accountId, siteId, by, gameAccount = null, endsAt = null } = input;
  await admit(tx, { accountId, isByLink: by === 'link' });
  const { value, tokenHash } = newSessionToken(accountId);
  const passkeyId = typeof by === 'string' ? null : by.passkeyId;
  const proof = { isProven: by !== 'link', passkeyId };
  const key = { accountId, siteId, tokenHash };
  await upsertSession(tx, { ...key, days: sessionDays, endsAt, gameAccount, ...proof });
  return value;
}

/** The key of the session that a cookie claims, which may have ended. */
export function sessionKeyOf(token: string | undefined, siteId: string): SessionKey {
  const read = token === undefined ? undefined : readSessionToken(token);
  if (read === undefined) throw new AppError('InvalidToken');
  return { ...read, siteId };
}

/**
 * Whether the session was recently started or stepped up. Always read from the sessions table and
 * never cached, so that stale data cannot grant more rights.
 */
export async function standingOf(
  db: Db | Tx,
  key: SessionKey,
): Promise<{ isNew: boolean; isSteppedUp: boolean; steppedUpWith: string | null }> {
  const row = await selectStanding(db, { ...key, minutes: stepUpMinutes });
  if (row === undefined) throw new AppError('InvalidToken');
  const { is_new: isNew, is_stepped_up: isSteppedUp, stepped_up_with: steppedUpWith } = row;
  return { isNew, isSteppedUp, steppedUpWith };
}

/** From now on, and for ten minutes, the session counts as stepped up. */
export async function stepUp(tx: Tx, key: SessionKey, passkeyId: string): Promise<void> {
  if (!(await updateSteppedUp(tx, { ...key, passkeyId }))) throw new AppError('InvalidToken');
}

/** `ended` means an invalid token or a session that has ended: signed out, expired or replaced. */
export async function accountOfSession(
  db: Db,
  call: { token: string; siteId: string; userAgent: string },
): Promise<{ accountId: string } | 'ended'> {
  const read = readSessionToken(call.token);
  if (read === undefined) return 'ended';
  const key = { ...read, siteId: call.siteId };
  const session = await selectSession(db, key);
  if (session?.is_live !== true) return 'ended';
  // Recorded here and not at the sign-in, so that no sign-in waits for it; written once an hour.
  if (!session.is_seen) await db.transaction((tx) => updateSeen(tx, key, deviceOf(call.userAgent)));
  return { accountId: read.accountId };
}

/** Serializes changes of an account's sign-in methods. */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await selectAccountLocked(tx, accountId);
}

/** Ends all sessions of an account and invalidates all links that would start one. */
export async function deleteAccessOf(tx: Tx, accountId: string): Promise<void> {
  await deleteAccess(tx, accountId);
}

/**
 * How long real-name data is withheld after a proof by codes alone, which an attacker may have
 * read.
 */
export const realNameWaitHours = 72;

/** Withholds real-name data after a code that an attacker may have read. */
export async function beginRealNameWait(tx: Tx, accountId: string): Promise<void> {
  await updateWait(tx, { accountId, hours: realNameWaitHours });
}

/**
 * The current waiting period for an account's real-name data. Several codes in a row extend one
 * period.
 */
export async function realNameWaitOf(
  db: Db,
  accountId: string,
): Promise<{ since: Date; until: Date } | undefined> {
  return await selectWait(db, { accountId, hours: realNameWaitHours });
}

/**
 * Reverts the sign-in methods of an account to this time, ends all sessions and disables the
 * password, so that a new one must be set with a code.
 */
export async function lockOut(
  tx: Tx,
  { accountId, since }: { accountId: string; since: Date },
): Promise<void> {
  await returnAddresses(tx, { accountId, since });
  await deleteRecoveryCodesSince(tx, { accountId, since });
  await updatePassword(tx, { accountId, passwordHash: null });
}

/** The topic that is published after the commit when a session of the account starts or ends. */
export function sessionsTopic(accountId: string): string {
  return `sessions:${accountId}`;
}

/** Ends the session if it exists; answers the account that the token claims. */
export async function signOut(
  db: Db,
  { token, siteId }: { token: string; siteId: string },
): Promise<{ accountId: string } | undefined> {
  const read = readSessionToken(token);
  if (read !== undefined) await db.transaction((tx) => deleteSession(tx, { ...read, siteId }));
  return read;
}

export async function whoIs(
  db: Db,
  { accountId, siteId, gameIds }: { accountId: string; siteId: string; gameIds: readonly string[] },
): Promise<SignedIn> {
  const account = await accountOf(db, accountId);
  return {
    login: true,
    accountId,
    accountType: account.account_type,
    displayName: account.display_name,
    userId: accountId,
    gameAccountId: (await findGameAccount(db, { accountId, siteId, gameIds })) ?? null,
  };
}

export async function displayNameOf(db: Db | Tx, accountId: string): Promise<string> {
  return (await accountOf(db, accountId)).display_name;
}

async function accountOf(db: Db | Tx, accountId: string) {
  const account = await selectAccount(db, accountId);
  if (account === undefined) throw new Error(`account ${accountId} has a session but no row`);
  return account;
}

/** The game account that the player tops up. Throws if the account has none in this game. */
export async function gameAccountOf(
  db: Db,
  { gameId, ...key }: { accountId: string; siteId: string; gameId: string },
): Promise<string> {
  const found = await findGameAccount(db, { ...key, gameIds: [gameId] });
  if (found === undefined) throw new AppError('GameAccountNotFound');
  return found;
}

/** Of several game accounts the one of the session, otherwise the one that was bound first. */
export async function findGameAccount(
  db: Db,
  key: { accountId: string; siteId: string; gameIds: readonly string[] },
): Promise<string | undefined> {
  return (await selectGameAccount(db, key))?.game_account_id;
}

/** Refuses another player's game account like an unknown one. */
export async function requireOwnGameAccount(
  db: Db,
  key: { accountId: string; gameAccountId: string },
): Promise<void> {
  const { is_bound } = await selectIsBound(db, key);
  if (!is_bound) throw new AppError('GameAccountNotFound');
}

/** Refuses a replayed encrypted body, and any body beyond the limit of stored ids. */
export async function useEnvelopeOnce(
  { db, quickLimits }: { db: Db; quickLimits: QuickLimits },
  { jti, network }: { jti: string; network: string },
): Promise<void> {
  await requireRowRoom(quickLimits, { kind: 'envelope', by: network });
  const keepSeconds = sealedBodySecondsMax * 2; // longer than any clock tolerance
  const isFirst = await db.transaction((tx) => insertUsedEnvelope(tx, { jti, keepSeconds }));
  if (!isFirst) throw new AppError('InvalidParams');
}

export async function forgetOldSessions(db: Db): Promise<void> {
  await deleteInBatches(db, deleteOldEnvelopes, deleteOldSessions);
}

/** The account linked to an identity that is stored in plain text. */
export async function accountOfIdentity(
  db: Db,
  identity: OpenIdentity,
): Promise<string | undefined> {
  return await accountOfKey(db, keyOfOpenIdentity(identity));
}

export async function accountOfKey(db: Db | Tx, key: IdentityKey): Promise<string | undefined> {
  return (await selectIdentity(db, key))?.account_id;
}

export async function findAccount(
  db: Db,
  { loginName }: { loginName: string },
): Promise<string | undefined> {
  return await accountOfIdentity(db, { accountType: 'ACCOUNT', subject: loginName });
}

/** Creates an account with a login name, for games that migrate players and for the demo. */
export async function createAccount(
  tx: Tx,
  account: { loginName: string; displayName: string; passwordHash: string },
): Promise<string> {
  const accountId = newId();
  await insertAccount(tx, {
    accountId,
    displayName: account.displayName,
    key: keyOfOpenIdentity({ accountType: 'ACCOUNT', subject: account.loginName }),
    passwordHash: account.passwordHash,
  });
  return accountId;
}

/** Adds a sign-in identity to an account. All typed identities share one password. */
export async function addIdentity(
  tx: Tx,
  identity: {
    accountId: string;
    key: IdentityKey;
    /** Null for an identity of a provider. */
    passwordHash: string | null;
  },
): Promise<void> {
  await insertIdentity(tx, identity);
}
