import type { GameServer } from '@pointgate/contract/characters.ts';
import { useQuery } from '@tanstack/react-query';
import { useSystem } from '../session/use-system.ts';
import { serversQuery } from './character-queries.ts';
import { ServerLight } from './server-light.tsx';

/**
 * The server name from the current list, because the chosen server may have a name in another
 * language.
 */
export function OpenServer({ gameId, server }: { gameId: string; server: GameServer }) {
  const { data: servers } = useQuery(serversQuery({ gameId, system: useSystem() }));
  const now = servers?.find(({ serverId }) => serverId === server.serverId);
  return <ServerLight server={now ?? server} />;
}
