import type { Price } from '@pointgate/contract/money.ts';
import { keyOf, type Order, type OrderIntent } from '../money/orders/orders.ts';
import { decideCoupon, holdCoupon } from '../offers/coupons/coupons.ts';
import type { Db, Tx } from '../platform/db.ts';

/** The same intent for what a coupon leaves of its price; as it is where none was chosen. */
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

/** What was decided is true from here on: the order holds the coupon, or is not placed. */
export async function holdChosenCoupon(tx: Tx, order: Order): Promise<void> {
  const { coupon } = order.snapshot;
  // One that a twin has placed may be over by now, and its coupon another order's.
  if (coupon === undefined || order.state !== 'created') return;
  await holdCoupon(tx, { ...keyOf(order), couponId: coupon.couponId });
}
