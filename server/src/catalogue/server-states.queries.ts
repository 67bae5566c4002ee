import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';
import type { ServerWord, Teller } from './server-states.ts';

const Status = z.union([z.literal(0), z.literal(1)]);

const StateRow = z.object({
  game_id: z.string(),
  server_id: z.string(),
  told_by: z.enum(['operator', 'game']),
  status: Status,
  until: z.date().nullable(),
  told_at: z.date(),
});

export function selectServerStates(db: Db) {
  return db.many(
    StateRow,
    sql`
      select game_id, server_id, told_by, status, until, told_at from server_states limit 200000`,
  );
}

const ToldRow = z.object({
  id: z.string(),
  status: Status.nullable(),
  until: z.date().nullable(),
  told_at: z.date().nullable(),
});

/** These servers of a game, with what the game said last. Waits for its other reports. */
export async function selectToldLocked(
  tx: Tx,
  { gameId, serverIds }: { gameId: string; serverIds: readonly string[] },
) {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended('server_states ' || ${gameId}, 0))`);
  return await tx.many(
    ToldRow,
    sql`
      select id, told.status, told.until, told.told_at
      from game_servers left join server_states told
        on told.game_id = game_servers.game_id and server_id = id and told_by = 'game'
      where game_servers.game_id = ${gameId} and id = any(${serverIds}::text[])
      limit 100000`,
  );
}

export interface StateChange extends ServerWord {
  id: string;
  gameId: string;
  serverId: string;
  by: string;
  reason: string;
  at: Date;
}

/** Keeps what was said, and that it was said. False if there is no such server. */
export async function upsertServerState(tx: Tx, change: StateChange): Promise<boolean> {
  const { id, gameId, serverId, toldBy, status, until, by, reason, at } = change;
  const written = await tx.run(sql`
    insert into server_states (game_id, server_id, told_by, status, until, told_at)
    select game_id, id, ${toldBy satisfies Teller}, ${status}, ${until}::timestamptz, ${at}::timestamptz
    from game_servers where game_id = ${gameId} and id = ${serverId}
    on conflict (game_id, server_id, told_by) do update
      set status = excluded.status, until = excluded.until, told_at = excluded.told_at`);
  if (written === 0) return false;
  await tx.run(sql`
    insert into server_status_changes (id, game_id, server_id, status, until, by, reason, at)
    values (${id}, ${gameId}, ${serverId}, ${status}, ${until}, ${by}, ${reason}, ${at})`);
  return true;
}

const ListedRow = z.object({
  game_id: z.string(),
  server_id: z.string(),
  status: Status,
  by: z.string().nullable(),
  reason: z.string().nullable(),
  at: z.date().nullable(),
});

/** Each server with its status in the catalogue and the last change of any, or null. */
export function selectListedServers(db: Db) {
  return db.many(
    ListedRow,
    sql`
      select server.game_id, server.id as server_id, server.status, last.by, last.reason, last.at
      from game_servers server
      left join lateral (
        select by, reason, at from server_status_changes change
        where change.game_id = server.game_id and change.server_id = server.id
        order by at desc, id desc limit 1
      ) last on true
      order by server.game_id, server.position, server.id limit 100000`,
  );
}
