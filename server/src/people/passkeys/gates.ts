import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { realNameWaitOf, standingOf } from '../accounts/accounts.ts';
import { selectPasskeys } from './passkeys.queries.ts';
import { type InSession, ownedBy, requireProven, requireSteppedUp } from './passkeys.ts';

/**
 * Refuses a session that needs a step-up before it reads real-name data. Players without a passkey
 * on this site need none. After a password reset, or a texted code at an unknown place, only a
 * passkey older than that counts, and players without one must wait: the code may have been read by
 * an attacker.
 */
export async function requireStepUp(
  { db }: { db: Db },
  { session, site }: InSession,
): Promise<void> {
  const passkeys = await selectPasskeys(db, ownedBy(session, site));
  const wait = await realNameWaitOf(db, session.accountId);
  if (wait === undefined) {
    if (passkeys.length > 0) await requireSteppedUp(db, session);
    return;
  }
  const older = passkeys.filter(({ created_at }) => created_at < wait.since);
  if (older.length === 0) {
    throw new AppError('RealNameWaits', { until: wait.until.toISOString() });
  }
  await requireSteppedUp(db, session);
  const { steppedUpWith } = await standingOf(db, session);
  if (!older.some(({ id }) => id === steppedUpWith)) throw new AppError('StepUpNeeded');
}

/**
 * Guards actions that a stolen session must not do: requires a step-up if the player has a passkey,
 * otherwise a session started recently by more than a link.
 */
export async function requireProof(
  { db }: { db: Db },
  { session, site }: InSession,
): Promise<void> {
  const { length } = await selectPasskeys(db, ownedBy(session, site));
  await requireProven(db, session, length > 0);
}

/** Refuses a session without a step-up if the player has a passkey on this site. */
export async function requirePasskey(
  { db }: { db: Db },
  { session, site }: InSession,
): Promise<void> {
  const { length } = await selectPasskeys(db, ownedBy(session, site));
  if (length > 0) await requireSteppedUp(db, session);
}
