import type { Price } from '@pointgate/contract/money.ts';
import { keyOf, type Order, type OrderIntent } from '../money/orders/orders.ts';
import { decideCoupon, holdCoupon } from '../offers/coupons/coupons.ts';
import type { Db, Tx } from '../platform/db.ts';

/** The intent with the price reduced by the chosen coupon, or unchanged without a coupon. */
export async function withCoupon(
  db: Db,
  intent: OrderIntent,
  { couponId, price }: { couponId: string | undefined; price: Price },
): Promise<OrderIntent> {
  if (couponId === undefined) return intent;
  const coupon = await decideCoupon(db, couponId, { ...intent, price });
  const amountMinor = price.amountMinor - BigInt(coupon.discountMinor);
  return { ...intent, amountMinor, snapshot: { ...intent.snapshot, coupon } };
}

/** Reserves the chosen coupon for the order, or throws so that the order is not placed. */
export async function holdChosenCoupon(tx: Tx, order: Order): Promise<void> {
  const { coupon } = order.snapshot;
  // An order placed by a concurrent duplicate may be closed, and another order may hold its coupon.
  if (coupon === undefined || order.state !== 'created') return;
  await holdCoupon(tx, { ...keyOf(order), couponId: coupon.couponId });
}
