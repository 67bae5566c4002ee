import { recoveryCodesCount } from '@pointgate/contract/own-account.ts';
import type { BlindIndex } from '../../platform/blind-index.ts';
import type { Db } from '../../platform/db.ts';
import { AppError } from '../../platform/errors.ts';
import { canonicalCode, newCodes } from '../../platform/typed-codes.ts';
import { selectAccountLocked, selectIdentity } from './accounts.queries.ts';
import type { IdentityKey, IdentityKeyOf } from './identity-keys.ts';
import { type AskingOwner, lockOwned, proveOwner, type TellOwner } from './owner-proof.ts';
import { type TypedPassword, takeProof } from './password-check.ts';
import { type PasswordParts, requireGoodPassword, setPassword } from './passwords.ts';
import { replaceRecoveryCodes, takeRecoveryCode } from './recovery-codes.queries.ts';
import { hasTypedName } from './ways-in.ts';

// Codes on paper, for an owner who can read neither mail nor texts any more (ADR 070).

/** What is kept of a code. It is of use for its own account alone. */
export type RecoveryHash = (accountId: string, typed: string) => Buffer;

export function openRecoveryHash(blindIndex: BlindIndex): RecoveryHash {
  return (accountId, typed) => blindIndex('recovery code', `${accountId}\0${canonicalCode(typed)}`);
}

type MakeParts = Parameters<typeof proveOwner>[0] & {
  recoveryHash: RecoveryHash;
  tellOwner: TellOwner;
  /** Throws where the account has a passkey that this session has not shown. */
  requirePasskey: () => Promise<void>;
};

/** Makes an account's codes anew and answers them; nobody can be told them again. Those of before work no more. */
export async function makeRecoveryCodes(parts: MakeParts, asking: AskingOwner): Promise<string[]> {
  await parts.requirePasskey();
  const owner = await proveOwner(parts, asking);
  const { accountId, siteId } = owner.session;
  const made = newCodes(recoveryCodesCount);
  await parts.db.transaction(async (tx) => {
    // What they are good for is a new password.
    if (!hasTypedName(await lockOwned(tx, owner))) throw new AppError('InvalidParams');
    const hashes = made.map((code) => parts.recoveryHash(accountId, code));
    await replaceRecoveryCodes(tx, { accountId, hashes });
    await parts.tellOwner(tx, { accountId, siteId, event: 'recovery_codes_made' });
  });
  return made;
}

type UseParts<Followed> = PasswordParts<Followed> &
  Parameters<typeof takeProof>[0] & { recoveryHash: RecoveryHash };

/** Sets a new password with a code, as one that was mailed does. Answers whose password it is. */
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

/** Whose name was typed, of whichever kind it is. */
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
