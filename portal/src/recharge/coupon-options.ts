import {
  type Coupon,
  type CouponPurchase,
  type CouponRefusal,
  discountOf,
} from '@pointgate/contract/coupons.ts';

/** A coupon beside what is being bought: what it takes off, or why it takes off nothing. */
export type CouponOption = { coupon: Coupon } & (
  | { discountMinor: bigint; refusal: null }
  | { discountMinor: null; refusal: CouponRefusal }
);

interface Asked {
  purchase: CouponPurchase;
  /** The shop's time. */
  now: number;
  /** The unpaid order that pressing Pay would go on with; a coupon that it holds is not lost to it. */
  keptPaymentId: (coupon: Coupon) => string | null;
}

/** Those that are over are not shown. The best that can be used comes first. */
export function couponOptionsOf(coupons: readonly Coupon[], asked: Asked): CouponOption[] {
  const options = coupons
    .filter(({ state }) => state !== 'used' && state !== 'expired')
    .map((coupon) => optionOf(coupon, asked));
  return options.toSorted((one, other) => compare(other.discountMinor, one.discountMinor));
}

function optionOf(coupon: Coupon, { purchase, now, keptPaymentId }: Asked): CouponOption {
  const isOver = coupon.expiresAt !== null && Date.parse(coupon.expiresAt) <= now;
  const isOwnHold = coupon.state === 'held' && coupon.paymentId === keptPaymentId(coupon);
  // The order that holds it was promised its price; that the coupon has expired since is no matter.
  const refusal = isOwnHold ? null : isOver ? 'CouponExpired' : coupon.refusal;
  if (refusal !== null) return { coupon, discountMinor: null, refusal };
  const discount = discountOf(coupon.terms, purchase);
  return typeof discount === 'bigint'
    ? { coupon, discountMinor: discount, refusal: null }
    : { coupon, discountMinor: null, refusal: discount };
}

function compare(one: bigint | null, other: bigint | null): number {
  const [left, right] = [one ?? 0n, other ?? 0n];
  if (left === right) return 0;
  return left < right ? -1 : 1;
}
