import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import {
  type SessionKey,
  selectAccountLocked,
  selectWaysIn,
  type WayRow,
} from './accounts.queries.ts';
import { standingOf } from './accounts.ts';
import type { PasswordCheck, TypedPassword } from './password-check.ts';
import { passwordOf } from './ways-in.ts';

// What a player shows before they change how their account is signed in to (ADR 069).

/** Has the owner told what they, or somebody else, have changed. */
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

/** The player of a session, and what they have typed to show that the account is theirs. */
export interface AskingOwner
  extends Pick<TypedPassword, 'network' | 'device' | 'proof' | 'consume'> {
  session: SessionKey;
  /** The password of the account; null where it has none. */
  current: string | null;
}

interface ProofParts {
  db: Db;
  checkPassword: PasswordCheck;
  /** For an account without a password: throws where the player has to show once more who they are. */
  requireProof: () => Promise<void>;
}

/** An account as it was when its owner proved to be that. */
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
 * Locks the account for a change and answers its ways in. Refuses where the session has ended since the proof, which
 * suspending, leaving and every new password do: the password is still the one that was proven.
 */
export async function lockOwned(tx: Tx, { session }: ProvenOwner): Promise<WayRow[]> {
  await selectAccountLocked(tx, session.accountId);
  await standingOf(tx, session);
  return await selectWaysIn(tx, session.accountId);
}
