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

/** An address or a phone by which a player has just signed in, or has just been sent a code. */
interface ProvenAddress {
  accountId: string;
  accountType: 'EMAIL' | 'MOBILE';
  subject: string;
  /** In which language the player uses the shop. */
  locale: Locale;
  /**
   * A code proves who reads the messages, and so in which language. A password does not: whoever has stolen one
   * could have its owner written to in a language that the owner cannot read.
   */
  by: 'code' | 'password';
  /** The owner has just linked it to the account. */
  isLinkedNow?: boolean;
}

export interface Addresses {
  /** Seals an address that is not kept yet. */
  keep(db: Db, proven: ProvenAddress): Promise<void>;
  /** The same as a part of something larger. */
  keepIn(tx: Tx, proven: ProvenAddress): Promise<void>;
  /** Those by which an account is signed in to, as far as the shop knows them. */
  of(
    db: Db,
    accountId: string,
  ): Promise<({ accountType: AddressRow['account_type'] } & OpenedAddress)[]>;
}

/** Without a cipher a shop keeps no addresses, as it keeps no real names. */
export function openAddresses(options: {
  cipher: PersonCipher | null;
  identityKeyOf: IdentityKeyOf;
}): Addresses {
  const { cipher, identityKeyOf } = options;
  // Most players have been here before, and nothing has to be written.
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

/** The ids of those by which the owner of an account is written to. */
export async function mailAddressesOf(tx: Tx, accountId: string): Promise<string[]> {
  return await selectMailAddresses(tx, accountId);
}

interface OpenedAddress {
  address: Secret<string>;
  locale: Locale;
}

/** Where to write, and in which language. Undefined when the address is forgotten. */
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

/** Undoes what was linked and what was left since then. */
export async function returnAddresses(
  tx: Tx,
  from: { accountId: string; since: Date },
): Promise<void> {
  await leaveAddressesSince(tx, from);
  await returnAddressesSince(tx, from);
}

/** Those that were left so long ago that nobody can undo it any more. */
export async function forgetLeftAddresses(db: Db, { days }: { days: number }): Promise<void> {
  await deleteInBatches(db, deleteLeftAddresses(days));
}

/** Wraps the key of every address with the current key; answers how many it was. */
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
