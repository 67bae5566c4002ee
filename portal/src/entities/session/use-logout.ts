import { logout } from '@pointgate/contract/accounts.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { forgetTab } from '../../shared/browser/kept.ts';

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
