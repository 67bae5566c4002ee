import type { Db, Tx } from '../platform/db.ts';
import { type Performed, refuse } from '../platform/operator-action.ts';
import { changeServerStatus, listServers } from './catalogue.ts';

interface Server {
  gameId: string;
  serverId: string;
}

/** Sets the status of a server for an operator; refuses an unknown server. */
export async function setServerStatus(
  tx: Tx,
  { gameId, serverId }: Server,
  { status, by, reason, at }: Performed & { status: 0 | 1 },
): Promise<void> {
  const changed = { gameId, serverId, status, reason, by, at };
  const isThere = await changeServerStatus(tx, changed);
  if (!isThere) refuse(`there is no server ${serverId} of a game ${gameId}`);
}

/** The server as `servers` lists it. */
export async function listedServer(db: Db, { gameId, serverId }: Server) {
  const servers = await listServers(db);
  return servers.find((each) => each.gameId === gameId && each.serverId === serverId);
}
