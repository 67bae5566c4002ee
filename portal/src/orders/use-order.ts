import { type OrderDetail, orderChangesPath } from '@pointgate/contract/orders.ts';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { forgetOrder } from '../payment/order-intent.ts';
import { nextReadingIn, orderQuery } from '../payment/order-queries.ts';
import { pointsKey } from '../session/point-balance.ts';

interface LiveOrder {
  order: OrderDetail;
  readAt: number;
  /** How long until it is read again; `false` when nothing is to come. */
  nextReadingMs: number | false;
  isReading: boolean;
  refresh: () => void;
}

// Two of the server's words are missing: the line is dead, or the server no longer hears of changes.
const silenceMs = 50_000;

/** An order as it is now: the server says when it has moved, and is asked often while it does not say. */
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
    // More pages are open than the shop keeps streams for; this one goes on by asking.
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

  // biome-ignore lint/correctness/useExhaustiveDependencies: points move together with these.
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
