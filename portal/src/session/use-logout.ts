import { logout } from '@pointgate/contract/accounts.ts';
import { useMutation } from '@tanstack/react-query';
import { call } from '../api/client.ts';

/** Signs out, and goes to the address where one signs in. */
export function useLogout(to: string) {
  return useMutation({
    mutationFn: () => call(logout, {}),
    onSuccess: () => {
      sessionStorage.clear();
      // A fresh page, so that nothing of this player stays in memory for the next.
      window.location.assign(to);
    },
  });
}
