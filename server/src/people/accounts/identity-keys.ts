import type { AccountType } from '@pointgate/contract/accounts.ts';
import type { z } from 'zod';
import { openBlindIndex } from '../../platform/blind-index.ts';

type AccountTypeName = z.output<typeof AccountType>;

/** A way in: what a player types, or whom a provider vouches for. */
interface Identity {
  accountType: AccountTypeName;
  subject: string;
}

/** A way in that tells nobody how to reach the player. */
export interface OpenIdentity extends Identity {
  accountType: Exclude<AccountTypeName, 'EMAIL' | 'MOBILE'>;
}

declare const madeHere: unique symbol;

/**
 * What stands in the directory for a way in. Only this file makes one, so that no address and no
 * phone number is written there as it is.
 */
export interface IdentityKey {
  readonly accountType: AccountTypeName;
  readonly subject: string;
  readonly [madeHere]: true;
}

export type IdentityKeyOf = (identity: Identity) => IdentityKey;

export function openIdentityKeys(indexKey: Buffer): IdentityKeyOf {
  const blindIndex = openBlindIndex(indexKey);
  return ({ accountType, subject }) => {
    if (accountType !== 'EMAIL' && accountType !== 'MOBILE') {
      return keyOfOpenIdentity({ accountType, subject });
    }
    const index = blindIndex(accountType, normalised({ accountType, subject }));
    return keyOf({ accountType, subject: index.toString('base64url') });
  };
}

export function keyOfOpenIdentity(identity: OpenIdentity): IdentityKey {
  return keyOf({ accountType: identity.accountType, subject: normalised(identity) });
}

/** One spelling for all that mean the same. What a provider calls somebody has one already. */
export function normalised({ accountType, subject }: Identity): string {
  if (accountType === 'ACCOUNT' || accountType === 'EMAIL') return subject.toLowerCase();
  return accountType === 'MOBILE' ? subject.replace(/[ ().-]/g, '') : subject;
}

function keyOf(identity: Identity): IdentityKey {
  return identity as IdentityKey; // as: the mark exists for the compiler only
}
