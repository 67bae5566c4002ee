import type { AccountType } from '@pointgate/contract/accounts.ts';
import { PlayerLine, playerFields } from '@pointgate/contract/player-line.ts';
import type * as z from 'zod/mini';
import {
  type FirebaseParameters,
  type HashProblem,
  storedForm,
} from '../accounts/foreign-hashes.ts';
import type { IdentityKey, IdentityKeyOf } from '../accounts/identity-keys.ts';
import { type CsvHeader, readCsvHeader, readCsvLine } from './csv-line.ts';
import type { FileLine } from './file-lines.ts';

/** Why a line makes no player. Operators and their scripts read these codes. */
type RefusalCode =
  | HashProblem
  | 'line_too_long'
  | 'not_utf8'
  | 'not_json'
  | 'not_csv'
  | 'duplicate_key'
  | 'unknown_field'
  | 'missing'
  | 'invalid'
  | 'number_of_spreadsheet'
  | 'no_way_in'
  | 'password_without_name'
  | 'created_in_future'
  | 'unknown_game'
  | 'name_twice'
  | 'names_two_players';

export interface Refusal {
  code: RefusalCode;
  /** A field of `PlayerLine`; empty if it is none of them. */
  field: string;
}

/** A name or game account of a line, with the field that it is from. */
interface Named<Name> {
  name: Name;
  field: string;
}

/** A line that is right by itself. */
export interface ReadPlayer {
  displayName: string | undefined;
  /** Shown if the line has no display name. */
  defaultName: string;
  createdAt: Date;
  isSuspended: boolean;
  passwordHash: string | null;
  identities: readonly Named<IdentityKey>[];
  gameAccounts: readonly Named<{ gameId: string; gameAccountId: string }>[];
}

export type LineReader = (line: FileLine) => ReadPlayer | Refusal | 'no player';

/** Refuses a file whose header cannot be read. */
export class UnusableHeader extends Error {}

interface ReaderParts {
  identityKeyOf: IdentityKeyOf;
  firebase: FirebaseParameters | undefined;
  games: ReadonlySet<string>;
  now: Date;
}

/** Reads the lines of a file, from the first one on. Empty lines are no players. */
export function openLineReader(format: 'ndjson' | 'csv', parts: ReaderParts): LineReader {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  let header: CsvHeader | undefined;
  return ({ number, bytes }) => {
    if (bytes === undefined) return refusal('line_too_long');
    let text: string;
    try {
      // Removes a byte order mark, which spreadsheets write.
      text = decoder.decode(bytes).trim();
    } catch {
      return refusal('not_utf8');
    }
    if (text === '') return 'no player';
    if (format === 'ndjson') return readFields(fieldsOfJson(text), parts);
    if (header !== undefined) return readFields(fieldsOfCsv(text, header), parts);
    const read = readCsvHeader(text);
    // Not the column itself: the first line may be a player.
    if ('unknownColumn' in read) {
      throw new UnusableHeader(`column ${read.unknownColumn} in line ${number} is no field`);
    }
    header = read;
    return 'no player';
  };
}

const refusal = (code: RefusalCode, field = ''): Refusal => ({ code, field });

/** The fields of a line, and how many keys it writes. */
interface Written {
  fields: unknown;
  keys?: number;
}

function fieldsOfJson(text: string): Written | Refusal {
  try {
    return { fields: JSON.parse(text), keys: countKeys(text) };
  } catch {
    return refusal('not_json');
  }
}

/** The texts of JSON with a colon behind them. */
function countKeys(json: string): number {
  let keys = 0;
  for (const [, colon] of json.matchAll(/"[^"\\]*(?:\\.[^"\\]*)*"\s*(:)?/g)) {
    if (colon !== undefined) keys += 1;
  }
  return keys;
}

/** Of a value whose depth is known. `JSON.parse` keeps the last of several equal keys. */
function keysOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inner = Object.values(value).reduce((sum: number, each) => sum + keysOf(each), 0);
  return inner + (Array.isArray(value) ? 0 : Object.keys(value).length);
}

const isSpreadsheetNumber = (value: string) => /^-?\d+([.,]\d+)?E\+?\d+$/i.test(value);

/** Lists are separated by `|`, their parts by the first `:`. */
function fieldsOfCsv(text: string, { columns, separator }: CsvHeader): Written | Refusal {
  const values = readCsvLine(text, separator);
  if (values === undefined || values.length > columns.length) return refusal('not_csv');
  const given = columns.flatMap((column, index) => {
    const value = values[index] ?? '';
    return value === '' ? [] : [[column, value] as const];
  });
  const rounded = given.find(([, value]) => value.split(/[|:]/).some(isSpreadsheetNumber));
  if (rounded !== undefined) return refusal('number_of_spreadsheet', rounded[0]);
  const fields = given.map(([column, value]) => {
    const parts = () => value.split('|').map(partsOf);
    if (column === 'identities') return [column, Object.fromEntries(parts())];
    if (column !== 'gameAccounts') return [column, value];
    return [column, parts().map(([gameId, gameAccountId]) => ({ gameId, gameAccountId }))];
  });
  const identities = given.find(([column]) => column === 'identities')?.[1].split('|') ?? [];
  const kinds = new Set(identities.map((part) => partsOf(part)[0]));
  if (kinds.size < identities.length) return refusal('duplicate_key', 'identities');
  return { fields: Object.fromEntries(fields) };
}

function partsOf(text: string): [string, string] {
  const at = text.indexOf(':');
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)];
}

function readFields(
  read: Written | Refusal,
  { identityKeyOf, firebase, games, now }: ReaderParts,
): ReadPlayer | Refusal {
  if ('code' in read) return read;
  const parsed = PlayerLine.safeParse(read.fields);
  if (!parsed.success) return refusalOf(parsed.error.issues[0], read.fields);
  if (read.keys !== undefined && read.keys !== keysOf(read.fields)) return refusal('duplicate_key');
  const line = parsed.data;
  const createdAt = new Date(line.createdAt);
  if (createdAt > now) return refusal('created_in_future', 'createdAt');
  // Dates that were never set are written as the year 1 by some systems, and as 1970 by others.
  if (createdAt.getTime() <= 0) return refusal('invalid', 'createdAt');
  const identities = identitiesOf(line, identityKeyOf);
  const gameAccounts = gameAccountsOf(line);
  if (identities.length + gameAccounts.length === 0) return refusal('no_way_in');
  if (gameAccounts.some(({ name }) => !games.has(name.gameId))) {
    return refusal('unknown_game', 'gameAccounts');
  }
  const player = {
    displayName: line.displayName,
    defaultName: line.loginName ?? line.gameAccounts?.[0]?.gameAccountId ?? 'Player',
    createdAt,
    isSuspended: line.state === 'suspended',
    identities,
    gameAccounts,
  };
  if (line.password === undefined) return { ...player, passwordHash: null };
  if (!typedFields.some((field) => line[field] !== undefined)) {
    return refusal('password_without_name', 'password');
  }
  const form = storedForm(line.password, firebase);
  if ('problem' in form) return refusal(form.problem, 'password');
  return { ...player, passwordHash: form.hash };
}

const typedFields = ['loginName', 'email', 'phone'] as const;

function identitiesOf(line: PlayerLine, identityKeyOf: IdentityKeyOf): Named<IdentityKey>[] {
  const { loginName: ACCOUNT, email: EMAIL, phone: MOBILE } = line;
  const typed = { loginName: { ACCOUNT }, email: { EMAIL }, phone: { MOBILE } };
  const all = { ...typed, identities: line.identities ?? {} };
  return Object.entries(all).flatMap(([field, subjects]) =>
    Object.entries(subjects).flatMap(([type, subject]) => {
      if (subject === undefined) return [];
      const accountType = type as z.output<typeof AccountType>; // as: keys of the objects above
      return [{ name: identityKeyOf({ accountType, subject }), field }];
    }),
  );
}

function gameAccountsOf({ gameAccounts = [] }: PlayerLine): ReadPlayer['gameAccounts'] {
  const each = new Map(gameAccounts.map((name) => [`${name.gameId} ${name.gameAccountId}`, name]));
  return [...each.values()].map((name) => ({ name, field: 'gameAccounts' }));
}

/** The refusal of the first fault. Only names of our own fields are repeated. */
function refusalOf(issue: z.core.$ZodIssue | undefined, fields: unknown): Refusal {
  const [first] = issue?.path ?? [];
  const field = playerFields.find((name) => name === first) ?? '';
  if (issue?.code === 'unrecognized_keys') return refusal('unknown_field', field);
  const isMissing =
    field !== '' && issue?.path.length === 1 && !Object.hasOwn(Object(fields), field);
  return refusal(isMissing ? 'missing' : 'invalid', field);
}
