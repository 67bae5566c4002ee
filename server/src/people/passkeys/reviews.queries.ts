import { z } from 'zod';
import { sql, type Tx } from '../../platform/db.ts';
import type { DeleteSome } from '../../platform/retention.ts';

export async function insertReview(
  tx: Tx,
  review: { tokenHash: Buffer; accountId: string; minutes: number },
): Promise<void> {
  await tx.run(sql`
    insert into passkey_reviews (token_hash, account_id, expires_at)
    values (${review.tokenHash}, ${review.accountId},
            now() + make_interval(mins => ${review.minutes}))`);
}

/** Uses up the review. */
export function takeReview(tx: Tx, tokenHash: Buffer) {
  return tx.maybeOne(
    z.object({ account_id: z.uuid() }),
    sql`
      delete from passkey_reviews where token_hash = ${tokenHash} and expires_at > now()
      returning account_id`,
  );
}

/** Invalidates older reviews of the account, which belong to an older password reset. */
export async function deleteReviewsOf(tx: Tx, accountId: string): Promise<void> {
  await tx.run(sql`delete from passkey_reviews where account_id = ${accountId}`);
}

export const deleteOldReviews: DeleteSome = (tx, rowsMax) =>
  tx.run(sql`
    delete from passkey_reviews where token_hash in
      (select token_hash from passkey_reviews where expires_at < now() limit ${rowsMax})`);

const DoubtedRow = z.object({
  id: z.uuid(),
  site_id: z.string(),
  name: z.string(),
  created_at: z.date(),
  last_used_at: z.date().nullable(),
});
export type DoubtedRow = z.output<typeof DoubtedRow>;

/** Unconfirmed passkeys on all sites, the newest first. */
export function selectDoubted(tx: Tx, accountId: string): Promise<DoubtedRow[]> {
  return tx.many(
    DoubtedRow,
    sql`
      select id, site_id, name, created_at, last_used_at from passkeys
      where account_id = ${accountId} and kept_at is null
      order by created_at desc, id limit 100`,
  );
}

/** Deletes the selected passkeys and all that were added after the reset. */
export async function deleteDoubted(
  tx: Tx,
  { accountId, passkeyIds }: { accountId: string; passkeyIds: readonly string[] },
): Promise<number> {
  return await tx.run(sql`
    delete from passkeys using accounts
    where accounts.id = ${accountId} and account_id = accounts.id and kept_at is null
      and (passkeys.id = any(${[...passkeyIds]}::uuid[]) or passkeys.created_at > reset_at)`);
}

/** Confirms the remaining passkeys that were in the review. */
export async function keepOthers(tx: Tx, accountId: string): Promise<void> {
  await tx.run(sql`
    update passkeys set kept_at = now() from accounts
    where accounts.id = ${accountId} and account_id = accounts.id and kept_at is null
      and passkeys.created_at <= reset_at`);
}
