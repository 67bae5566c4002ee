import { itemGroups, pointPacks } from '@pointgate/contract/catalogue.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { currentSystem } from '../api/system.ts';

export const itemGroupsQuery = (gameId: string) =>
  queryOptions({
    queryKey: ['items', gameId],
    queryFn: async () => (await call(itemGroups, { gameId, system: currentSystem() })).groups,
  });

export const pointPacksQuery = queryOptions({
  queryKey: ['point-packs'],
  queryFn: async () => (await call(pointPacks, { system: currentSystem() })).packs,
});
