import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { passwordOf } from './account-sign-in-methods.ts';
import {
  type SessionKey,
  selectAccountLocked,
  selectWaysIn,
  type WayRow,
} from './accounts.queries.ts';
import { standingOf } from './accounts.ts';
import type { PasswordCheck, TypedPassword } from './password-check.ts';

// The proof of ownership that is required before sign-in methods are changed (ADR 069).

/** Notifies the owner of a change, which may be an attacker's. */
export type TellOwner = (
  tx: Tx,
  change: { accountId: string; siteId: string; event: OwnChange },
) => Promise<void>;

type OwnChange =
  | 'password_changed'
  | 'mail_changed'
  | 'mail_removed'
  | 'phone_changed'
  | 'phone_removed'
  | 'recovery_codes_made';

/** The player of a session and the typed proof of ownership. */
export interface AskingOwner
  extends Pick<TypedPassword, 'network' | 'device' | 'proof' | 'consume'> {
  session: SessionKey;
  /** The current password; null if the account has none. */
  current: string | null;
}

interface ProofParts {
  db: Db;
  checkPassword: PasswordCheck;
  /** For an account without a password: throws if the player has to step up first. */
  requireProof: () => Promise<void>;
}

/** The account's state at the time of the proof. */
interface ProvenOwner {
  session: SessionKey;
  passwordHash: string | null;
}

export async function proveOwner(
  { db, checkPassword, requireProof }: ProofParts,
  { session, current, ...typed }: AskingOwner,
): Promise<ProvenOwner> {
  const { accountId } = session;
  const passwordHash = passwordOf(await selectWaysIn(db, accountId));
  if (passwordHash === null) {
    await typed.consume();
    await requireProof();
    return { session, passwordHash };
  }
  if (current === null) throw new AppError('InvalidPassword');
  const name = `own:${accountId}`;
  const check = { ...typed, name, accountId, passwordHash, password: current };
  if (!(await checkPassword(check))) throw new AppError('InvalidPassword');
  return { session, passwordHash };
}

/**
 * Locks the account for a change and answers its sign-in identities. Refuses if the session has
 * ended since the proof: suspension, leaving and every new password end it, so the proven password
 * is still the current one.
 */
export async function lockOwned(tx: Tx, { session }: ProvenOwner): Promise<WayRow[]> {
  await selectAccountLocked(tx, session.accountId);
  await standingOf(tx, session);
  return await selectWaysIn(tx, session.accountId);
}
