import type { Character } from '@pointgate/contract/characters.ts';
import type { ReplyOf } from '@pointgate/contract/endpoint.ts';
import { redeemCode } from '@pointgate/contract/redeem.ts';
import { useQueryClient } from '@tanstack/react-query';
import { pointsKey } from '../../entities/session/point-balance.ts';
import { call } from '../../shared/api/client.ts';
import { useAction } from '../../shared/api/use-action.ts';

export type Redemption = ReplyOf<typeof redeemCode>;

/** Redeems a code for the chosen character, if any. A repeated request has no further effect. */
export function useRedeem() {
  const queryClient = useQueryClient();
  return useAction({
    mutationFn: ({ code, character }: { code: string; character: Character | null }) => {
      const { serverId } = character?.server ?? {};
      const { roleId } = character?.role ?? {};
      return call(redeemCode, { code, ...(serverId && roleId && { serverId, roleId }) });
    },
    onSuccess: () => void queryClient.invalidateQueries({ queryKey: pointsKey }),
  });
}
