import { type Activity, keepDoing } from './activity.ts';
import { askForRefund, type RefundWish, refundWish } from './operator.ts';
import { pause } from './pause.ts';
import type { Till } from './purchases.ts';
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
  till: Till,
  input: { takePaid: () => PaidOrder | undefined; random: Random; onRefunded: () => void },
): Activity {
  const refund = async (order: PaidOrder) => {
    const wish = wishFor(order, input.random);
    if ((await askForRefund(shop, wish)) !== 'accepted') return;
    const { paymentId, refundId } = wish;
    till.acknowledgements.note({ what: 'refunded', paymentId, refundId });
    input.onRefunded();
  };
  const work = async () => {
    const order = input.takePaid();
    if (order !== undefined) await refund(order);
    else await pause(200);
  };
  return keepDoing([work]);
}

function wishFor({ paymentId, amountMinor }: PaidOrder, random: Random): RefundWish {
  if (random.percent(60)) return refundWish(paymentId, null);
  return refundWish(paymentId, 1n + BigInt(random.below(Number(amountMinor))));
}
