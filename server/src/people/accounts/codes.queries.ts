import type { CodePurpose } from '@pointgate/contract/codes.ts';
import { z } from 'zod';
import { sql, type Tx } from '../../platform/db.ts';
import type { DeleteSome } from '../../platform/retention.ts';

interface CodeKey {
  purpose: CodePurpose;
  targetHash: Buffer;
}

/** Replaces the previous code and its remaining attempts. */
export async function upsertCode(
  tx: Tx,
  code: CodeKey & { codeHash: Buffer; expiresAt: Date },
): Promise<void> {
  await tx.run(sql`
    insert into codes (purpose, target_hash, code_hash, expires_at)
    values (${code.purpose}, ${code.targetHash}, ${code.codeHash}, ${code.expiresAt})
    on conflict (purpose, target_hash) do update
    set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries = 0`);
}

/** Counts an attempt at a valid code and locks the code until the transaction ends. */
export function tryCode(tx: Tx, key: CodeKey & { codeHash: Buffer; triesMax: number; now: Date }) {
  return tx.maybeOne(
    z.object({ is_right: z.boolean() }),
    sql`
      update codes set tries = tries + 1
      where purpose = ${key.purpose} and target_hash = ${key.targetHash}
        and expires_at > ${key.now} and tries < ${key.triesMax}
      returning code_hash = ${key.codeHash} as is_right`,
  );
}

export async function deleteCode(tx: Tx, key: CodeKey): Promise<void> {
  await tx.run(
    sql`delete from codes where purpose = ${key.purpose} and target_hash = ${key.targetHash}`,
  );
}

/** False if the proof was used before. */
export async function insertUsedProof(
  tx: Tx,
  proof: { nonce: string; expiresAt: Date },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into used_proofs (nonce, expires_at) values (${proof.nonce}, ${proof.expiresAt})
    on conflict do nothing`);
  return inserted === 1;
}

export const deleteOldCodes =
  (now: Date): DeleteSome =>
  (tx, rowsMax) =>
    tx.run(sql`
      delete from codes where (purpose, target_hash) in
        (select purpose, target_hash from codes where expires_at <= ${now} limit ${rowsMax}
         for update skip locked)`);

export const deleteOldProofs =
  (now: Date): DeleteSome =>
  (tx, rowsMax) =>
    tx.run(sql`
      delete from used_proofs where nonce in
        (select nonce from used_proofs where expires_at <= ${now} limit ${rowsMax})`);
