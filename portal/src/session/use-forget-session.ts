import { logout } from '@pointgate/contract/accounts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../api/client.ts';
import { endSession } from './session.ts';

/**
 * For a browser whose own session the player has just ended with all others: it forgets its cookie, so that nobody is told
 * that the session has expired.
 */
export function useForgetSession(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    // Where this fails the player is told of the end after all.
    await call(logout, {}).catch(() => {});
    endSession(queryClient);
  };
}
