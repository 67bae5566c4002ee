import type { Locale } from '@pointgate/contract/locales.ts';
import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import { rotateKeys } from '../../platform/key-rotation.ts';
import type { PersonCipher } from '../../platform/person-cipher.ts';
import type { Secret } from '../../platform/redacted.ts';
import { deleteInBatches } from '../../platform/retention.ts';
import {
  type AddressRow,
  deleteLeftAddresses,
  leaveAddressesSince,
  lockOldAddressKeys,
  returnAddressesSince,
  selectAddress,
  selectAddressLocale,
  selectMailAddresses,
  selectSealedAddresses,
  updateAddressKey,
  upsertAddress,
} from './addresses.queries.ts';
import { type IdentityKeyOf, normalised } from './identity-keys.ts';

/** A mail address or phone that a player has just proven by a sign-in or a code. */
interface ProvenAddress {
  accountId: string;
  accountType: 'EMAIL' | 'MOBILE';
  subject: string;
  /** The language in which the player uses the shop. */
  locale: Locale;
  /**
   * A code proves who reads the messages, and so their language. A password does not: an attacker
   * with a stolen password could set a language that the owner cannot read.
   */
  by: 'code' | 'password';
  /** Whether the owner has just added it to the account. */
  isLinkedNow?: boolean;
}

export interface Addresses {
  /** Encrypts and stores an address that is not stored yet. */
  keep(db: Db, proven: ProvenAddress): Promise<void>;
  /** The same inside a transaction of the caller. */
  keepIn(tx: Tx, proven: ProvenAddress): Promise<void>;
  /** The current addresses of an account that are known in full. */
  of(
    db: Db,
    accountId: string,
  ): Promise<({ accountType: AddressRow['account_type'] } & OpenedAddress)[]>;
}

/** Without a cipher nothing is stored, as with real-name data. */
export function openAddresses(options: {
  cipher: PersonCipher | null;
  identityKeyOf: IdentityKeyOf;
}): Addresses {
  const { cipher, identityKeyOf } = options;
  // Checked first, because most addresses are already stored.
  const isKept = async (reads: Db | Tx, proven: ProvenAddress) => {
    const key = identityKeyOf(proven);
    const kept = await selectAddressLocale(reads, { accountId: proven.accountId, key });
    return kept !== undefined && (proven.by === 'password' || kept.locale === proven.locale);
  };
  const keepIn = async (tx: Tx, proven: ProvenAddress) => {
    if (cipher === null || (await isKept(tx, proven))) return;
    const { accountId, locale, isLinkedNow = false } = proven;
    const { dataKey, wrapped } = cipher.newDataKey(accountId);
    await upsertAddress(tx, {
      id: newId(),
      accountId,
      key: identityKeyOf(proven),
      keyId: wrapped.keyId,
      wrappedKey: wrapped.wrappedKey,
      sealedAddress: cipher.seal(dataKey, placeOf(accountId), normalised(proven)),
      locale,
      isLinkedNow,
    });
  };
  return {
    keep: async (db, proven) => {
      if (cipher === null || (await isKept(db, proven))) return;
      await db.transaction((tx) => keepIn(tx, proven));
    },
    keepIn,
    of: async (db, accountId) => {
      if (cipher === null) return [];
      const rows = await selectSealedAddresses(db, accountId);
      return rows.flatMap((row) => {
        const opened = unseal(cipher, row);
        return opened === undefined ? [] : [{ accountType: row.account_type, ...opened }];
      });
    },
  };
}

/** The ids of the account's mail addresses, for notices. */
export async function mailAddressesOf(tx: Tx, accountId: string): Promise<string[]> {
  return await selectMailAddresses(tx, accountId);
}

interface OpenedAddress {
  address: Secret<string>;
  locale: Locale;
}

/** Decrypts an address with its language. Undefined if it was deleted. */
export async function openAddress(
  db: Db | Tx,
  cipher: PersonCipher,
  addressId: string,
): Promise<OpenedAddress | undefined> {
  const row = await selectAddress(db, addressId);
  return row === undefined ? undefined : unseal(cipher, row);
}

function unseal(cipher: PersonCipher, row: AddressRow): OpenedAddress | undefined {
  const { account_id: accountId, key_id: keyId, wrapped_key: wrappedKey, locale } = row;
  const { sealed_address: sealed } = row;
  if (keyId === null || wrappedKey === null || sealed === null) return undefined;
  const dataKey = cipher.unwrap(accountId, { keyId, wrappedKey });
  return { address: cipher.open(dataKey, placeOf(accountId), sealed), locale };
}

/** Reverts additions and removals of addresses since then. */
export async function returnAddresses(
  tx: Tx,
  from: { accountId: string; since: Date },
): Promise<void> {
  await leaveAddressesSince(tx, from);
  await returnAddressesSince(tx, from);
}

/** Deletes removed addresses whose removal can no longer be reverted. */
export async function forgetLeftAddresses(db: Db, { days }: { days: number }): Promise<void> {
  await deleteInBatches(db, deleteLeftAddresses(days));
}

/** Rewraps the key of every address with the current key and answers the number of keys. */
export async function rotateAddressKeys(
  db: Db,
  { cipher }: { cipher: PersonCipher | null },
): Promise<number> {
  if (cipher === null) return 0;
  const store = { lockOld: lockOldAddressKeys, update: updateAddressKey };
  return await rotateKeys(db, cipher, store);
}

function placeOf(personId: string) {
  return { table: 'account_addresses', column: 'sealed_address', personId };
}
