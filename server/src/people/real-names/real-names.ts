import { RealNameData } from '@pointgate/contract/real-names.ts';
import { z } from 'zod';
import type { Db, Tx } from '../../platform/db.ts';
import { rotateKeys } from '../../platform/key-rotation.ts';
import { openPersonCipher, type PersonCipher } from '../../platform/person-cipher.ts';
import type { Secret } from '../../platform/redacted.ts';
import type { NamedKey } from '../../platform/sealing.ts';
import { birthdayInNumber, isMainlandChina } from './identity-number.ts';
import { hidden, maskEmail, maskIdentityNumber, maskName, maskPhone } from './masks.ts';
import {
  deletePersonKey,
  insertAudit,
  lockIsAccount,
  lockOldPersonKeys,
  type PersonColumn,
  type PersonRow,
  selectAccountsByIndex,
  selectPerson,
  updatePersonKey,
  upsertPerson,
} from './real-names.queries.ts';

/** Dependencies of this feature, created once in app.ts. */
export interface PeopleContext {
  /** Null if the shop has no person keys; then it cannot store real-name data. */
  cipher: PersonCipher | null;
  now(): number;
}

export function openPeople(options: {
  keys: readonly NamedKey[] | undefined;
  indexKey: Buffer | undefined;
}): PeopleContext {
  const { keys, indexKey } = options;
  if (keys === undefined && indexKey === undefined) return { cipher: null, now: Date.now };
  if (keys === undefined || indexKey === undefined) {
    throw new Error('PERSON_KEYS and PERSON_INDEX_KEY must be set together or not at all');
  }
  return { cipher: openPersonCipher({ keys, indexKey }), now: Date.now };
}

const nothingKnown: z.input<typeof RealNameData> = {
  fullName: null,
  address: null,
  phone: null,
  email: null,
  birthday: null,
  identityNumber: null,
  approvalDate: null,
  approvalRegion: null,
};

/** Real-name data as an operator or the game sends it; omitted fields count as unknown. */
export const RealNameImport = z
  .preprocess((given) => (isRecord(given) ? { ...nothingKnown, ...given } : given), RealNameData)
  .superRefine((person, context) => {
    const field = disagreement(person);
    if (field !== null) context.addIssue({ code: 'custom', path: [field], message: 'disagrees' });
  });
export type RealNameImport = z.output<typeof RealNameImport>;

function isRecord(given: unknown): given is object {
  return typeof given === 'object' && given !== null && !Array.isArray(given);
}

/** With an approval from mainland China, identity number and birthday must match. */
function disagreement({
  approvalRegion,
  identityNumber,
  birthday,
}: z.output<typeof RealNameData>): 'identityNumber' | 'birthday' | null {
  if (identityNumber === null || !isMainlandChina(approvalRegion)) return null;
  const born = birthdayInNumber(normalised(identityNumber));
  if (born === undefined) return 'identityNumber';
  return birthday === null || birthday === born ? null : 'birthday';
}

/** Decrypted real-name data, which must not leave this feature unmasked. */
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

interface Import {
  accountId: string;
  data: RealNameImport;
  /** An operator's name, or `game:` and the game. */
  by: string;
  /** Missing for an import from the command line. */
  requestId?: string;
}

/**
 * Replaces all real-name data of the player, under a new key. False if there is no such account.
 */
export async function writePerson(
  tx: Tx,
  people: PeopleContext,
  { accountId, data, by, requestId }: Import,
): Promise<boolean> {
  const cipher = cipherOf(people);
  const { dataKey, wrapped } = cipher.newDataKey(accountId);
  const seal = (field: keyof RealNameImport) => {
    const value = data[field];
    return value === null ? null : cipher.seal(dataKey, placeOf(accountId, field), value);
  };
  const index = indexOf(cipher, data);
  if (!(await lockIsAccount(tx, accountId))) return false;
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
  await insertAudit(tx, { accountId, action: 'imported', by, requestId: requestId ?? null });
  return true;
}

/** Undefined if there is no real-name data, or it was shredded. */
export async function realNameOf(
  db: Db | Tx,
  people: PeopleContext,
  accountId: string,
): Promise<RealName | undefined> {
  const row = await selectPerson(db, accountId);
  return row === undefined ? undefined : openRow(cipherOf(people), row);
}

/**
 * The same for a reader, with an audit row even if there is no data. A failed read is audited in a
 * transaction of its own, because the first was rolled back.
 */
export async function readRealName(
  db: Db,
  people: PeopleContext,
  { accountId, by, requestId }: { accountId: string; by: string; requestId: string | null },
): Promise<RealName | undefined> {
  try {
    return await db.transaction(async (tx) => {
      await insertAudit(tx, { accountId, action: 'read', by, requestId });
      return await realNameOf(tx, people, accountId);
    });
  } catch (error) {
    const failed = { accountId, action: 'read_failed', by, requestId } as const;
    await db.transaction((tx) => insertAudit(tx, failed));
    throw error;
  }
}

/** Whether the account exists; only reads of existing accounts can be audited. */
export async function isAccount(db: Db, accountId: string): Promise<boolean> {
  return await db.transaction((tx) => lockIsAccount(tx, accountId));
}

/** Masks each field as its kind requires. */
export function maskedRealName(
  person: RealName | undefined,
): Record<keyof RealName, string | null> {
  const shown = (field: keyof RealName, mask: (text: string) => string) => {
    const value = person?.[field] ?? null;
    return value === null ? null : mask(value.reveal());
  };
  return {
    fullName: shown('fullName', maskName),
    address: shown('address', () => hidden),
    phone: shown('phone', maskPhone),
    email: shown('email', maskEmail),
    birthday: shown('birthday', () => hidden),
    identityNumber: shown('identityNumber', maskIdentityNumber),
    approvalDate: shown('approvalDate', (date) => date),
    approvalRegion: shown('approvalRegion', (region) => region),
  };
}

/** Unmasked data, for an export to the person only. */
export function plainRealName(person: RealName | undefined): Record<keyof RealName, string | null> {
  const field = (name: keyof RealName) => person?.[name]?.reveal() ?? null;
  return {
    fullName: field('fullName'),
    address: field('address'),
    phone: field('phone'),
    email: field('email'),
    birthday: field('birthday'),
    identityNumber: field('identityNumber'),
    approvalDate: field('approvalDate'),
    approvalRegion: field('approvalRegion'),
  };
}

/** Finds accounts by phone or identity number. The search is audited. */
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
    if (accountIds.length === 0) {
      await insertAudit(tx, { accountId: null, action: 'not_found', by, requestId: null });
    }
    return accountIds;
  });
}

/**
 * Deletes the key of a player's data, which makes the data and all its copies unreadable. False if
 * there was none.
 */
export async function shredPerson(
  tx: Tx,
  { accountId, by }: { accountId: string; by: string },
): Promise<boolean> {
  const isFirst = await deletePersonKey(tx, accountId);
  if (isFirst) await insertAudit(tx, { accountId, action: 'shredded', by, requestId: null });
  return isFirst;
}

/** Rewraps every person's key with the current key and answers the number of keys. */
export async function rotatePersonKeys(db: Db, people: PeopleContext): Promise<number> {
  return await rotateKeys(db, cipherOf(people), {
    lockOld: async (tx, some) =>
      (await lockOldPersonKeys(tx, some)).map((row) => ({
        id: row.account_id,
        personId: row.account_id,
        keyId: row.key_id,
        wrappedKey: row.wrapped_key,
      })),
    update: (tx, { id, ...key }) => updatePersonKey(tx, { accountId: id, ...key }),
  });
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

function indexOf(
  cipher: PersonCipher,
  { phone, identityNumber }: { phone: string | null; identityNumber: string | null },
) {
  const index = (field: 'phone' | 'identityNumber', value: string | null) =>
    value === null ? null : cipher.blindIndex(columns[field], normalised(value));
  return { phone: index('phone', phone), identityNumber: index('identityNumber', identityNumber) };
}

/** Normalises spellings of the same number: spaces, hyphens, full-width signs, lower case. */
function normalised(number: string): string {
  return number
    .normalize('NFKC')
    .replace(/[\s\p{Dash}]/gu, '')
    .toUpperCase();
}
