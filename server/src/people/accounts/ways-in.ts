import type { WayRow } from './accounts.queries.ts';

// What follows from the ways in that an account has.

type Way = Pick<WayRow, 'account_type' | 'password_hash'>;

/** One password for all names that are typed. */
export function passwordOf(ways: readonly Way[]): string | null {
  return ways.find(({ password_hash }) => password_hash !== null)?.password_hash ?? null;
}

/** Whether somebody can type a name that a password belongs to. */
export function hasTypedName(ways: readonly Way[]): boolean {
  return ways.some(({ account_type: type }) => ['ACCOUNT', 'EMAIL', 'MOBILE'].includes(type));
}

/**
 * Whether an owner who has forgotten the password gets back in: by a code to an address, because somebody else vouches
 * for them, or with a login name and a recovery code. Passkeys do not count: whoever loses the device has none.
 */
export function hasWayBack(
  ways: readonly Pick<Way, 'account_type'>[],
  { recoveryCodes }: { recoveryCodes: number },
): boolean {
  return ways.some(({ account_type: type }) => type !== 'ACCOUNT' || recoveryCodes > 0);
}
