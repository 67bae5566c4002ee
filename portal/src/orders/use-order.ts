import { type OrderDetail, orderChangesPath } from '@pointgate/contract/orders.ts';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { forgetOrder } from '../payment/order-intent.ts';
import { nextReadingIn, orderQuery } from '../payment/order-queries.ts';
import { pointsKey } from '../session/point-balance.ts';

interface LiveOrder {
  order: OrderDetail;
  readAt: number;
  isReading: boolean;
  refresh: () => void;
}

/** An order as it is now: the server says when it has moved, and is asked now and then anyway. */
export function useOrder(paymentId: string): LiveOrder {
  const queryClient = useQueryClient();
  const { data, dataUpdatedAt, isFetching, refetch } = useSuspenseQuery(orderQuery(paymentId));
  const isLive = nextReadingIn(data) !== false;

  useEffect(() => {
    // A browser or a proxy without event streams is not an error: the polling carries on alone.
    if (!isLive || typeof EventSource === 'undefined') return;
    const changes = new EventSource(orderChangesPath(paymentId));
    changes.addEventListener('changed', () => {
      void queryClient.invalidateQueries(orderQuery(paymentId));
    });
    return () => changes.close();
  }, [paymentId, isLive, queryClient]);

  const isOver = data.shown !== 'Unpaid' && data.shown !== 'Processing';
  useEffect(() => {
    if (isOver) forgetOrder(paymentId);
  }, [isOver, paymentId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: points move together with these.
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: pointsKey });
  }, [data.shown, data.refundedMinor, data.isDisputed, queryClient]);

  return {
    order: data,
    readAt: dataUpdatedAt,
    isReading: isFetching,
    refresh: () => void refetch(),
  };
}
