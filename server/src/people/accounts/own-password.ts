import { AppError } from '../../platform/errors.ts';
import { hasTypedName } from './account-sign-in-methods.ts';
import { updatePassword, updateToken } from './accounts.queries.ts';
import { beginRealNameWait } from './accounts.ts';
import { type AskingOwner, lockOwned, proveOwner, type TellOwner } from './owner-proof.ts';
import { hashPassword, type KnownPasswords, requireGoodPassword } from './passwords.ts';
import { newSessionToken } from './session-token.ts';

type OwnPasswordParts = Parameters<typeof proveOwner>[0] & {
  knownPasswords: KnownPasswords;
  tellOwner: TellOwner;
};

/**
 * Changes the password. Ends all other sessions and answers a new token for this one, so that a
 * stolen old token becomes invalid.
 */
export async function changePassword(
  parts: OwnPasswordParts,
  { password, ...asking }: AskingOwner & { password: string },
): Promise<string> {
  const { db, knownPasswords, tellOwner } = parts;
  requireGoodPassword(password, knownPasswords);
  const owner = await proveOwner(parts, asking);
  const passwordHash = await hashPassword(password);
  const { session } = owner;
  const { accountId, siteId } = session;
  return await db.transaction(async (tx) => {
    if (!hasTypedName(await lockOwned(tx, owner))) throw new AppError('InvalidParams');
    await updatePassword(tx, { accountId, passwordHash, kept: session });
    // A first password was not proven by an older one, like a password set with a code.
    if (owner.passwordHash === null) await beginRealNameWait(tx, accountId);
    const { value, tokenHash } = newSessionToken(accountId);
    await updateToken(tx, { ...session, newHash: tokenHash });
    await tellOwner(tx, { accountId, siteId, event: 'password_changed' });
    return value;
  });
}
