import { useQuery } from '@tanstack/react-query';
import { pointBalanceQuery } from './point-balance.ts';
import { useUser } from './session.ts';

/** The E Point balance. Does not suspend, because no page has to wait for it. */
export function usePointBalance() {
  return useQuery(pointBalanceQuery(useUser().gameAccountId));
}
