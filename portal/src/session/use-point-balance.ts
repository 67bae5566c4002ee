import { useQuery } from '@tanstack/react-query';
import { pointBalanceQuery } from './point-balance.ts';
import { useUser } from './session.ts';

/** The player's E Points. Does not suspend: nothing on a page has to wait for them. */
export function usePointBalance() {
  return useQuery(pointBalanceQuery(useUser().gameAccountId));
}
