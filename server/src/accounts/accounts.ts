import type { SignedIn } from '@pointgate/contract/accounts.ts';
import type { Db, Tx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import {
  type AccountTypeName,
  deleteOldEnvelopes,
  deleteSession,
  insertAccount,
  insertGameAccount,
  insertIdentity,
  insertUsedEnvelope,
  selectAccount,
  selectGameAccount,
  selectIdentity,
  selectIsBound,
  selectSession,
  upsertSession,
} from './accounts.queries.ts';
import { type OpenedBody, sealedBodySecondsMax } from './sealed-body.ts';
import { newSessionToken, readSessionToken } from './session-token.ts';

export const sessionDays = 30;

export interface Session {
  /** The cookie's value. */
  token: string;
  signedIn: SignedIn;
}

/** Begins a session, which ends the account's older one on this site; answers the cookie's value. */
export async function startSession(
  tx: Tx,
  { accountId, siteId }: { accountId: string; siteId: string },
): Promise<string> {
  const { value, tokenHash } = newSessionToken(accountId);
  await upsertSession(tx, { accountId, siteId, tokenHash, days: sessionDays });
  return value;
}

/** `ended` is a token that was good once, or claims to have been: signed out, expired, replaced. */
export async function accountOfSession(
  db: Db,
  { token, siteId }: { token: string; siteId: string },
): Promise<{ accountId: string } | 'ended'> {
  const read = readSessionToken(token);
  if (read === undefined) return 'ended';
  const session = await selectSession(db, { ...read, siteId });
  return session?.is_live === true ? { accountId: read.accountId } : 'ended';
}

export async function signOut(
  db: Db,
  { token, siteId }: { token: string; siteId: string },
): Promise<void> {
  const read = readSessionToken(token);
  if (read !== undefined) await db.transaction((tx) => deleteSession(tx, { ...read, siteId }));
}

export async function whoIs(
  db: Db,
  { accountId, gameId }: { accountId: string; gameId: string | null },
): Promise<SignedIn> {
  const account = await selectAccount(db, accountId);
  if (account === undefined) throw new Error(`account ${accountId} has a session but no row`);
  const gameAccount =
    gameId === null ? undefined : await selectGameAccount(db, { accountId, gameId });
  return {
    login: true,
    accountId,
    accountType: account.account_type,
    displayName: account.display_name,
    userId: accountId,
    gameAccountId: gameAccount?.game_account_id ?? null,
  };
}

/** The game account the player tops up. None means this account never played the game. */
export async function gameAccountOf(
  db: Db,
  key: { accountId: string; gameId: string },
): Promise<string> {
  const found = await selectGameAccount(db, key);
  if (found === undefined) throw new AppError('GameAccountNotFound');
  return found.game_account_id;
}

/** Refuses a game account that is not the player's own, as it refuses one that does not exist. */
export async function requireOwnGameAccount(
  db: Db,
  key: { accountId: string; gameAccountId: string },
): Promise<void> {
  const { is_bound } = await selectIsBound(db, key);
  if (!is_bound) throw new AppError('GameAccountNotFound');
}

/** Refuses an encrypted body that was sent before. */
export async function useEnvelopeOnce(db: Db, { jti }: OpenedBody): Promise<void> {
  const keepSeconds = sealedBodySecondsMax * 2; // longer than any clock tolerance
  const isFirst = await db.transaction((tx) => insertUsedEnvelope(tx, { jti, keepSeconds }));
  if (!isFirst) throw new AppError('InvalidParams');
}

export async function forgetOldEnvelopes(db: Db): Promise<void> {
  await db.transaction(deleteOldEnvelopes);
}

/** The account of somebody a provider vouches for. */
export async function accountOfIdentity(
  db: Db,
  identity: { accountType: SignedIn['accountType']; subject: string },
): Promise<string | undefined> {
  return (await selectIdentity(db, identity))?.account_id;
}

export async function findAccount(
  db: Db,
  { loginName }: { loginName: string },
): Promise<string | undefined> {
  const subject = loginName.toLowerCase();
  return (await selectIdentity(db, { accountType: 'ACCOUNT', subject }))?.account_id;
}

/** Makes an account with a login name; for games that bring their players over, and for the demo. */
export async function createAccount(
  tx: Tx,
  account: { loginName: string; displayName: string; passwordHash: string },
): Promise<string> {
  const accountId = newId();
  await insertAccount(tx, {
    accountId,
    accountType: 'ACCOUNT',
    displayName: account.displayName,
    subject: account.loginName.toLowerCase(),
    passwordHash: account.passwordHash,
  });
  return accountId;
}

/** Gives an account another way in. The same password opens them all. */
export async function addIdentity(
  tx: Tx,
  identity: {
    accountId: string;
    accountType: AccountTypeName;
    subject: string;
    /** None where somebody else vouches for the player. */
    passwordHash: string | null;
  },
): Promise<void> {
  await insertIdentity(tx, identity);
}

export async function bindGameAccount(
  tx: Tx,
  binding: { accountId: string; gameId: string; gameAccountId: string },
): Promise<void> {
  await insertGameAccount(tx, binding);
}
