import { type OrderDetail, orderChangesPath } from '@pointgate/contract/orders.ts';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { forgetOrder } from '../../entities/payment/order-intent.ts';
import { nextReadingIn, orderQuery } from '../../entities/payment/order-queries.ts';
import { pointsKey } from '../../entities/session/point-balance.ts';

interface LiveOrder {
  order: OrderDetail;
  readAt: number;
  /** The polling interval; `false` for a final status. */
  nextReadingMs: number | false;
  isReading: boolean;
  refresh: () => void;
}

// Two heartbeats are missing: the stream is dead, or the server no longer receives changes.
const silenceMs = 50_000;

/** The current order: an event stream reports changes, and without a stream the order is polled. */
export function useOrder(paymentId: string): LiveOrder {
  const queryClient = useQueryClient();
  const [isStreamHeard, setIsStreamHeard] = useState(false);
  const { data, dataUpdatedAt, isFetching, refetch } = useSuspenseQuery({
    ...orderQuery(paymentId),
    refetchInterval: ({ state }) =>
      state.data !== undefined && nextReadingIn(state.data, isStreamHeard),
  });
  const isLive = nextReadingIn(data) !== false;

  useEffect(() => {
    // A browser or a proxy without event streams is not an error: the polling carries on alone.
    if (!isLive || typeof EventSource === 'undefined') return;
    const changes = new EventSource(orderChangesPath(paymentId));
    changes.addEventListener('changed', () => {
      void queryClient.invalidateQueries(orderQuery(paymentId));
    });
    let silence: ReturnType<typeof setTimeout> | undefined;
    const lose = () => setIsStreamHeard(false);
    changes.addEventListener('heard', () => {
      setIsStreamHeard(true);
      clearTimeout(silence);
      silence = setTimeout(lose, silenceMs);
    });
    changes.addEventListener('error', lose);
    // The server limits the streams per player; this page continues by polling.
    changes.addEventListener('replaced', () => {
      changes.close();
      lose();
    });
    return () => {
      changes.close();
      clearTimeout(silence);
      lose();
    };
  }, [paymentId, isLive, queryClient]);

  const isOver = data.shown !== 'Unpaid' && data.shown !== 'Processing';
  useEffect(() => {
    if (isOver) forgetOrder(paymentId);
  }, [isOver, paymentId]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the balance changes with these.
  useEffect(() => {
    void queryClient.invalidateQueries({ queryKey: pointsKey });
  }, [data.shown, data.refundedMinor, data.isDisputed, queryClient]);

  return {
    order: data,
    readAt: dataUpdatedAt,
    nextReadingMs: nextReadingIn(data, isStreamHeard),
    isReading: isFetching,
    refresh: () => void refetch(),
  };
}
