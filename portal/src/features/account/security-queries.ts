import type { BodyOf } from '@pointgate/contract/endpoint.ts';
import {
  changeAddress,
  changePassword,
  makeRecoveryCodes,
  ownSecurity,
  removeAddress,
  sendAddressCode,
} from '@pointgate/contract/own-account.ts';
import { queryOptions, useQueryClient } from '@tanstack/react-query';
import { seal } from '../../entities/credentials/seal.ts';
import { withHumanProof } from '../../entities/credentials/with-human-proof.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { sessionsQuery } from './account-queries.ts';

export const securityQuery = queryOptions({
  queryKey: ['security'],
  queryFn: () => call(ownSecurity, {}),
});

/** The proof of ownership; null for an account without a password. */
interface Owner {
  current: string | null;
}

/** The new email address or phone number of the account. */
export type NewAddress = { email: string } | { phone: string };

export type AddressType = 'EMAIL' | 'MOBILE';

type Sealed = BodyOf<typeof changePassword>;

/** Encrypts again for each attempt, because the server accepts an encrypted body only once. */
async function sealed<Reply>(
  content: object,
  { path }: { path: string },
  send: (body: Sealed) => Promise<Reply>,
): Promise<Reply> {
  return await withHumanProof(async (proof) => send({ ...(await seal(content, { path })), proof }));
}

export function useChangePassword(onChanged: () => void) {
  const refresh = useRefresh();
  return useAction({
    mutationFn: (change: Owner & { password: string }) =>
      sealed(change, changePassword, (body) => call(changePassword, body)),
    onSuccess: async () => {
      await refresh();
      onChanged();
    },
  });
}

export async function sendCodeTo(address: NewAddress): Promise<{ nextInSeconds: number }> {
  return await sealed({ address }, sendAddressCode, (body) => call(sendAddressCode, body));
}

export function useChangeAddress(onChanged: () => void) {
  const refresh = useRefresh();
  return useAction({
    mutationFn: (change: Owner & { address: NewAddress; code: string }) =>
      sealed(change, changeAddress, (body) => call(changeAddress, body)),
    onSuccess: async () => {
      await refresh();
      onChanged();
    },
  });
}

export function useRemoveAddress(onRemoved: () => void) {
  const refresh = useRefresh();
  return useAction({
    mutationFn: (removal: Owner & { accountType: AddressType }) =>
      sealed(removal, removeAddress, (body) => call(removeAddress, body)),
    onSuccess: async () => {
      await refresh();
      onRemoved();
    },
  });
}

/** The codes exist only in this response; the server cannot show them again. */
export function useMakeRecoveryCodes() {
  const refresh = useRefresh();
  return useAction({
    mutationFn: (owner: Owner) =>
      sealed(owner, makeRecoveryCodes, (body) => call(makeRecoveryCodes, body)),
    onSuccess: refresh,
  });
}

function useRefresh() {
  const queryClient = useQueryClient();
  return async () => {
    await queryClient.invalidateQueries(securityQuery);
    await queryClient.invalidateQueries(sessionsQuery);
  };
}
