import { logout } from '@pointgate/contract/accounts.ts';
import { call } from '../api/client.ts';
import { useAction } from '../api/use-action.ts';
import { forgetTab } from './kept.ts';

/** Signs out, and goes to the address where one signs in. */
export function useLogout(to: string) {
  return useAction({
    mutationFn: () => call(logout, {}),
    onSuccess: () => {
      forgetTab();
      // A fresh page, so that nothing of this player stays in memory for the next.
      window.location.assign(to);
    },
  });
}
