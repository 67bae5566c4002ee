import {
  type Coupon,
  type CouponPurchase,
  type CouponRefusal,
  discountOf,
} from '@pointgate/contract/coupons.ts';

/** A coupon for a purchase: its discount, or the reason why it cannot be used. */
export type CouponOption = { coupon: Coupon } & (
  | { discountMinor: bigint; refusal: null }
  | { discountMinor: null; refusal: CouponRefusal }
);

interface Asked {
  purchase: CouponPurchase;
  /** The server time. */
  now: number;
  /** The unpaid order that Pay would continue, which may use the coupon that it holds. */
  keptPaymentId: (coupon: Coupon) => string | null;
}

/** Without used and expired coupons; the largest discount comes first. */
export function couponOptionsOf(coupons: readonly Coupon[], asked: Asked): CouponOption[] {
  const options = coupons
    .filter(({ state }) => state !== 'used' && state !== 'expired')
    .map((coupon) => optionOf(coupon, asked));
  return options.toSorted((one, other) => compare(other.discountMinor, one.discountMinor));
}

function optionOf(coupon: Coupon, { purchase, now, keptPaymentId }: Asked): CouponOption {
  const isOver = coupon.expiresAt !== null && Date.parse(coupon.expiresAt) <= now;
  const isOwnHold = coupon.state === 'held' && coupon.paymentId === keptPaymentId(coupon);
  // An order that holds the coupon keeps its price, even if the coupon has expired since.
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
