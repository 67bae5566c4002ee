import { openIdentityKeys } from '../src/accounts/identity-keys.ts';

/** What every shop of the tests finds addresses and phone numbers by. */
export const testIndexKey = Buffer.alloc(32, 'an index key of the tests');

export const testIdentityKeyOf = openIdentityKeys(testIndexKey);
