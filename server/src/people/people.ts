import { z } from 'zod';
import type { Db, Tx } from '../platform/db.ts';
import {
  deletePersonKey,
  insertAudit,
  lockOldPersonKeys,
  type PersonColumn,
  type PersonRow,
  selectAccountsByIndex,
  selectIsAccount,
  selectPerson,
  updatePersonKey,
  upsertPerson,
} from './people.queries.ts';
import { openPersonCipher, type PersonCipher, type PersonKey } from './person-cipher.ts';
import type { Secret } from './secret.ts';

/** What the functions of this feature need around them; made once in app.ts. */
export interface PeopleContext {
  /** Nothing where the shop was given no keys: it can then keep nobody's data. */
  cipher: PersonCipher | null;
  now(): number;
}

export function openPeople(options: {
  keys: readonly PersonKey[] | undefined;
  indexKey: Buffer | undefined;
}): PeopleContext {
  const { keys, indexKey } = options;
  if (keys === undefined && indexKey === undefined) return { cipher: null, now: Date.now };
  if (keys === undefined || indexKey === undefined) {
    throw new Error('PERSON_KEYS and PERSON_INDEX_KEY are set together or not at all');
  }
  return { cipher: openPersonCipher({ keys, indexKey }), now: Date.now };
}

const text = (lengthMax: number) =>
  z.string().trim().min(1).max(lengthMax).nullable().default(null);

const PhoneNumber = z.string().regex(/^\+[1-9]\d{6,14}$/);

/** What an operator, or the game, knows of a player. */
export const RealNameImport = z.strictObject({
  fullName: text(200),
  address: text(500),
  phone: PhoneNumber.nullable().default(null),
  email: z.email().max(254).nullable().default(null),
  birthday: z.iso.date().nullable().default(null),
  identityNumber: text(64),
  approvalDate: z.iso.date().nullable().default(null),
  approvalRegion: text(100),
});
export type RealNameImport = z.output<typeof RealNameImport>;

/** Real-name data as it is. It stays inside this feature. */
export type RealName = Record<keyof RealNameImport, Secret<string> | null>;

const columns = {
  fullName: 'full_name',
  address: 'address',
  phone: 'phone',
  email: 'email',
  birthday: 'birthday',
  identityNumber: 'identity_number',
  approvalDate: 'approval_date',
  approvalRegion: 'approval_region',
} as const satisfies Record<keyof RealNameImport, PersonColumn>;

/** Replaces all that was known of the player, under a new key. False where there is no such account. */
export async function importPerson(
  db: Db,
  people: PeopleContext,
  { accountId, data, by }: { accountId: string; data: RealNameImport; by: string },
): Promise<boolean> {
  const cipher = cipherOf(people);
  const { dataKey, wrapped } = cipher.newDataKey(accountId);
  const seal = (field: keyof RealNameImport) => {
    const value = data[field];
    return value === null ? null : cipher.seal(dataKey, placeOf(accountId, field), value);
  };
  const index = indexOf(cipher, data);
  return await db.transaction(async (tx) => {
    if (!(await selectIsAccount(tx, accountId))) return false;
    await upsertPerson(tx, {
      account_id: accountId,
      key_id: wrapped.keyId,
      wrapped_key: wrapped.wrappedKey,
      full_name: seal('fullName'),
      address: seal('address'),
      phone: seal('phone'),
      email: seal('email'),
      birthday: seal('birthday'),
      identity_number: seal('identityNumber'),
      approval_date: seal('approvalDate'),
      approval_region: seal('approvalRegion'),
      phone_index: index.phone,
      identity_number_index: index.identityNumber,
    });
    await insertAudit(tx, { accountId, action: 'imported', by, requestId: null });
    return true;
  });
}

/** Undefined where nothing is known, or what was known has been shredded. */
export async function realNameOf(
  db: Db | Tx,
  people: PeopleContext,
  accountId: string,
): Promise<RealName | undefined> {
  const row = await selectPerson(db, accountId);
  return row === undefined ? undefined : openRow(cipherOf(people), row);
}

/** The same for somebody to look at, which is written down whether or not there is anything to see. */
export async function readRealName(
  db: Db,
  people: PeopleContext,
  { accountId, by, requestId }: { accountId: string; by: string; requestId: string },
): Promise<RealName | undefined> {
  return await db.transaction(async (tx) => {
    await insertAudit(tx, { accountId, action: 'read', by, requestId });
    return await realNameOf(tx, people, accountId);
  });
}

/** Which accounts have this phone or identity number. That they were looked for is written down. */
export async function findPeople(
  db: Db,
  people: PeopleContext,
  { by, ...wanted }: { phone: string | null; identityNumber: string | null; by: string },
): Promise<string[]> {
  const index = indexOf(cipherOf(people), wanted);
  return await db.transaction(async (tx) => {
    const accountIds = await selectAccountsByIndex(tx, index);
    for (const accountId of accountIds) {
      await insertAudit(tx, { accountId, action: 'found', by, requestId: null });
    }
    return accountIds;
  });
}

/** Makes a player's data unreadable for good, here and in every copy. False where there was none. */
export async function shredPerson(
  db: Db,
  { accountId, by }: { accountId: string; by: string },
): Promise<boolean> {
  return await db.transaction(async (tx) => {
    const isFirst = await deletePersonKey(tx, accountId);
    if (isFirst) await insertAudit(tx, { accountId, action: 'shredded', by, requestId: null });
    return isFirst;
  });
}

const rotateRowsMax = 200;

/**
 * Wraps every person's key with the current key; answers how many it was. After that an older key is
 * needed by nobody. May be stopped and run again.
 */
export async function rotatePersonKeys(db: Db, people: PeopleContext): Promise<number> {
  const cipher = cipherOf(people);
  const { currentKeyId } = cipher;
  for (let total = 0; ; ) {
    const count = await db.transaction(async (tx) => {
      const old = await lockOldPersonKeys(tx, { currentKeyId, rowsMax: rotateRowsMax });
      for (const { account_id: accountId, key_id: keyId, wrapped_key: wrappedKey } of old) {
        const rewrapped = cipher.rewrap(accountId, { keyId, wrappedKey });
        await updatePersonKey(tx, { accountId, ...rewrapped });
      }
      return old.length;
    });
    if (count === 0) return total;
    total += count;
  }
}

function cipherOf({ cipher }: PeopleContext): PersonCipher {
  if (cipher === null) throw new Error('PERSON_KEYS and PERSON_INDEX_KEY are not set');
  return cipher;
}

function openRow(cipher: PersonCipher, row: PersonRow): RealName {
  const { account_id: accountId, key_id: keyId, wrapped_key: wrappedKey } = row;
  const dataKey = cipher.unwrap(accountId, { keyId, wrappedKey });
  const open = (field: keyof RealNameImport) => {
    const sealed = row[columns[field]];
    return sealed === null ? null : cipher.open(dataKey, placeOf(accountId, field), sealed);
  };
  return {
    fullName: open('fullName'),
    address: open('address'),
    phone: open('phone'),
    email: open('email'),
    birthday: open('birthday'),
    identityNumber: open('identityNumber'),
    approvalDate: open('approvalDate'),
    approvalRegion: open('approvalRegion'),
  };
}

function placeOf(personId: string, field: keyof RealNameImport) {
  return { table: 'people', column: columns[field], personId };
}

/** A number is the same person's however it is written: spaces, hyphens, a small x at its end. */
function indexOf(
  cipher: PersonCipher,
  { phone, identityNumber }: { phone: string | null; identityNumber: string | null },
) {
  const normalised = (value: string) =>
    value
      .normalize('NFKC')
      .replace(/[\s\p{Dash}]/gu, '')
      .toUpperCase();
  const index = (field: 'phone' | 'identityNumber', value: string | null) =>
    value === null ? null : cipher.blindIndex(columns[field], normalised(value));
  return { phone: index('phone', phone), identityNumber: index('identityNumber', identityNumber) };
}
