import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';

/** Replaces all codes of the account. */
export async function replaceRecoveryCodes(
  tx: Tx,
  { accountId, hashes }: { accountId: string; hashes: Buffer[] },
): Promise<void> {
  await tx.run(sql`delete from recovery_codes where account_id = ${accountId}`);
  await tx.run(sql`
    insert into recovery_codes (account_id, code_hash)
    select ${accountId}, code_hash from unnest(${hashes}::bytea[]) as made (code_hash)`);
}

/** All codes of an account have the same creation time. */
export function selectRecoveryCodes(db: Db | Tx, accountId: string) {
  return db.one(
    z.object({ made_at: z.date().nullable(), unused: z.int() }),
    sql`
      select max(made_at) as made_at, (count(*) filter (where used_at is null))::int as unused
      from recovery_codes where account_id = ${accountId}`,
  );
}

/** False if the account has no such unused code. */
export async function takeRecoveryCode(
  tx: Tx,
  { accountId, hash }: { accountId: string; hash: Buffer },
): Promise<boolean> {
  const used = await tx.run(sql`
    update recovery_codes set used_at = now()
    where account_id = ${accountId} and code_hash = ${hash} and used_at is null`);
  return used === 1;
}

export async function deleteRecoveryCodesSince(
  tx: Tx,
  { accountId, since }: { accountId: string; since: Date },
): Promise<void> {
  await tx.run(sql`
    delete from recovery_codes where account_id = ${accountId} and made_at >= ${since}`);
}
