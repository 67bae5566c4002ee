import {
  type PointRecord,
  paymentsOfRecords,
  pointLots,
  pointRecord,
} from '@pointgate/contract/points.ts';
import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { pointsKey } from '../../entities/session/point-balance.ts';
import { call } from '../../shared/api/client.ts';

export const recordTypes = ['all', 'income', 'expense'] as const;
export type RecordType = (typeof recordTypes)[number];

/** The changes of the balance, newest first, paginated. */
export const recordQuery = (type: RecordType) =>
  infiniteQueryOptions({
    queryKey: [...pointsKey, 'record', type],
    queryFn: ({ pageParam: page }) => call(pointRecord, { page, type }),
    initialPageParam: 1,
    getNextPageParam: ({ hasMore, page }) => (hasMore ? page + 1 : null),
    staleTime: 0,
  });

/** The orders and gifts behind the changes of a page. */
export const paymentsQuery = (records: readonly PointRecord[]) => {
  const paymentIds = [...new Set(records.map(({ paymentId }) => paymentId))];
  return queryOptions({
    queryKey: ['payments', paymentIds],
    queryFn: () => call(paymentsOfRecords, { paymentIds }),
  });
};

export const lotsQuery = queryOptions({
  queryKey: [...pointsKey, 'lots'],
  queryFn: () => call(pointLots, {}),
  staleTime: 0,
});
