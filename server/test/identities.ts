import { openAddresses } from '../src/people/accounts/addresses.ts';
import { openIdentityKeys } from '../src/people/accounts/identity-keys.ts';
import { openPersonCipher } from '../src/platform/person-cipher.ts';

/** What every shop of the tests finds addresses and phone numbers by. */
export const testIndexKey = Buffer.alloc(32, 'an index key of the tests');

export const testIdentityKeyOf = openIdentityKeys(testIndexKey);

/** What addresses are sealed with in tests that open no shop. */
export const testCipher = openPersonCipher({
  keys: [{ id: 'k1', key: Buffer.alloc(32, 'a person key of the tests') }],
  indexKey: testIndexKey,
});

export const testAddresses = openAddresses({
  cipher: testCipher,
  identityKeyOf: testIdentityKeyOf,
});
