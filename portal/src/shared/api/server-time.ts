import { serverTime } from '@pointgate/contract/time.ts';
import { queryOptions } from '@tanstack/react-query';
import { call } from './client.ts';
import { noteServerTime } from './server-clock.ts';

/**
 * Sets the server clock. Requested once at the start: a later correction would make countdowns
 * jump.
 */
export const serverTimeQuery = queryOptions({
  queryKey: ['serverTime'],
  queryFn: async () => {
    const sentAt = performance.now();
    const { ts } = await call(serverTime, {});
    noteServerTime(ts, performance.now() - sentAt);
    return ts;
  },
  staleTime: Number.POSITIVE_INFINITY,
});
