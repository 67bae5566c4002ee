import type { Db } from '../../platform/db.ts';
import { selectAccountLocked, selectIdentity, updateHash } from './accounts.queries.ts';
import type { IdentityKey } from './identity-keys.ts';
import { hashPassword, isOwnHash, isRightPassword } from './passwords.ts';

/**
 * Replaces a hash of another system, or of another cost, by our own, once the password was right.
 * Answers the hash that is stored now; undefined if the password was changed in the meantime.
 */
export async function replaceForeignHash(
  db: Db,
  typed: { accountId: string; key: IdentityKey; passwordHash: string; password: string },
): Promise<string | undefined> {
  const { accountId, key, passwordHash, password } = typed;
  if (isOwnHash(passwordHash)) return passwordHash;
  const ownHash = await hashPassword(password);
  const isReplaced = await db.transaction(async (tx) => {
    await selectAccountLocked(tx, accountId);
    return await updateHash(tx, { accountId, from: passwordHash, to: ownHash });
  });
  if (isReplaced) return ownHash;
  // Another sign-in at the same time may have replaced it, with the same password.
  const stored = (await selectIdentity(db, key))?.password_hash;
  const isSame = typeof stored === 'string' && (await isRightPassword(stored, password));
  return isSame ? stored : undefined;
}
