import { itemGroups, pointPacks } from '@pointgate/contract/catalogue.ts';
import type { Character } from '@pointgate/contract/characters.ts';
import { type Coupon, couponList } from '@pointgate/contract/coupons.ts';
import type { CurrencyCode } from '@pointgate/contract/money.ts';
import type { System } from '@pointgate/contract/names.ts';
import { paymentMethods } from '@pointgate/contract/payment-methods.ts';
import { pointsRebateInfo, rebateInfo } from '@pointgate/contract/promotions.ts';
import { queryOptions } from '@tanstack/react-query';
import type { Target } from '../../entities/addresses/addresses.ts';
import { offersKey } from '../../entities/payment/order-queries.ts';
import { call } from '../../shared/api/client.ts';
import { serverNow } from '../../shared/api/server-clock.ts';
import { waitMaxMs } from '../../shared/ui/use-now.ts';
import { momentsOf } from './pack.ts';
import type { Goods } from './price-breakdown.ts';

interface ItemsAsked {
  gameId: string;
  system: System;
  /** Set only if it differs from the first currency of the site. */
  currency?: CurrencyCode | null;
}

/** Without a character, limits per role are counted for the role chosen last. */
export const itemGroupsQuery = (
  { gameId, system, currency = null }: ItemsAsked,
  character: Character | null = null,
) => {
  const role = character && {
    serverId: character.server.serverId,
    roleId: character.role.roleId,
  };
  return queryOptions({
    queryKey: [...offersKey, 'items', gameId, system, currency, role],
    queryFn: async () => {
      const asked = { gameId, system, ...(currency && { currency }), ...(role && { role }) };
      return await call(itemGroups, asked);
    },
    refetchInterval: ({ state: { data } }) =>
      readAgainIn(momentsOf(data?.groups.flatMap(({ items }) => items) ?? [])),
  });
};

export const pointPacksQuery = (system: System, currency: CurrencyCode | null = null) =>
  queryOptions({
    queryKey: [...offersKey, 'points', system, currency],
    queryFn: async () => (await call(pointPacks, { system, ...(currency && { currency }) })).packs,
    refetchInterval: ({ state: { data } }) => readAgainIn(momentsOf(data ?? [])),
  });

/** Requested only after a refusal or during an outage. */
export const methodsQuery = (kind: Goods['kind'], currency: CurrencyCode | null) =>
  queryOptions({
    queryKey: [...offersKey, 'methods', kind, currency],
    queryFn: () => call(paymentMethods, { kind, ...(currency && { currency }) }),
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

export const couponsQuery = ({ kind, gameId }: Goods) =>
  queryOptions({
    queryKey: [...offersKey, 'coupons', kind, gameId],
    queryFn: async () =>
      (await call(couponList, { kind, ...(gameId !== null && { gameId }) })).coupons,
    refetchInterval: ({ state: { data } }) => readAgainIn(comingOf(momentsOfCoupons(data ?? []))),
  });

/** The times at which these coupons change their state. */
export function momentsOfCoupons(coupons: readonly Coupon[]): (string | null)[] {
  return coupons.flatMap(({ state, startsAt, expiresAt }) =>
    state === 'usable' || state === 'not_started' ? [startsAt, expiresAt] : [],
  );
}

function comingOf(moments: readonly (string | null)[]): (string | null)[] {
  return moments.filter((iso) => iso !== null && Date.parse(iso) > serverNow());
}

const laterMs = 1_000;
const agreeMs = 10_000;

/** The delay until shortly after the next of these times; `false` without one. */
function readAgainIn(moments: readonly (string | null)[]): number | false {
  const waits = moments.flatMap((iso) => (iso === null ? [] : [Date.parse(iso) - serverNow()]));
  if (waits.length === 0) return false;
  // The server still lists an ended offer: its clock is slightly behind, so ask again soon.
  const next = waits.some((wait) => wait <= 0) ? agreeMs : Math.min(...waits) + laterMs;
  return Math.min(next, waitMaxMs);
}
