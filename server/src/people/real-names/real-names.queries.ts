import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';

const Sealed = z.instanceof(Buffer).nullable();

const PersonRow = z.object({
  account_id: z.uuid(),
  key_id: z.string(),
  wrapped_key: z.instanceof(Buffer),
  full_name: Sealed,
  address: Sealed,
  phone: Sealed,
  email: Sealed,
  birthday: Sealed,
  identity_number: Sealed,
  approval_date: Sealed,
  approval_region: Sealed,
});
export type PersonRow = z.output<typeof PersonRow>;

const FoundAccount = z.object({ account_id: z.uuid() });

/** The encrypted columns. */
export type PersonColumn = Exclude<keyof PersonRow, 'account_id' | 'key_id' | 'wrapped_key'>;

/**
 * Takes the same lock as a payment, so that an account is not assigned to another person while a
 * payment of it is being opened.
 */
export async function lockIsAccount(tx: Tx, accountId: string): Promise<boolean> {
  const account = await tx.maybeOne(
    FoundAccount,
    sql`select id as account_id from accounts where id = ${accountId} for no key update`,
  );
  return account !== undefined;
}

/**
 * Key and values in one statement, so that they are consistent. Undefined if the key was deleted.
 */
export function selectPerson(db: Db | Tx, accountId: string): Promise<PersonRow | undefined> {
  return db.maybeOne(
    PersonRow,
    sql`
      select person_keys.account_id, key_id, wrapped_key, full_name, address, phone, email,
             birthday, identity_number, approval_date, approval_region
      from person_keys join people using (account_id)
      where person_keys.account_id = ${accountId}`,
  );
}

/** Writes every column, so that no value encrypted under an older key stays. */
export async function upsertPerson(
  tx: Tx,
  person: PersonRow & { phone_index: Buffer | null; identity_number_index: Buffer | null },
): Promise<void> {
  await tx.run(sql`
    insert into person_keys (account_id, key_id, wrapped_key)
    values (${person.account_id}, ${person.key_id}, ${person.wrapped_key})
    on conflict (account_id) do update set
      key_id = excluded.key_id, wrapped_key = excluded.wrapped_key`);
  await tx.run(sql`
    insert into people
      (account_id, full_name, address, phone, email, birthday, identity_number, approval_date,
       approval_region, phone_index, identity_number_index)
    values
      (${person.account_id}, ${person.full_name}, ${person.address}, ${person.phone},
       ${person.email}, ${person.birthday}, ${person.identity_number}, ${person.approval_date},
       ${person.approval_region}, ${person.phone_index}, ${person.identity_number_index})
    on conflict (account_id) do update set
      full_name = excluded.full_name, address = excluded.address, phone = excluded.phone,
      email = excluded.email, birthday = excluded.birthday,
      identity_number = excluded.identity_number, approval_date = excluded.approval_date,
      approval_region = excluded.approval_region, phone_index = excluded.phone_index,
      identity_number_index = excluded.identity_number_index, imported_at = now()`);
}

/** False if there was no key. Deletes the blind indexes too, because they identify the person. */
export async function deletePersonKey(tx: Tx, accountId: string): Promise<boolean> {
  const deleted = await tx.run(sql`delete from person_keys where account_id = ${accountId}`);
  await tx.run(sql`
    update people set phone_index = null, identity_number_index = null
    where account_id = ${accountId}`);
  return deleted === 1;
}

export async function selectAccountsByIndex(
  db: Db | Tx,
  index: { phone: Buffer | null; identityNumber: Buffer | null },
): Promise<string[]> {
  const rows = await db.many(
    FoundAccount,
    sql`
      select account_id from people
      where phone_index = ${index.phone} or identity_number_index = ${index.identityNumber}
      order by account_id limit 1000`,
  );
  return rows.map(({ account_id }) => account_id);
}

const KeyRow = z.object({
  account_id: z.uuid(),
  key_id: z.string(),
  wrapped_key: z.instanceof(Buffer),
});

/** Selects and locks keys that are not wrapped with the current key yet. */
export function lockOldPersonKeys(
  tx: Tx,
  { currentKeyId, rowsMax }: { currentKeyId: string; rowsMax: number },
) {
  return tx.many(
    KeyRow,
    sql`
      select account_id, key_id, wrapped_key from person_keys
      where key_id <> ${currentKeyId}
      order by account_id limit ${rowsMax} for update`,
  );
}

export async function updatePersonKey(
  tx: Tx,
  key: { accountId: string; keyId: string; wrappedKey: Buffer },
): Promise<void> {
  await tx.run(sql`
    update person_keys set key_id = ${key.keyId}, wrapped_key = ${key.wrappedKey}
    where account_id = ${key.accountId}`);
}

export async function insertAudit(
  tx: Tx,
  audit: {
    accountId: string | null;
    action: 'read' | 'read_failed' | 'found' | 'not_found' | 'imported' | 'shredded';
    by: string;
    requestId: string | null;
  },
): Promise<void> {
  await tx.run(sql`
    insert into person_audits (account_id, action, by, request_id)
    values (${audit.accountId}, ${audit.action}, ${audit.by}, ${audit.requestId})`);
}
