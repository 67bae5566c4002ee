import { type OrderDetail, orderDetail, type ShownStatus } from '@pointgate/contract/orders.ts';
import { queryOptions } from '@tanstack/react-query';
import { ApiError } from '../../shared/api/api-error.ts';
import { call } from '../../shared/api/client.ts';

/** The key of all offers, which are refetched when an order was placed or refused. */
export const offersKey = ['offers'] as const;

const pollMs = 3_000;
// Polling beside a stream: changes while server processes lose their connection are not resent.
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
    // The player may be paying in another tab and expects the current status here.
    refetchIntervalInBackground: true,
  });

/** Throws the error of a missing order for a malformed order number in the address. */
export function requireOrderNumber(paymentId: string): void {
  if (orderDetail.body.safeParse({ paymentId }).success) return;
  throw new ApiError({ status: 200, code: 'PaymentIdWrong', message: 'not an order number' });
}

/** Whether the status can still change without an action of the player. */
export const isMoving: Record<ShownStatus, boolean> = {
  Unpaid: true,
  Processing: true,
  Paid: true,
  Fulfilled: false,
  PaymentFailed: false,
  Refunded: false,
};

/**
 * The polling interval of an order; `false` when its status is final. Polling is rare while an
 * event stream reports changes.
 */
export function nextReadingIn(
  { shown, refunds }: OrderDetail,
  isStreamHeard = false,
): number | false {
  if (isMoving[shown]) return isStreamHeard ? pollBesideStreamMs : pollMs;
  return refunds.some(({ state }) => state === 'pending') ? refundPollMs : false;
}
