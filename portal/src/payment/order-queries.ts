import { type OrderDetail, orderDetail, type ShownStatus } from '@pointgate/contract/orders.ts';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../api/api-error.ts';
import { call } from '../api/client.ts';

/** All that is on sale to the player; to be read again when an order was placed or refused. */
export const offersKey = ['offers'] as const;

const pollMs = 3_000;
// What is said while the shop's processes lose sight of each other for a moment is not said again.
const pollBesideStreamMs = 20_000;
const refundPollMs = 20_000;

export const orderQuery = (paymentId: string) =>
  queryOptions({
    queryKey: ['order', paymentId],
    queryFn: async () => {
      requireOrderNumber(paymentId);
      return await call(orderDetail, { paymentId });
    },
    staleTime: 0,
    refetchInterval: ({ state: { data } }) => data !== undefined && nextReadingIn(data),
    // The player is at the provider's page in another tab, and looks here to see what happened.
    refetchIntervalInBackground: true,
  });

/** Anything can stand in the address; the answer is the one for an order that is not there. */
export function requireOrderNumber(paymentId: string): void {
  if (orderDetail.body.safeParse({ paymentId }).success) return;
  throw new ApiError({ status: 200, code: 'PaymentIdWrong', message: 'not an order number' });
}

/** Whether something is still to come without the player doing anything. */
export const isMoving: Record<ShownStatus, boolean> = {
  Unpaid: true,
  Processing: true,
  Paid: true,
  Fulfilled: false,
  PaymentFailed: false,
  Refunded: false,
};

/**
 * How long to wait before the order is read again; `false` when nothing is to come. Whoever hears a
 * stream of its changes asks only now and then.
 */
export function nextReadingIn(
  { shown, refunds }: OrderDetail,
  isStreamHeard = false,
): number | false {
  if (isMoving[shown]) return isStreamHeard ? pollBesideStreamMs : pollMs;
  return refunds.some(({ state }) => state === 'pending') ? refundPollMs : false;
}
