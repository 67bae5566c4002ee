import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { importPlayers } from '../src/people/player-imports/player-imports.ts';
import { type Db, type RawExecutor, sql } from '../src/platform/db.ts';
import { demoGame } from './demo.ts';
import type { TestShop } from './shop.ts';

export const oldPassword = 'Dawn-58';
/** The hash of the old system: htpasswd -nbB -C 4 p 'Dawn-58' */
export const oldHash = '$2y$04$cH6Ek8v35W2jANLzk/Ayk.takFEkP0mkCUZ/12JeHpwehe3vLt122';

let files = 0;
const folder = mkdtempSync(join(tmpdir(), 'pointgate-test-'));

/** A file with a line for each player; texts are written as they are. */
export function givenPlayerFile(lines: readonly (object | string)[], name = 'players.ndjson') {
  files += 1;
  const file = join(folder, `${files}-${name}`);
  const text = lines.map((line) => (typeof line === 'string' ? line : JSON.stringify(line)));
  writeFileSync(file, `${text.join('\n')}\n`);
  return file;
}

export const bornAt = '2024-05-01T00:00:00.000Z';

/** A line with all ways in. */
export function playerLine(name: string, number: number) {
  return {
    loginName: name,
    email: `${name}@example.com`,
    phone: `+49151${String(10_000_000 + number)}`,
    gameAccounts: [{ gameId: demoGame.id, gameAccountId: `p-${name}` }],
    createdAt: bornAt,
  };
}

/** Imports a file in this process, in small batches. */
export async function importFile(
  shop: TestShop,
  file: string,
  { db = shop.db, ...changes }: { db?: Db; isUpdate?: boolean; linesMax?: number } = {},
) {
  const { isUpdate = false, linesMax = 3 } = changes;
  const { identityKeyOf } = shop.checks;
  const now = new Date();
  const { openSession } = shop;
  const parts = { db, identityKeyOf, openSession, note: () => {}, now, linesMax };
  const asked = { file, format: 'ndjson' as const, firebase: undefined, isUpdate, by: 'ines' };
  return await importPlayers(parts, asked);
}

const Imported = z.object({
  display_name: z.string(),
  state: z.string(),
  created_at: z.date(),
  ways: z.array(z.string()),
  game_accounts: z.array(z.string()),
});

/** All accounts without their ids, as an import leaves them. */
export function importedPlayers(db: Db) {
  return db.many(
    Imported,
    sql`
      select display_name, state, created_at,
             array(select account_type || ' ' || subject || ' ' || coalesce(password_hash, '')
                   from identities where account_id = accounts.id order by 1) as ways,
             array(select game_id || ' ' || game_account_id
                   from game_accounts where account_id = accounts.id order by 1) as game_accounts
      from accounts order by display_name, 4, 5`,
  );
}

/** Deletes all accounts with what refers to them, also facts that only a test may delete. */
export async function deletePlayers(owner: RawExecutor): Promise<void> {
  await owner.executeSql(`
    set session_replication_role = replica;
    truncate accounts, player_imports cascade;
    delete from limit_counters;
    reset session_replication_role`);
}
