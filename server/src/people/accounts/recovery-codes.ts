import { recoveryCodesCount } from '@pointgate/contract/own-account.ts';
import type { BlindIndex } from '../../platform/blind-index.ts';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { canonicalCode, newCodes } from '../../platform/typed-codes.ts';
import { hasTypedName } from './account-sign-in-methods.ts';
import { selectAccountLocked, selectIdentity } from './accounts.queries.ts';
import type { IdentityKey, IdentityKeyOf } from './identity-keys.ts';
import { type AskingOwner, lockOwned, proveOwner, type TellOwner } from './owner-proof.ts';
import { type TypedPassword, takeProof } from './password-check.ts';
import { type PasswordParts, requireGoodPassword, setPassword } from './passwords.ts';
import { replaceRecoveryCodes, takeRecoveryCode } from './recovery-codes.queries.ts';

// Printable codes for an owner who has lost access to mail and phone (ADR 070).

/** The stored hash of a code, valid for its own account only. */
export type RecoveryHash = (accountId: string, typed: string) => Buffer;

export function openRecoveryHash(blindIndex: BlindIndex): RecoveryHash {
  return (accountId, typed) => blindIndex('recovery code', `${accountId}\0${canonicalCode(typed)}`);
}

type MakeParts = Parameters<typeof proveOwner>[0] & {
  recoveryHash: RecoveryHash;
  tellOwner: TellOwner;
  /** Throws if the account has a passkey and the session has no step-up. */
  requirePasskey: () => Promise<void>;
};

/** Creates new codes and answers them; they cannot be read again. Older codes become invalid. */
export async function makeRecoveryCodes(parts: MakeParts, asking: AskingOwner): Promise<string[]> {
  await parts.requirePasskey();
  const owner = await proveOwner(parts, asking);
  const { accountId, siteId } = owner.session;
  const made = newCodes(recoveryCodesCount);
  await parts.db.transaction(async (tx) => {
    // A recovery code sets a password, so the account needs a typed name.
    if (!hasTypedName(await lockOwned(tx, owner))) throw new AppError('InvalidParams');
    const hashes = made.map((code) => parts.recoveryHash(accountId, code));
    await replaceRecoveryCodes(tx, { accountId, hashes });
    await parts.tellOwner(tx, { accountId, siteId, event: 'recovery_codes_made' });
  });
  return made;
}

type UseParts<Followed> = PasswordParts<Followed> &
  Parameters<typeof takeProof>[0] & { recoveryHash: RecoveryHash };

/** Resets the password with a recovery code. Answers the account. */
export async function resetByRecoveryCode<Followed>(
  parts: UseParts<Followed>,
  input: Pick<TypedPassword, 'network' | 'device' | 'proof' | 'consume'> & {
    /** A login name, a mail address or a phone. */
    account: string;
    code: string;
    password: string;
    siteId: string;
  },
): Promise<{ accountId: string; followed: Followed }> {
  const { db, guard, knownPasswords, recoveryHash } = parts;
  const { account, code, password, siteId, network, device } = input;
  requireGoodPassword(password, knownPasswords);
  const { key, accountId } = await find(parts, account);
  const name = `recovery:${key.accountType}:${key.subject}`;
  const admission = await guard.admit({ name, accountId, network, device });
  if (admission.needsProof) await takeProof(parts, input.proof);
  await input.consume();
  const reset = await db.transaction(async (tx) => {
    if (accountId === undefined) return undefined;
    await selectAccountLocked(tx, accountId);
    if (!(await takeRecoveryCode(tx, { accountId, hash: recoveryHash(accountId, code) }))) {
      return undefined;
    }
    const event = 'recovery_code_used';
    return { followed: await setPassword(tx, parts, { accountId, siteId, password, event }) };
  });
  if (reset === undefined || accountId === undefined) {
    await guard.failed(admission);
    throw new AppError('InvalidRecoveryCode');
  }
  await guard.succeeded({ accountId, network, device });
  return { accountId, followed: reset.followed };
}

/** Finds the account by the typed name of any kind. */
async function find(
  { db, identityKeyOf }: { db: Db; identityKeyOf: IdentityKeyOf },
  typed: string,
): Promise<{ key: IdentityKey; accountId: string | undefined }> {
  const accountType = typed.startsWith('+') ? 'MOBILE' : typed.includes('@') ? 'EMAIL' : 'ACCOUNT';
  const byName = identityKeyOf({ accountType: 'ACCOUNT', subject: typed });
  const byAddress = identityKeyOf({ accountType, subject: typed });
  for (const key of [byAddress, byName]) {
    const identity = await selectIdentity(db, key);
    if (identity !== undefined) return { key, accountId: identity.account_id };
  }
  return { key: byAddress, accountId: undefined };
}
