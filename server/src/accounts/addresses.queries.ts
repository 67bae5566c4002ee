import { Locale } from '@pointgate/contract/locales.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';
import type { StoredKey } from '../platform/key-rotation.ts';
import type { IdentityKey } from './identity-keys.ts';

const AddressRow = z.object({
  id: z.uuid(),
  account_id: z.uuid(),
  account_type: z.enum(['EMAIL', 'MOBILE']),
  key_id: z.string(),
  wrapped_key: z.instanceof(Buffer),
  sealed_address: z.instanceof(Buffer),
  locale: z.enum(Locale.def.entries),
});
type AddressRow = z.output<typeof AddressRow>;

const addressColumns = sql`
  id, account_id, account_type, key_id, wrapped_key, sealed_address, locale`;

export function selectAddressLocale(db: Db | Tx, key: { accountId: string; key: IdentityKey }) {
  return db.maybeOne(
    AddressRow.pick({ locale: true }),
    sql`
      select locale from account_addresses
      where account_id = ${key.accountId} and account_type = ${key.key.accountType}
        and subject = ${key.key.subject} and left_at is null`,
  );
}

/**
 * One that is there keeps what was sealed; in which language its owner reads can change. None where it is no way
 * in any more.
 */
export async function upsertAddress(
  tx: Tx,
  address: Pick<AddressRow, 'id' | 'key_id' | 'wrapped_key' | 'sealed_address' | 'locale'> & {
    accountId: string;
    key: IdentityKey;
  },
): Promise<void> {
  await tx.run(sql`
    insert into account_addresses (id, account_id, account_type, subject, key_id, wrapped_key,
                                   sealed_address, locale)
    select ${address.id}, account_id, account_type, subject, ${address.key_id},
           ${address.wrapped_key}, ${address.sealed_address}, ${address.locale}
    from identities
    where account_type = ${address.key.accountType} and subject = ${address.key.subject}
      and account_id = ${address.accountId}
    for key share
    on conflict (account_id, account_type, subject) do update
    set locale = excluded.locale, left_at = null`);
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
      order by id limit 10`,
  );
  return rows.map(({ id }) => id);
}

const KeyRow = AddressRow.pick({ id: true, account_id: true, key_id: true, wrapped_key: true });

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
