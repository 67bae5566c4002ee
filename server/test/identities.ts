import { openAddresses } from '../src/people/accounts/addresses.ts';
import { openIdentityKeys } from '../src/people/accounts/identity-keys.ts';
import { openPersonCipher } from '../src/platform/person-cipher.ts';

/** The key of the blind index of addresses and phone numbers in all test shops. */
export const testIndexKey = Buffer.alloc(32, 'an index key of the tests');

export const testIdentityKeyOf = openIdentityKeys(testIndexKey);

/** The cipher for addresses in tests without a shop. */
export const testCipher = openPersonCipher({
  keys: [{ id: 'k1', key: Buffer.alloc(32, 'a person key of the tests') }],
  indexKey: testIndexKey,
});

export const testAddresses = openAddresses({
  cipher: testCipher,
  identityKeyOf: testIdentityKeyOf,
});
