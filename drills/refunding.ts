import { type Activity, repeatUntilStopped } from './activity.ts';
import { newRefundRequest, type RefundRequest, requestRefund } from './operate.ts';
import { pause } from './pause.ts';
import type { PurchaseContext } from './purchases.ts';
import type { Random } from './random.ts';
import type { Shop } from './shop.ts';

/** A paid order that an operator may refund. */
export interface PaidOrder {
  paymentId: string;
  amountMinor: bigint;
}

/** An operator who refunds paid orders one after the other, completely or in part. */
export function startRefunding(
  shop: Shop,
  context: PurchaseContext,
  input: { takePaid: () => PaidOrder | undefined; random: Random; onRefunded: () => void },
): Activity {
  const refund = async (order: PaidOrder) => {
    const request = requestFor(order, input.random);
    if ((await requestRefund(shop, request)) !== 'accepted') return;
    const { paymentId, refundId } = request;
    context.acknowledgements.record({ what: 'refunded', paymentId, refundId });
    input.onRefunded();
  };
  const work = async () => {
    const order = input.takePaid();
    if (order !== undefined) await refund(order);
    else await pause(200);
  };
  return repeatUntilStopped([work]);
}

function requestFor({ paymentId, amountMinor }: PaidOrder, random: Random): RefundRequest {
  if (random.percent(60)) return newRefundRequest(paymentId, null);
  return newRefundRequest(paymentId, 1n + BigInt(random.below(Number(amountMinor))));
}
