import type { AccountType } from '@pointgate/contract/accounts.ts';
import type { z } from 'zod';
import { openBlindIndex } from '../../platform/blind-index.ts';

type AccountTypeName = z.output<typeof AccountType>;

/** A sign-in identity: a name that a player types, or a user id at a provider. */
interface Identity {
  accountType: AccountTypeName;
  subject: string;
}

/** An identity that is no contact data of the player. */
export interface OpenIdentity extends Identity {
  accountType: Exclude<AccountTypeName, 'EMAIL' | 'MOBILE'>;
}

declare const madeHere: unique symbol;

/**
 * The key of an identity in the database. Only this file creates keys, so that no mail address or
 * phone number is stored in plain text.
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

/** Normalises spellings of the same identity. User ids of providers stay unchanged. */
export function normalised({ accountType, subject }: Identity): string {
  if (accountType === 'ACCOUNT' || accountType === 'EMAIL') return subject.toLowerCase();
  return accountType === 'MOBILE' ? subject.replace(/[ ().-]/g, '') : subject;
}

function keyOf(identity: Identity): IdentityKey {
  return identity as IdentityKey; // as: the brand exists for the compiler only
}
