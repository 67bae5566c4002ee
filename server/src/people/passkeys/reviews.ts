import type { PasskeyReview } from '@pointgate/contract/passwords.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import { hashSecret, newSecret } from '../../platform/secrets.ts';
import { deleteAccessOf, lockAccount } from '../accounts/accounts.ts';
import type { PasskeysContext } from './passkeys.ts';
import {
  type DoubtedRow,
  deleteDoubted,
  deleteOldReviews,
  deleteReviewsOf,
  insertReview,
  keepOthers,
  selectDoubted,
  takeReview,
} from './reviews.queries.ts';

const reviewMinutes = 30;

/** After a password reset the owner is asked which passkeys an attacker may have added. */
interface Review {
  token: string;
  passkeys: DoubtedRow[];
}

/** The review as the API returns it. */
export async function reviewFor(
  { token, passkeys }: Review,
  titleOf: (siteId: string) => Promise<string>,
): Promise<PasskeyReview> {
  return {
    token,
    passkeys: await Promise.all(
      passkeys.map(async (row) => ({
        passkeyId: row.id,
        name: row.name,
        siteTitle: await titleOf(row.site_id),
        createdAt: row.created_at.toISOString(),
        lastUsedAt: row.last_used_at?.toISOString() ?? null,
      })),
    ),
  };
}

/** Undefined if the account has no unconfirmed passkey. */
export async function beginReview(tx: Tx, accountId: string): Promise<Review | undefined> {
  await deleteReviewsOf(tx, accountId);
  const passkeys = await selectDoubted(tx, accountId);
  if (passkeys.length === 0) return undefined;
  const token = newSecret();
  await insertReview(tx, { tokenHash: hashSecret(token), accountId, minutes: reviewMinutes });
  return { token, passkeys };
}

/**
 * Removes the selected passkeys and ends all sessions, one of which may have started with such a
 * passkey since. Confirms the other passkeys. Works once.
 */
export async function endReview(
  { db, tellOwner }: Pick<PasskeysContext, 'db' | 'tellOwner'>,
  { token, remove, siteId }: { token: string; remove: readonly string[]; siteId: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const review = await takeReview(tx, hashSecret(token));
    if (review === undefined) throw new AppError('ReviewExpired');
    const { account_id: accountId } = review;
    await lockAccount(tx, accountId);
    if (remove.length > 0) {
      const removed = await deleteDoubted(tx, { accountId, passkeyIds: remove });
      await deleteAccessOf(tx, accountId);
      if (removed > 0) await tellOwner(tx, { accountId, siteId, event: 'passkey_removed' });
    }
    await keepOthers(tx, accountId);
  });
}

export async function forgetOldReviews(db: Db): Promise<void> {
  await deleteInBatches(db, deleteOldReviews);
}
