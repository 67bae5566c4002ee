import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import { unfinishedOrderStates } from './account-states.ts';

export interface GameAccountKey {
  gameId: string;
  gameAccountId: string;
}

export function selectOwner(tx: Tx, key: GameAccountKey) {
  return tx.maybeOne(
    z.object({ account_id: z.uuid() }),
    sql`
      select account_id from game_accounts
      where game_id = ${key.gameId} and game_account_id = ${key.gameAccountId}`,
  );
}

/** Serializes changes of the owner of a game account, which may have none, by a lock. */
export async function lockGameAccount(tx: Tx, key: GameAccountKey): Promise<void> {
  const name = `game_account:${key.gameId}:${key.gameAccountId}`;
  await tx.run(sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`);
}

export function selectNewPlayersRule(tx: Tx, gameId: string) {
  return tx.maybeOne(
    z.object({ arrival: z.enum(['known_only', 'create']), new_players_per_minute: z.int() }),
    sql`select arrival, new_players_per_minute from games where id = ${gameId}`,
  );
}

export async function updateNewPlayersRule(
  tx: Tx,
  rule: { gameId: string; arrival: 'known_only' | 'create'; perMinute: number | null },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update games set arrival = ${rule.arrival},
      new_players_per_minute = coalesce(${rule.perMinute}::int, new_players_per_minute)
    where id = ${rule.gameId}`);
  return updated === 1;
}

export async function insertArrivedAccount(
  tx: Tx,
  account: { accountId: string; displayName: string },
): Promise<void> {
  await tx.run(sql`
    insert into accounts (id, account_type, display_name, origin)
    values (${account.accountId}, 'ACCOUNT', ${account.displayName}, 'arrival')`);
}

/** False if the game account has an owner. */
export async function insertGameAccount(
  tx: Tx,
  binding: GameAccountKey & { accountId: string; by: string },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into game_accounts (account_id, game_id, game_account_id, bound_by)
    values (${binding.accountId}, ${binding.gameId}, ${binding.gameAccountId}, ${binding.by})
    on conflict do nothing`);
  return inserted === 1;
}

/**
 * Takes a game account from its owner and remembers that it was theirs. False if this account does
 * not own it.
 */
export async function releaseGameAccount(
  tx: Tx,
  released: GameAccountKey & { id: string; accountId: string; by: string; reason: string },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    with released as (
      delete from game_accounts
      where account_id = ${released.accountId} and game_id = ${released.gameId}
        and game_account_id = ${released.gameAccountId}
      returning *
    )
    insert into former_game_accounts (id, account_id, game_id, game_account_id, bound_at, bound_by,
                                      released_by, reason)
    select ${released.id}, account_id, game_id, game_account_id, bound_at, bound_by,
           ${released.by}, ${released.reason}
    from released`);
  return inserted === 1;
}

/** Whether an order of this account for this game account may still be delivered or refunded. */
export function selectHasUnfinishedOrder(
  tx: Tx,
  key: GameAccountKey & { accountId: string },
): Promise<{ is_unfinished: boolean }> {
  return tx.one(
    z.object({ is_unfinished: z.boolean() }),
    sql`
      select exists (
        select from orders
        where account_id = ${key.accountId} and game_id = ${key.gameId}
          and game_account_id = ${key.gameAccountId}
          and state = any(${[...unfinishedOrderStates]}::text[])) as is_unfinished`,
  );
}

const Owned = z.object({
  game_id: z.string(),
  game_account_id: z.string(),
  bound_at: z.date(),
  bound_by: z.string(),
});

export function selectGameAccounts(db: Db, accountId: string) {
  return db.many(
    Owned,
    sql`
      select game_id, game_account_id, bound_at, bound_by from game_accounts
      where account_id = ${accountId} order by bound_at, game_id, game_account_id limit 100`,
  );
}

export function selectFormerGameAccounts(db: Db, accountId: string) {
  return db.many(
    Owned.extend({ released_at: z.date(), released_by: z.string(), reason: z.string() }),
    sql`
      select game_id, game_account_id, bound_at, bound_by, released_at, released_by, reason
      from former_game_accounts where account_id = ${accountId} order by released_at limit 100`,
  );
}
