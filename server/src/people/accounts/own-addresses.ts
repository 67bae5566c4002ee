import type { CodePurpose } from '@pointgate/contract/codes.ts';
import type { Locale } from '@pointgate/contract/locales.ts';
import { AppError } from '../../platform/errors.ts';
import { hasWayBack } from './account-sign-in-methods.ts';
import { insertFreeIdentity, type SessionKey, type WayRow } from './accounts.queries.ts';
import { leaveAddresses } from './addresses.queries.ts';
import type { Addresses } from './addresses.ts';
import type { Codes, Target } from './codes.ts';
import type { IdentityKeyOf } from './identity-keys.ts';
import { type AskingOwner, lockOwned, proveOwner, type TellOwner } from './owner-proof.ts';
import { selectRecoveryCodes } from './recovery-codes.queries.ts';

type AddressType = 'EMAIL' | 'MOBILE';

type OwnAddressParts = Parameters<typeof proveOwner>[0] & {
  codes: Codes;
  identityKeyOf: IdentityKeyOf;
  addresses: Addresses;
  tellOwner: TellOwner;
  /** Throws if the account has a passkey and the session has no step-up. */
  requirePasskey: () => Promise<void>;
};

/**
 * The purpose and holder of a code for a new address: it works only in the session that requested
 * it.
 */
export function linking(target: Target, { tokenHash }: SessionKey) {
  const purpose: CodePurpose = target.kind === 'mail' ? 'link_email' : 'link_phone';
  return { purpose, browser: tokenHash.toString('base64url') };
}

/**
 * Replaces the account's address of this kind. Only a right code reveals that another account has
 * the address, because it proves that the player reads the messages sent there.
 */
export async function changeAddress(
  parts: OwnAddressParts,
  {
    target,
    code,
    locale,
    ...asking
  }: AskingOwner & { target: Target; code: string; locale: Locale },
): Promise<void> {
  const { db, codes, identityKeyOf, addresses, tellOwner } = parts;
  await parts.requirePasskey();
  const owner = await proveOwner(parts, asking);
  const { accountId, siteId } = owner.session;
  const { purpose, browser } = linking(target, owner.session);
  const accountType = typeOf(target);
  const subject = target.to;
  const key = identityKeyOf({ accountType, subject });
  // Returned instead of thrown, because the attempt must be committed.
  const isRight = await db.transaction(async (tx) => {
    const ways = await lockOwned(tx, owner);
    if (!(await codes.use(tx, { purpose, to: subject, code, browser }))) return false;
    if (ways.some((way) => way.account_type === accountType && way.subject === key.subject)) {
      return true;
    }
    // Before the old address is removed: its owner is notified there and can revert the change.
    const event = accountType === 'EMAIL' ? 'mail_changed' : 'phone_changed';
    await tellOwner(tx, { accountId, siteId, event });
    await leaveAddresses(tx, { accountId, accountType, locale });
    const { passwordHash } = owner;
    const isFree = await insertFreeIdentity(tx, { accountId, key, passwordHash });
    if (!isFree) throw new AppError('AddressTaken');
    const proven = { accountId, accountType, subject, locale, by: 'code' } as const;
    await addresses.keepIn(tx, { ...proven, isLinkedNow: true });
    return true;
  });
  if (isRight) return;
  throw new AppError(accountType === 'EMAIL' ? 'InvalidEmailCode' : 'InvalidMobileCode');
}

/** Removes the account's addresses of a kind; does nothing if there are none. */
export async function removeAddress(
  parts: OwnAddressParts,
  { accountType, locale, ...asking }: AskingOwner & { accountType: AddressType; locale: Locale },
): Promise<void> {
  await parts.requirePasskey();
  const owner = await proveOwner(parts, asking);
  const { accountId, siteId } = owner.session;
  await parts.db.transaction(async (tx) => {
    const ways = await lockOwned(tx, owner);
    if (!ways.some((way) => way.account_type === accountType)) return;
    const { unused } = await selectRecoveryCodes(tx, accountId);
    if (!mayRemove(ways, accountType, unused)) throw new AppError('LastWayBack');
    const event = accountType === 'EMAIL' ? 'mail_removed' : 'phone_removed';
    await parts.tellOwner(tx, { accountId, siteId, event });
    await leaveAddresses(tx, { accountId, accountType, locale });
  });
}

export function mayRemove(
  ways: readonly WayRow[],
  accountType: AddressType,
  recoveryCodes: number,
): boolean {
  const others = ways.filter((way) => way.account_type !== accountType);
  return hasWayBack(others, { recoveryCodes });
}

function typeOf({ kind }: Target): AddressType {
  return kind === 'mail' ? 'EMAIL' : 'MOBILE';
}
