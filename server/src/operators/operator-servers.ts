import { changeServerStatus, listServers } from '../catalogue/catalogue.ts';
import type { Shop } from '../wiring/app.ts';
import { type Call, refuse } from './operator-call.ts';

export const serverCommands = {
  servers: async ({ db }: Shop) => await listServers(db),
  'server-maintenance': async (shop: Shop, call: Call) => await changeStatus(shop, call, 1),
  'server-open': async (shop: Shop, call: Call) => await changeStatus(shop, call, 0),
};

/** Returns the new state of the server. */
async function changeStatus({ db }: Shop, call: Call, status: 0 | 1) {
  const { first: gameId, second: serverId, need, hand } = call;
  const changed = { gameId, serverId, status, reason: need('reason'), ...hand() };
  const isThere = await db.transaction((tx) => changeServerStatus(tx, changed));
  if (!isThere) refuse(`there is no server ${serverId} of a game ${gameId}`);
  const servers = await listServers(db);
  return servers.find((each) => each.gameId === gameId && each.serverId === serverId);
}
