import { gameList } from '@pointgate/contract/catalogue.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';

export const gamesQuery = queryOptions({
  queryKey: ['games'],
  queryFn: async () => (await call(gameList, {})).games,
  // The maintenance status may change while the list is open.
  refetchInterval: 60_000,
});
