import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount, Currency, type Price } from './money.ts';
import { Slug } from './names.ts';

/** Why a coupon cannot be used; each reason is a refusal code. */
export const CouponRefusal = z.enum([
  /** Used by an order that was paid, or that may still be paid. */
  'CouponUsed',
  'CouponExpired',
  'CouponNotStarted',
  'CouponNotForThis',
  'CouponBelowMinimum',
]);
export type CouponRefusal = z.output<typeof CouponRefusal>;

/** The discount and the conditions of a coupon. They never change once the coupon was issued. */
export const CouponTerms = z.strictObject({
  /**
   * A percentage of the price in hundredths of a percent, or a fixed amount; the other one is null.
   */
  basisPoints: z.nullable(z.int()),
  amountMinor: z.nullable(Amount),
  /**
   * The currency of the amounts, and then the only one the coupon is valid for; null means any.
   */
  currency: z.nullable(Currency),
  /** The maximum of a percentage discount. */
  capMinor: z.nullable(Amount),
  /** The minimum price of the whole order without the coupon. */
  minimumMinor: z.nullable(Amount),
  /** Null allows everything. `item` are items of a game, `points` are packs of E Points. */
  kind: z.nullable(z.enum(['item', 'points'])),
  gameIds: z.nullable(z.array(Slug)),
  itemIds: z.nullable(z.array(Slug)),
});
export type CouponTerms = z.output<typeof CouponTerms>;

/** The purchase that a coupon is used for; the price is that of all packs together. */
export interface CouponPurchase {
  kind: 'item' | 'points';
  gameId: string | null;
  itemId: string;
  price: Price;
}

/**
 * The discount of a coupon, or the reason why it is refused. A percentage is rounded down to the
 * smallest unit, and at least the smallest unit remains to be paid. A coupon that would take off
 * nothing is refused, so that it is not used up. Server and browser share this function, so the
 * shown price is the charged price.
 */
export function discountOf(terms: CouponTerms, purchase: CouponPurchase): bigint | CouponRefusal {
  const { gameIds, itemIds, kind, currency, basisPoints, amountMinor, capMinor } = terms;
  const { price } = purchase;
  const isForThis =
    Currency.safeParse(price.currency).success &&
    (currency === null || currency === price.currency) &&
    (kind === null || kind === purchase.kind) &&
    (gameIds === null || (purchase.gameId !== null && gameIds.includes(purchase.gameId))) &&
    (itemIds === null || itemIds.includes(purchase.itemId));
  if (!isForThis) return 'CouponNotForThis';
  if (price.amountMinor < (terms.minimumMinor ?? 0n)) return 'CouponBelowMinimum';
  const share = (price.amountMinor * BigInt(basisPoints ?? 0)) / 10_000n;
  const wanted = smaller(amountMinor ?? share, capMinor ?? price.amountMinor);
  const discountMinor = smaller(wanted, price.amountMinor - 1n);
  return discountMinor > 0n ? discountMinor : 'CouponBelowMinimum';
}

function smaller(one: bigint, other: bigint): bigint {
  return one < other ? one : other;
}

export const Coupon = z.strictObject({
  couponId: z.uuid(),
  name: z.string(),
  terms: CouponTerms,
  issuedAt: z.iso.datetime(),
  /** Valid from `startsAt` until before `expiresAt`; null means without an end. */
  startsAt: z.iso.datetime(),
  expiresAt: z.nullable(z.iso.datetime()),
  /** `held` by an order that may still be paid; it is released if the order is not. */
  state: z.enum(['usable', 'held', 'used', 'expired', 'not_started']),
  /** The order that holds or used it. */
  paymentId: z.nullable(z.uuid()),
  /** Why it cannot be used for the requested purchase; null if it can, as far as is known. */
  refusal: z.nullable(CouponRefusal),
});
export type Coupon = z.output<typeof Coupon>;

export const couponList = endpoint({
  method: 'POST',
  path: '/api/coupon/list',
  summary: "The player's own coupons on this site, those that can be used first",
  access: 'player',
  body: z.strictObject({
    kind: z.enum(['item', 'points']),
    /** Any game if missing. */
    gameId: z.optional(Slug),
  }),
  reply: z.strictObject({ coupons: z.array(Coupon) }),
  refusals: [],
});
