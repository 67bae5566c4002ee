import { orderList } from '@pointgate/contract/orders.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { isMoving } from '../../entities/payment/order-queries.ts';
import { call } from '../../shared/api/client.ts';
import { asked, everyOrder, type OrderFilter } from './order-filter.ts';

const ordersKey = ['orders'] as const;
const pageSize = 20;
const pollMs = 15_000;

/** The orders of the player, newest first, paginated. */
export const ordersQuery = (filter: OrderFilter) =>
  infiniteQueryOptions({
    queryKey: [...ordersKey, 'list', filter],
    queryFn: ({ pageParam: after }) =>
      call(orderList, { ...asked(filter), after, limit: pageSize }),
    initialPageParam: null as string | null, // as: else it is nothing but null
    getNextPageParam: ({ nextAfter }) => nextAfter,
    // The list must be current after a payment.
    staleTime: 0,
    // Polled only while an order can change, and only with a single page: older orders are final.
    refetchInterval: ({ state: { data } }) =>
      data?.pages.length === 1 &&
      data.pages.some(({ orders }) => orders.some(({ shown }) => isMoving[shown])) &&
      pollMs,
  });

export const unpaidMax = 10;

/** The unpaid orders of the player. */
export const unpaidQuery = queryOptions({
  queryKey: [...ordersKey, 'unpaid'],
  queryFn: () =>
    call(orderList, {
      ...asked({ ...everyOrder, shown: 'Unpaid' }),
      after: null,
      limit: unpaidMax,
    }),
  staleTime: 0,
});
