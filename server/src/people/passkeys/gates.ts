import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { realNameWaitOf, standingOf } from '../accounts/accounts.ts';
import { selectPasskeys } from './passkeys.queries.ts';
import { type InSession, ownedBy, requireProven, requireSteppedUp } from './passkeys.ts';

/**
 * Refuses a session that has to be stepped up before it sees real-name data. Players without a passkey on this site
 * could not step up here, and need not. After a new password by code, or a texted code somewhere new, only a
 * passkey that was there before counts, and players without one wait: whoever reads somebody's messages could have
 * used that code.
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
 * Refuses what a stolen session must not be able to do: it needs a passkey where the player has one, and else a
 * session that was begun a moment ago by more than a link.
 */
export async function requireProof(
  { db }: { db: Db },
  { session, site }: InSession,
): Promise<void> {
  const { length } = await selectPasskeys(db, ownedBy(session, site));
  await requireProven(db, session, length > 0);
}

/** Refuses a session that has not shown a passkey that its player has here. */
export async function requirePasskey(
  { db }: { db: Db },
  { session, site }: InSession,
): Promise<void> {
  const { length } = await selectPasskeys(db, ownedBy(session, site));
  if (length > 0) await requireSteppedUp(db, session);
}
