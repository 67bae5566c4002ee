import type { Db, Tx } from '../../platform/db.ts';
import { newId } from '../../platform/ids.ts';
import type { openNameSet } from './name-set.ts';
import {
  type Counts,
  insertPlayers,
  insertRefusals,
  moveImport,
  type PlayerRow,
  type RefusedLine,
  selectOwners,
  updatePlayers,
} from './player-imports.queries.ts';
import type { ReadPlayer, Refusal } from './read-player.ts';

/** A line of the file as it was read. */
export interface ReadLine {
  line: number;
  read: ReadPlayer | Refusal;
}

/** Refuses a line with a name that a line before it has, and remembers the names of this one. */
export function refuseNameTwice(
  read: ReadPlayer,
  names: ReturnType<typeof openNameSet>,
): ReadPlayer | Refusal {
  const keys = [
    ...read.identities.map(({ name, field }) => [field, name.accountType, name.subject]),
    ...read.gameAccounts.map(({ name, field }) => [field, name.gameId, name.gameAccountId]),
  ];
  // All are added, so that what is refused does not depend on what came before.
  const twice = keys.filter((key) => !names.add(key.join(' ')));
  const [field] = twice[0] ?? [];
  return field === undefined ? read : { code: 'name_twice', field };
}

interface Planned {
  made: PlayerRow[];
  known: PlayerRow[];
  refused: RefusedLine[];
}

/** What becomes of each line, as the accounts are now. */
export async function planBatch(db: Db | Tx, lines: readonly ReadLine[]): Promise<Planned> {
  const readable = lines.flatMap(({ line, read }) => ('code' in read ? [] : [{ line, ...read }]));
  const owners = new Map<number, string[]>();
  const found = await selectOwners(
    db,
    readable.flatMap(({ line, identities }) =>
      identities.map(({ name: key }) => ({ owner: line, key })),
    ),
    readable.flatMap(({ line, gameAccounts }) =>
      gameAccounts.map(({ name }) => ({ owner: line, ...name })),
    ),
  );
  for (const { line, account_id } of found) {
    owners.set(line, [...(owners.get(line) ?? []), account_id]);
  }
  const planned: Planned = { made: [], known: [], refused: [] };
  for (const { line, read } of lines) {
    if ('code' in read) {
      planned.refused.push({ line, ...read });
      continue;
    }
    const [owner, other] = owners.get(line) ?? [];
    if (other !== undefined) {
      planned.refused.push({ line, code: 'names_two_players', field: '' });
    } else if (owner !== undefined) {
      planned.known.push(rowOf(read, owner));
    } else {
      const displayName = read.displayName ?? read.defaultName;
      planned.made.push(rowOf({ ...read, displayName }, newId()));
    }
  }
  return planned;
}

function rowOf({ identities, gameAccounts, ...read }: ReadPlayer, accountId: string): PlayerRow {
  const names = identities.map(({ name }) => name);
  return {
    accountId,
    // A player whom only a game knows has the same type as those with a login name.
    accountType: names[0]?.accountType ?? 'ACCOUNT',
    displayName: read.displayName,
    createdAt: read.createdAt,
    isSuspended: read.isSuspended,
    passwordHash: read.passwordHash,
    names,
    gameAccounts: gameAccounts.map(({ name }) => name),
  };
}

/** Somebody took a name of the batch while it was written. */
class NameTaken extends Error {}

const triesMax = 5;

/** Stores a batch and moves the import in one transaction. Answers what became of the lines. */
export async function storeBatch(
  db: Db,
  batch: {
    importId: string;
    by: string;
    lines: readonly ReadLine[];
    from: number;
    to: number;
    isUpdate: boolean;
  },
): Promise<Counts> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await db.transaction((tx) => storeIn(tx, batch));
    } catch (error) {
      if (!(error instanceof NameTaken) || tries >= triesMax) throw error;
    }
  }
}

async function storeIn(
  tx: Tx,
  { importId, by, lines, from, to, isUpdate }: Parameters<typeof storeBatch>[1],
): Promise<Counts> {
  const { made, known, refused } = await planBatch(tx, lines);
  if (!(await insertPlayers(tx, { players: made, by }))) {
    throw new NameTaken('a name was taken while its line was stored');
  }
  const updated = isUpdate && known.length > 0 ? (await updatePlayers(tx, known)).size : 0;
  await insertRefusals(tx, { importId, refused });
  const counts = {
    lines: lines.length,
    made: made.length,
    known: known.length,
    updated,
    refused: refused.length,
  };
  if (!(await moveImport(tx, { importId, from, to, counts }))) {
    throw new Error('another process goes on with this import');
  }
  return counts;
}
