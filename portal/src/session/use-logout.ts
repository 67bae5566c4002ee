import { logout } from '@pointgate/contract/accounts.ts';
import { call } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { forgetTab } from './kept.ts';

/** Signs out and opens the sign-in page. */
export function useLogout(to: string) {
  return useAction({
    mutationFn: () => call(logout, {}),
    onSuccess: () => {
      forgetTab();
      // A full page load, so that no data of this player stays in memory.
      window.location.assign(to);
    },
  });
}
