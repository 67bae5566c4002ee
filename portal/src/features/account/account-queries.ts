import type { CurrencyCode } from '@pointgate/contract/money.ts';
import {
  finishPasskey,
  listPasskeys,
  removePasskey,
  startPasskey,
} from '@pointgate/contract/passkeys.ts';
import {
  type BudgetState,
  queryBudget,
  realNameInfo,
  setBudget,
} from '@pointgate/contract/people.ts';
import { leaveShop, requestExport } from '@pointgate/contract/privacy.ts';
import { endSession, listSessions, type PlayerSession } from '@pointgate/contract/sessions.ts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { makePasskey } from '../../entities/passkeys/ceremony.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { forgetTab } from '../../shared/browser/kept.ts';

export const realNameQuery = queryOptions({
  queryKey: ['real-name'],
  queryFn: () => call(realNameInfo, {}),
});

export const budgetQuery = (currency: CurrencyCode) =>
  queryOptions({
    queryKey: ['budget', currency],
    queryFn: () => call(queryBudget, { currency }),
    // The amount spent must be current after a purchase.
    staleTime: 0,
  });

interface SetBudgetOptions {
  currency: CurrencyCode;
  /** Called with the current and the pending budget. */
  onSaved: (budget: BudgetState) => void;
}

/** Sets the budget, or with `null` removes it. */
export function useSetBudget({ currency, onSaved }: SetBudgetOptions) {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: (amountMinor: bigint | null) => call(setBudget, { amountMinor, currency }),
    onSuccess: (budget) => {
      queryClient.setQueryData(budgetQuery(currency).queryKey, budget);
      onSaved(budget);
    },
  });
}

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async () => (await call(listPasskeys, {})).passkeys,
});

export function useAddPasskey(onAdded: () => void) {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: async (name: string) => {
      const { options } = await call(startPasskey, {});
      return await call(finishPasskey, { response: await makePasskey(options), name });
    },
    onSuccess: (passkey) => {
      queryClient.setQueryData(passkeysQuery.queryKey, (known) => known && [...known, passkey]);
      onAdded();
    },
  });
}

export function useRemovePasskey(onRemoved: () => void) {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: (passkeyId: string) => call(removePasskey, { passkeyId }),
    onSuccess: (_reply, passkeyId) => {
      queryClient.setQueryData(passkeysQuery.queryKey, (known) =>
        known?.filter((passkey) => passkey.passkeyId !== passkeyId),
      );
      onRemoved();
    },
  });
}

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async () => (await call(listSessions, {})).sessions,
});

/**
 * Ends another session. A newer session on the same site is kept and shows up in the reloaded list.
 */
export function useEndSession(onEnded: (session: PlayerSession) => void) {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: ({ siteId, startedAt }: PlayerSession) => call(endSession, { siteId, startedAt }),
    onSuccess: async (_reply, session) => {
      await queryClient.invalidateQueries(sessionsQuery);
      onEnded(session);
    },
  });
}

/** Checks whether the export is allowed; the browser then downloads the file itself. */
export function useRequestExport(onAllowed: () => void) {
  return useAction({ mutationFn: () => call(requestExport, {}), onSuccess: onAllowed });
}

/** Signs out everywhere at once and returns the time at which the account is erased. */
export function useLeaveShop() {
  return useAction({ mutationFn: () => call(leaveShop, {}), onSuccess: forgetTab });
}
