import { Locale } from '@pointgate/contract/locales.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { StoredKey } from '../../platform/key-rotation.ts';
import type { DeleteSome } from '../../platform/retention.ts';
import type { IdentityKey } from './identity-keys.ts';

const AddressRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  account_type: z.enum(['EMAIL', 'MOBILE']),
  // The next three are null if the address was never typed, so that only its hash is known.
  key_id: z.string().nullable(),
  wrapped_key: z.instanceof(Buffer).nullable(),
  sealed_address: z.instanceof(Buffer).nullable(),
  locale: z.enum(Locale.def.entries),
});
export type AddressRow = z.output<typeof AddressRow>;

const addressColumns = sql`
  id, account_id, account_type, key_id, wrapped_key, sealed_address, locale`;

export function selectAddressLocale(db: Db | Tx, key: { accountId: string; key: IdentityKey }) {
  return db.maybeOne(
    AddressRow.pick({ locale: true }),
    sql`
      select locale from account_addresses
      where account_id = ${key.accountId} and account_type = ${key.key.accountType}
        and subject = ${key.key.subject} and left_at is null and sealed_address is not null`,
  );
}

/**
 * Stores an encrypted address. An existing row keeps its encrypted address and can change its
 * language. Inserts nothing if the address is no identity of the account any more. A restored
 * address keeps its age, because the link of a notice reverts only what was added since.
 */
export async function upsertAddress(
  tx: Tx,
  address: {
    id: string;
    accountId: string;
    key: IdentityKey;
    keyId: string;
    wrappedKey: Buffer;
    sealedAddress: Buffer;
    locale: Locale;
    isLinkedNow: boolean;
  },
): Promise<void> {
  await tx.run(sql`
    insert into account_addresses as kept (id, account_id, account_type, subject, key_id, wrapped_key,
                                           sealed_address, locale, linked_at)
    select ${address.id}, account_id, account_type, subject, ${address.keyId},
           ${address.wrappedKey}, ${address.sealedAddress}, ${address.locale},
           case when ${address.isLinkedNow} then now() end
    from identities
    where account_type = ${address.key.accountType} and subject = ${address.key.subject}
      and account_id = ${address.accountId}
    for key share
    on conflict (account_id, account_type, subject) do update
    set locale = excluded.locale, left_at = null,
        key_id = coalesce(kept.key_id, excluded.key_id),
        wrapped_key = coalesce(kept.wrapped_key, excluded.wrapped_key),
        sealed_address = coalesce(kept.sealed_address, excluded.sealed_address)`);
}

/**
 * Removes all addresses of a kind from the account. The rows stay, so that this can be reverted.
 */
export async function leaveAddresses(
  tx: Tx,
  left: { accountId: string; accountType: 'EMAIL' | 'MOBILE'; locale: Locale },
): Promise<void> {
  await tx.run(sql`
    with gone as (
      delete from identities
      where account_id = ${left.accountId} and account_type = ${left.accountType}
      returning account_id, account_type, subject)
    insert into account_addresses (id, account_id, account_type, subject, locale, left_at)
    select uuidv7(), account_id, account_type, subject, ${left.locale}, now() from gone
    on conflict (account_id, account_type, subject) do update set left_at = excluded.left_at`);
}

/** Removes addresses that were linked at or after this time from the account. */
export async function leaveAddressesSince(
  tx: Tx,
  { accountId, since }: { accountId: string; since: Date },
): Promise<void> {
  await tx.run(sql`
    with gone as (
      update account_addresses set left_at = now()
      where account_id = ${accountId} and left_at is null and linked_at >= ${since}
      returning account_id, account_type, subject)
    delete from identities using gone
    where identities.account_type = gone.account_type and identities.subject = gone.subject
      and identities.account_id = gone.account_id`);
}

/**
 * Restores addresses that were removed at or after this time, unless another account has them now.
 */
export async function returnAddressesSince(
  tx: Tx,
  { accountId, since }: { accountId: string; since: Date },
): Promise<void> {
  await tx.run(sql`
    with back as (
      insert into identities (account_type, subject, account_id)
      select account_type, subject, account_id from account_addresses
      where account_id = ${accountId} and left_at >= ${since}
        and (linked_at is null or linked_at < ${since})
      on conflict do nothing
      returning account_type, subject)
    update account_addresses kept set left_at = null from back
    where kept.account_id = ${accountId} and kept.account_type = back.account_type
      and kept.subject = back.subject`);
}

export const deleteLeftAddresses =
  (days: number): DeleteSome =>
  (tx, rowsMax) =>
    tx.run(sql`
      delete from account_addresses where id in
        (select id from account_addresses where left_at < now() - make_interval(days => ${days})
         limit ${rowsMax})`);

/** Current addresses of the account that are known in full and not only as a hash. */
export function selectSealedAddresses(db: Db, accountId: string) {
  return db.many(
    AddressRow,
    sql`
      select ${addressColumns} from account_addresses
      where account_id = ${accountId} and left_at is null and sealed_address is not null
      order by id limit 10`,
  );
}

export function selectAddress(db: Db | Tx, addressId: string) {
  return db.maybeOne(
    AddressRow,
    sql`select ${addressColumns} from account_addresses where id = ${addressId}`,
  );
}

/** The current mail addresses of an account. */
export async function selectMailAddresses(tx: Tx, accountId: string): Promise<string[]> {
  const rows = await tx.many(
    AddressRow.pick({ id: true }),
    sql`
      select id from account_addresses
      where account_id = ${accountId} and account_type = 'EMAIL' and left_at is null
        and sealed_address is not null
      order by id limit 10`,
  );
  return rows.map(({ id }) => id);
}

const KeyRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  key_id: z.string(),
  wrapped_key: z.instanceof(Buffer),
});

export async function lockOldAddressKeys(
  tx: Tx,
  { currentKeyId, rowsMax }: { currentKeyId: string; rowsMax: number },
): Promise<StoredKey[]> {
  const rows = await tx.many(
    KeyRow,
    sql`
      select id, account_id, key_id, wrapped_key from account_addresses
      where key_id <> ${currentKeyId} order by id limit ${rowsMax} for update`,
  );
  return rows.map((row) => ({
    id: row.id,
    personId: row.account_id,
    keyId: row.key_id,
    wrappedKey: row.wrapped_key,
  }));
}

export async function updateAddressKey(
  tx: Tx,
  key: { id: string; keyId: string; wrappedKey: Buffer },
): Promise<void> {
  await tx.run(sql`
    update account_addresses set key_id = ${key.keyId}, wrapped_key = ${key.wrappedKey}
    where id = ${key.id}`);
}
