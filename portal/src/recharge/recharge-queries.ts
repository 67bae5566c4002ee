import { itemGroups, pointPacks } from '@pointgate/contract/catalogue.ts';
import type { Character } from '@pointgate/contract/characters.ts';
import { pointsRebateInfo, rebateInfo } from '@pointgate/contract/promotions.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Target } from '../addresses.ts';
import { call } from '../api/client.ts';
import { serverNow } from '../api/server-clock.ts';
import { currentSystem } from '../api/system.ts';
import { offersKey } from '../payment/order-queries.ts';
import { waitMaxMs } from '../ui/use-now.ts';
import { momentsOf } from './pack.ts';

/** Without a character, what is left of limits that are counted by role is not known. */
export const itemGroupsQuery = (gameId: string, character: Character | null = null) => {
  const role = character && {
    serverId: character.server.serverId,
    roleId: character.role.roleId,
  };
  return queryOptions({
    queryKey: [...offersKey, 'items', gameId, role],
    queryFn: async () => {
      const asked = { gameId, system: currentSystem(), ...(role && { role }) };
      return (await call(itemGroups, asked)).groups;
    },
    refetchInterval: ({ state: { data } }) =>
      readAgainIn(momentsOf(data?.flatMap(({ items }) => items) ?? [])),
  });
};

export const pointPacksQuery = queryOptions({
  queryKey: [...offersKey, 'points'],
  queryFn: async () => (await call(pointPacks, { system: currentSystem() })).packs,
  refetchInterval: ({ state: { data } }) => readAgainIn(momentsOf(data ?? [])),
});

export const rebatesQuery = (gameId: string, target: Target) =>
  queryOptions({
    queryKey: [...offersKey, 'rebates', target, gameId],
    queryFn: async () => {
      const asked = target === 'game' ? call(rebateInfo, { gameId }) : call(pointsRebateInfo, {});
      return (await asked).campaigns;
    },
    refetchInterval: ({ state: { data } }) => readAgainIn(data?.map(({ endsAt }) => endsAt) ?? []),
  });

const laterMs = 1_000;
const agreeMs = 10_000;

/** Shortly after the next of these moments; `false` where there is none. */
function readAgainIn(moments: readonly (string | null)[]): number | false {
  const waits = moments.flatMap((iso) => (iso === null ? [] : [Date.parse(iso) - serverNow()]));
  if (waits.length === 0) return false;
  // What is over and was told all the same: the two clocks will agree soon.
  const next = waits.some((wait) => wait <= 0) ? agreeMs : Math.min(...waits) + laterMs;
  return Math.min(next, waitMaxMs);
}
