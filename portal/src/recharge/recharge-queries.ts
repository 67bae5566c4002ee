import { itemGroups } from '@pointgate/contract/catalogue.ts';
import { orderDetail, type ShownStatus } from '@pointgate/contract/orders.ts';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';
import { currentSystem } from '../api/system.ts';

export const pollMs = 3_000;

export const itemGroupsQuery = (gameId: string) =>
  queryOptions({
    queryKey: ['items', gameId],
    queryFn: async () => (await call(itemGroups, { gameId, system: currentSystem() })).groups,
  });

export const orderQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['order', paymentId],
    queryFn: async () => {
      // Anything can stand in the address; the answer is the one for an order that is not there.
      if (!orderDetail.body.safeParse({ paymentId }).success) {
        throw new ApiError({ status: 200, code: 'PaymentIdWrong', message: 'not an order number' });
      }
      return await call(orderDetail, { paymentId });
    },
    staleTime: 0,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && isMoving[data.shown] ? pollMs : false,
    // The player is at the provider's page in another tab, and looks here to see what happened.
    refetchIntervalInBackground: true,
  });

/** Whether something is still to come without the player doing anything. */
export const isMoving: Record<ShownStatus, boolean> = {
  Unpaid: true,
  Processing: true,
  Paid: true,
  Fulfilled: false,
  PaymentFailed: false,
  Refunded: false,
};
