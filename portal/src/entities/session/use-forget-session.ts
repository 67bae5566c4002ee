import { logout } from '@pointgate/contract/accounts.ts';
import { useQueryClient } from '@tanstack/react-query';
import { call } from '../../shared/api/client.ts';
import { endSession } from './session.ts';

/**
 * Removes the cookie after the player has ended all sessions, including this one, so that no
 * session-expired dialog appears.
 */
export function useForgetSession(): () => Promise<void> {
  const queryClient = useQueryClient();
  return async () => {
    // On failure the player sees the session-expired dialog after all.
    await call(logout, {}).catch(() => {});
    endSession(queryClient);
  };
}
