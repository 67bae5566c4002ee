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
  // None of the three where nobody ever typed the address.
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
 * One that is there keeps what was sealed; in which language its owner reads can change. None where it is no way
 * in any more. One that was left and comes back is as old as it was: only what is new is undone by a notice's link.
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

/** Takes all addresses of a kind off the account. They stay known, so that this can be undone. */
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

/** Takes addresses that were linked at that time or later off the account. */
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

/** Brings addresses back that were left at that time or later, but none that is another account's by now. */
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

/** Addresses by which the account is signed in to, and of which more is known than a hash. */
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

/** The mail addresses that an account is signed in to with. */
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
