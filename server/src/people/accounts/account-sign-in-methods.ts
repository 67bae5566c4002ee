import type { WayRow } from './accounts.queries.ts';

// Properties derived from the sign-in identities of an account.

type Way = Pick<WayRow, 'account_type' | 'password_hash'>;

/** The password hash, which all typed names share. */
export function passwordOf(ways: readonly Way[]): string | null {
  return ways.find(({ password_hash }) => password_hash !== null)?.password_hash ?? null;
}

/** Whether the account has a typed name, which a password can belong to. */
export function hasTypedName(ways: readonly Way[]): boolean {
  return ways.some(({ account_type: type }) => ['ACCOUNT', 'EMAIL', 'MOBILE'].includes(type));
}

/**
 * Whether an owner can recover the account after losing the password: by a code to an address, by a
 * provider, or with a login name and a recovery code. Passkeys do not count, because they can be
 * lost with the device.
 */
export function hasWayBack(
  ways: readonly Pick<Way, 'account_type'>[],
  { recoveryCodes }: { recoveryCodes: number },
): boolean {
  return ways.some(({ account_type: type }) => type !== 'ACCOUNT' || recoveryCodes > 0);
}
