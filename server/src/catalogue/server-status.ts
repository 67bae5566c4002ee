import { serverStatus } from '@pointgate/contract/named-numbers.ts';
import type { ServerReport } from '@pointgate/contract/server-reports.ts';
import { z } from 'zod';
import type { Db, Tx } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import { type Performed, refuse } from '../platform/operator-action.ts';
import {
  selectListedServers,
  selectServerStates,
  selectToldLocked,
  upsertServerState,
} from './server-states.queries.ts';
import { type ServerWord, stateAt } from './server-states.ts';

interface Server {
  gameId: string;
  serverId: string;
}

/** The end of a status, as an operator types it. */
export const Until = z
  .string()
  .transform((text) => text.replace(/(T\d\d:\d\d)(?=Z|[+-])/, '$1:00'))
  .pipe(
    z.iso.datetime({
      offset: true,
      error: 'is no time with its zone, such as 2026-12-01T06:00+01:00',
    }),
  )
  .transform((text) => new Date(text))
  .describe('time');

/** Sets the status of a server for an operator; refuses an unknown server and a time that is over. */
export async function setServerStatus(
  tx: Tx,
  { gameId, serverId }: Server,
  { status, until, by, reason, at }: Performed & { status: 0 | 1; until: Date | null },
): Promise<void> {
  if (until !== null && until <= at) refuse(`--until ${until.toISOString()} is over`);
  await tellServer(tx, { gameId, serverId, status, until, by, reason, at });
}

/** Ends what operators said about a server, so that the game or the catalogue counts again. */
export async function followGame(
  tx: Tx,
  server: Server,
  { by, reason, at }: Performed,
): Promise<void> {
  await tellServer(tx, { ...server, status: serverStatus.open, until: at, by, reason, at });
}

async function tellServer(
  tx: Tx,
  told: Server & Performed & { status: 0 | 1; until: Date | null },
): Promise<void> {
  const isThere = await upsertServerState(tx, { id: newId(), toldBy: 'operator', ...told });
  if (!isThere) refuse(`there is no server ${told.serverId} of a game ${told.gameId}`);
}

/**
 * Keeps what a game reports about its servers, as far as it is new, and returns the ids of servers
 * that the shop does not have. A report that was signed before the last change is older than it and
 * changes nothing.
 */
export async function keepServerReport(
  tx: Tx,
  { gameId, servers, signedAt }: ServerReport & { signedAt: Date },
): Promise<string[]> {
  const kept = await selectToldLocked(tx, {
    gameId,
    serverIds: servers.map(({ serverId }) => serverId),
  });
  const byId = new Map(kept.map((row) => [row.id, row]));
  const changed = servers.flatMap(({ serverId, ...said }) => {
    const row = byId.get(serverId);
    const status = serverStatus[said.status];
    const until = said.until === undefined ? null : new Date(said.until);
    const isSame = row?.status === status && row.until?.getTime() === until?.getTime();
    const isOlder = row?.told_at != null && signedAt < row.told_at;
    return row === undefined || isSame || isOlder ? [] : [{ serverId, status, until }];
  });
  for (const change of changed) {
    await upsertServerState(tx, {
      ...change,
      id: newId(),
      gameId,
      toldBy: 'game',
      by: `game:${gameId}`,
      reason: 'reported by the game',
      at: signedAt,
    });
  }
  return servers.map(({ serverId }) => serverId).filter((serverId) => !byId.has(serverId));
}

/** What operators and games say about each server, by `serverKey`. */
export async function readServerWords(db: Db): Promise<ReadonlyMap<string, ServerWord[]>> {
  const rows = await selectServerStates(db);
  const words = rows.map(({ game_id: gameId, server_id: serverId, told_by: toldBy, ...word }) => ({
    key: serverKey({ gameId, serverId }),
    word: { toldBy, status: word.status, until: word.until },
  }));
  const byServer = Map.groupBy(words, ({ key }) => key);
  return new Map([...byServer].map(([key, said]) => [key, said.map(({ word }) => word)]));
}

// An id has no slash.
export const serverKey = ({ gameId, serverId }: Server) => `${gameId}/${serverId}`;

/** Every server with its status now, where that comes from, and its last change. */
export async function listServers(db: Db) {
  const rows = await selectListedServers(db);
  const words = await readServerWords(db);
  return rows.map(({ game_id: gameId, server_id: serverId, by, reason, at, ...row }) => {
    const said = words.get(serverKey({ gameId, serverId })) ?? [];
    const { status, until, toldBy } = stateAt(said, row.status, Date.now());
    return {
      gameId,
      serverId,
      status: status === serverStatus.maintenance ? 'maintenance' : 'open',
      until,
      toldBy,
      changed: by === null ? null : { by, reason, at },
    };
  });
}

/** The server as `servers` lists it. */
export async function listedServer(db: Db, { gameId, serverId }: Server) {
  const servers = await listServers(db);
  return servers.find((each) => each.gameId === gameId && each.serverId === serverId);
}
