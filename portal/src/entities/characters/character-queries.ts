import { gameInfo, roleList, selectCharacter, serverList } from '@pointgate/contract/characters.ts';
import type { BodyOf } from '@pointgate/contract/endpoint.ts';
import type { System } from '@pointgate/contract/names.ts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';

export const gameQuery = (gameId: string) =>
  queryOptions({
    queryKey: ['game', gameId],
    queryFn: () => call(gameInfo, { gameId }),
    // A server may go into maintenance while the page is open, and payment must stop soon after.
    refetchInterval: 60_000,
  });

export const serversQuery = (input: { gameId: string; system: System }) =>
  queryOptions({
    queryKey: ['servers', input.gameId, input.system],
    queryFn: async () => (await call(serverList, input)).servers,
  });

export const rolesQuery = (input: { gameId: string; serverId: string }) =>
  queryOptions({
    queryKey: ['roles', input.gameId, input.serverId],
    queryFn: async () => (await call(roleList, input)).roles,
  });

export function useSelectCharacter(gameId: string) {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: (body: BodyOf<typeof selectCharacter>) => call(selectCharacter, body),
    onSuccess: (character) => {
      const { queryKey } = gameQuery(gameId);
      queryClient.setQueryData(queryKey, (game) => game && { ...game, character });
    },
  });
}
