import { gameList } from '@pointgate/contract/catalogue.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../api/client.ts';

export const gamesQuery = queryOptions({
  queryKey: ['games'],
  queryFn: async () => (await call(gameList, {})).games,
  // A game goes into maintenance, and comes back, while the list is looked at.
  refetchInterval: 60_000,
});
