import { hash, verify } from '@node-rs/argon2';
import type { LoginNameCredentials, SignedIn } from '@pointgate/contract/accounts.ts';
import type { Db, Tx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { newId } from '../platform/ids.ts';
import {
  deleteOldEnvelopes,
  deleteSession,
  insertAccount,
  insertGameAccount,
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

// Argon2id with the figures OWASP gives: 19 MiB, two passes.
const passwordCost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };

// Compared with when the name is unknown, so that both answers take the same time.
const nobodysHash = hash('nobody has this password', passwordCost);

export interface Session {
  /** The cookie's value. */
  token: string;
  signedIn: SignedIn;
}

/** Signs in with login name and password. An older session of the account on this site ends. */
export async function signInWithLoginName(
  db: Db,
  input: { credentials: LoginNameCredentials; siteId: string; gameId: string | null },
): Promise<Session> {
  const { loginName, password } = input.credentials;
  const identity = await selectIdentity(db, {
    accountType: 'ACCOUNT',
    subject: loginName.toLowerCase(),
  });
  const isRight = await verify(identity?.password_hash ?? (await nobodysHash), password);
  if (identity === undefined) throw new AppError('LoginNameAccountNotFound');
  if (!isRight) throw new AppError('InvalidPassword');

  const token = newSessionToken(identity.account_id);
  await db.transaction((tx) =>
    upsertSession(tx, {
      accountId: identity.account_id,
      siteId: input.siteId,
      tokenHash: token.tokenHash,
      days: sessionDays,
    }),
  );
  const signedIn = await whoIs(db, { accountId: identity.account_id, gameId: input.gameId });
  return { token: token.value, signedIn };
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

export async function hashPassword(password: string): Promise<string> {
  return await hash(password, passwordCost);
}

export async function bindGameAccount(
  tx: Tx,
  binding: { accountId: string; gameId: string; gameAccountId: string },
): Promise<void> {
  await insertGameAccount(tx, binding);
}
