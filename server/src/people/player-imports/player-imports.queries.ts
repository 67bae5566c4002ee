import { z } from 'zod';
import type { Session } from '../../platform/connections.ts';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { DeleteSome } from '../../platform/retention.ts';
import type { IdentityKey } from '../accounts/identity-keys.ts';
import type { Refusal } from './read-player.ts';

/** False if another process imports. The lock ends with the connection. */
export async function lockImports(session: Session): Promise<boolean> {
  const { rows } = await session.execute(
    `select pg_try_advisory_lock(hashtextextended('import_players', 0)) as is_locked`,
  );
  return z.tuple([z.object({ is_locked: z.boolean() })]).parse(rows)[0].is_locked;
}

export async function selectGameIds(db: Db): Promise<string[]> {
  const rows = await db.many(z.object({ id: z.string() }), sql`select id from games`);
  return rows.map(({ id }) => id);
}

const ImportRow = z.object({
  id: z.uuid(),
  next_byte: z.bigint(),
  lines: z.bigint(),
  made: z.bigint(),
  known: z.bigint(),
  updated: z.bigint(),
  refused: z.bigint(),
  is_done: z.boolean(),
  has_these_options: z.boolean(),
});
export type ImportRow = z.output<typeof ImportRow>;

/** The import of this file with these options, else one with others that is not done. */
export function selectImport(
  db: Db | Tx,
  { digest, options }: { digest: Buffer; options: object },
): Promise<ImportRow | undefined> {
  return db.maybeOne(
    ImportRow,
    sql`
      select id, next_byte, lines, made, known, updated, refused, done_at is not null as is_done,
             options = ${JSON.stringify(options)}::jsonb as has_these_options
      from player_imports
      where file_digest = ${digest}
        and (options = ${JSON.stringify(options)}::jsonb or done_at is null)
      order by has_these_options desc, started_at limit 1`,
  );
}

export async function insertImport(
  tx: Tx,
  started: { id: string; digest: Buffer; bytes: number; options: object; by: string },
): Promise<void> {
  await tx.run(sql`
    insert into player_imports (id, file_digest, bytes, options, by)
    values (${started.id}, ${started.digest}, ${started.bytes}, ${JSON.stringify(started.options)},
            ${started.by})`);
}

export interface Counts {
  lines: number;
  made: number;
  known: number;
  updated: number;
  refused: number;
}

/** False if another process has moved it. */
export async function moveImport(
  tx: Tx,
  moved: { importId: string; from: number; to: number; counts: Counts },
): Promise<boolean> {
  const { importId, from, to, counts } = moved;
  const changed = await tx.run(sql`
    update player_imports set
      next_byte = ${to}, seen_at = now(), lines = lines + ${counts.lines}, made = made + ${counts.made},
      known = known + ${counts.known}, updated = updated + ${counts.updated},
      refused = refused + ${counts.refused}
    where id = ${importId} and next_byte = ${from} and done_at is null`);
  return changed === 1;
}

export async function finishImport(tx: Tx, importId: string): Promise<void> {
  await tx.run(sql`
    update player_imports set done_at = now(), seen_at = now()
    where id = ${importId} and next_byte = bytes and done_at is null`);
}

/** A refused line of a file. */
export interface RefusedLine extends Refusal {
  line: number;
}

export async function insertRefusals(
  tx: Tx,
  { importId, refused }: { importId: string; refused: readonly RefusedLine[] },
): Promise<void> {
  await tx.run(sql`
    insert into player_import_refusals (import_id, line, code, field)
    select ${importId}::uuid, line, code, field
    from unnest(${refused.map(({ line }) => line)}::bigint[],
                ${refused.map(({ code }) => code)}::text[],
                ${refused.map(({ field }) => field)}::text[]) as refused (line, code, field)`);
}

const RefusalRow = z.object({ line: z.bigint(), code: z.string(), field: z.string() });

/** A page of the refusals behind this line, in the order of the file. */
export function selectRefusals(
  db: Db,
  { importId, after, rowsMax }: { importId: string; after: bigint; rowsMax: number },
) {
  return db.many(
    RefusalRow,
    sql`
      select line, code, field from player_import_refusals
      where import_id = ${importId} and line > ${after} order by line limit ${rowsMax}`,
  );
}

export const deleteOldRefusals =
  (days: number): DeleteSome =>
  (tx, rowsMax) =>
    tx.run(sql`
      delete from player_import_refusals where (import_id, line) in
        (select import_id, line from player_import_refusals
         join player_imports on player_imports.id = import_id
         where seen_at < now() - make_interval(days => ${days})
         limit ${rowsMax})`);

interface OwnedName {
  /** Of the line, or of the account. */
  owner: number | string;
  key: IdentityKey;
}

interface OwnedGameAccount {
  owner: number | string;
  gameId: string;
  gameAccountId: string;
}

/** The accounts that have a name or a game account of a line. */
export function selectOwners(
  db: Db | Tx,
  names: readonly OwnedName[],
  gameAccounts: readonly OwnedGameAccount[],
): Promise<{ line: number; account_id: string }[]> {
  return db.many(
    z.object({ line: z.int(), account_id: z.uuid() }),
    sql`
      select line, account_id
      from unnest(${names.map(({ owner }) => owner)}::int[],
                  ${names.map(({ key }) => key.accountType)}::text[],
                  ${names.map(({ key }) => key.subject)}::text[]) as named (line, account_type, subject)
      join identities using (account_type, subject)
      union
      select line, account_id
      from unnest(${gameAccounts.map(({ owner }) => owner)}::int[],
                  ${gameAccounts.map(({ gameId }) => gameId)}::text[],
                  ${gameAccounts.map(({ gameAccountId }) => gameAccountId)}::text[])
             as played (line, game_id, game_account_id)
      join game_accounts using (game_id, game_account_id)`,
  );
}

/** A player with the account that is made, or that is known. */
export interface PlayerRow {
  accountId: string;
  accountType: string;
  /** Undefined for a known player whose name stays. */
  displayName: string | undefined;
  createdAt: Date;
  isSuspended: boolean;
  passwordHash: string | null;
  names: readonly IdentityKey[];
  gameAccounts: readonly { gameId: string; gameAccountId: string }[];
}

const isTyped = sql`account_type in ('ACCOUNT', 'EMAIL', 'MOBILE')`;

/** The names of players, one in each row. */
function namesOf(players: readonly PlayerRow[]) {
  const rows = players.flatMap(({ accountId, passwordHash, names }) =>
    names.map((key) => ({ accountId, passwordHash, ...key })),
  );
  const named = sql`
    unnest(${rows.map(({ accountId }) => accountId)}::uuid[],
           ${rows.map(({ accountType }) => accountType)}::text[],
           ${rows.map(({ subject }) => subject)}::text[],
           ${rows.map(({ passwordHash }) => passwordHash)}::text[])
      as named (account_id, account_type, subject, password_hash)`;
  return { named, count: rows.length };
}

function gameAccountsOf(players: readonly PlayerRow[]) {
  const rows = players.flatMap(({ accountId, gameAccounts }) =>
    gameAccounts.map((gameAccount) => ({ accountId, ...gameAccount })),
  );
  const played = sql`
    unnest(${rows.map(({ accountId }) => accountId)}::uuid[],
           ${rows.map(({ gameId }) => gameId)}::text[],
           ${rows.map(({ gameAccountId }) => gameAccountId)}::text[])
      as played (account_id, game_id, game_account_id)`;
  return { played, count: rows.length };
}

/** False if somebody else took one of their names in the meantime. */
export async function insertPlayers(
  tx: Tx,
  { players, by }: { players: readonly PlayerRow[]; by: string },
): Promise<boolean> {
  await tx.run(sql`
    insert into accounts (id, account_type, display_name, created_at, state, origin)
    select id, account_type, display_name, created_at,
           case when is_suspended then 'suspended' else 'open' end, 'import'
    from unnest(${players.map(({ accountId }) => accountId)}::uuid[],
                ${players.map(({ accountType }) => accountType)}::text[],
                ${players.map(({ displayName }) => displayName)}::text[],
                ${players.map(({ createdAt }) => createdAt)}::timestamptz[],
                ${players.map(({ isSuspended }) => isSuspended)}::boolean[])
      as made (id, account_type, display_name, created_at, is_suspended)`);
  const suspended = players.filter(({ isSuspended }) => isSuspended);
  await tx.run(sql`
    insert into account_changes (id, account_id, change, by, reason)
    select uuidv7(), account_id, 'suspended', ${by}, 'suspended in the file of an import'
    from unnest(${suspended.map(({ accountId }) => accountId)}::uuid[]) as account_id`);
  const { named, count: names } = namesOf(players);
  const madeNames = await tx.run(sql`
    insert into identities (account_type, subject, account_id, password_hash)
    select account_type, subject, account_id, case when ${isTyped} then password_hash end
    from ${named} on conflict do nothing`);
  const { played, count: gameAccounts } = gameAccountsOf(players);
  const madeGameAccounts = await tx.run(sql`
    insert into game_accounts (account_id, game_id, game_account_id, bound_by)
    select account_id, game_id, game_account_id, 'import' from ${played} on conflict do nothing`);
  return madeNames === names && madeGameAccounts === gameAccounts;
}

const ChangedRow = z.object({ account_id: z.uuid() });

/**
 * Adds to open accounts what they lack: ways in of kinds that they do not have, game accounts, and
 * the display name of the line. An account with a typed name keeps its password, or its lack of one.
 * Addresses that the player has just removed stay away. Answers the accounts that changed.
 */
export async function updatePlayers(
  tx: Tx,
  players: readonly PlayerRow[],
): Promise<ReadonlySet<string>> {
  const ids = players.map(({ accountId }) => accountId);
  const open = sql`
    select id from accounts where id = any(${ids}::uuid[]) and state = 'open'
    order by id for no key update`;
  await tx.many(z.object({ id: z.uuid() }), open);
  const isOpen = sql`account_id in (
    select id from accounts where id = any(${ids}::uuid[]) and state = 'open')`;
  const { named } = namesOf(players);
  const names = await tx.many(
    ChangedRow,
    sql`
      insert into identities (account_type, subject, account_id, password_hash)
      select account_type, subject, account_id,
             case when not ${isTyped} then null
                  when exists (select from identities own
                               where own.account_id = named.account_id and own.${isTyped})
                    then (select password_hash from identities own
                          where own.account_id = named.account_id and own.password_hash is not null
                          limit 1)
                  else password_hash end
      from ${named}
      where ${isOpen}
        and not exists (select from identities own
                        where own.account_id = named.account_id
                          and own.account_type = named.account_type)
        and not exists (select from account_addresses gone
                        where gone.account_id = named.account_id
                          and gone.account_type = named.account_type
                          and gone.subject = named.subject and gone.left_at is not null)
      on conflict do nothing
      returning account_id`,
  );
  const { played } = gameAccountsOf(players);
  const gameAccounts = await tx.many(
    ChangedRow,
    sql`
      insert into game_accounts (account_id, game_id, game_account_id, bound_by)
      select account_id, game_id, game_account_id, 'import' from ${played} where ${isOpen}
      on conflict do nothing
      returning account_id`,
  );
  const displayed = players.filter(({ displayName }) => displayName !== undefined);
  const displayNames = await tx.many(
    ChangedRow,
    sql`
      update accounts set display_name = shown.display_name
      from unnest(${displayed.map(({ accountId }) => accountId)}::uuid[],
                  ${displayed.map(({ displayName }) => displayName)}::text[])
             as shown (account_id, display_name)
      where accounts.id = shown.account_id and accounts.state = 'open'
        and accounts.display_name <> shown.display_name
      returning accounts.id as account_id`,
  );
  return new Set([...names, ...gameAccounts, ...displayNames].map(({ account_id }) => account_id));
}
