import type { GameServer } from '@pointgate/contract/characters.ts';
import { useQuery } from '@tanstack/react-query';
import { useSystem } from '../session/use-system.ts';
import { serversQuery } from './character-queries.ts';
import { ServerLight } from './server-light.tsx';

/** As the list says it now: it was chosen in words that may be of another language. */
export function OpenServer({ gameId, server }: { gameId: string; server: GameServer }) {
  const { data: servers } = useQuery(serversQuery({ gameId, system: useSystem() }));
  const now = servers?.find(({ serverId }) => serverId === server.serverId);
  return <ServerLight server={now ?? server} />;
}
