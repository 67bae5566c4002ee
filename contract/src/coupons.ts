import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Amount, Currency, type Price } from './money.ts';
import { Slug } from './names.ts';

/** Why a coupon cannot be used: each is a refusal of its own, with its own words. */
export const CouponRefusal = z.enum([
  /** By an order that was paid, or that may still be. */
  'CouponUsed',
  'CouponExpired',
  'CouponNotStarted',
  'CouponNotForThis',
  'CouponBelowMinimum',
]);
export type CouponRefusal = z.output<typeof CouponRefusal>;

/** What a coupon takes off, and for what. Never changes once anybody has one. */
export const CouponTerms = z.strictObject({
  /** A share of the price in hundredths of a percent, or an amount; the other one is null. */
  basisPoints: z.nullable(z.int()),
  amountMinor: z.nullable(Amount),
  /** What amounts here are in, and then the only currency it is for; any where it says nothing. */
  currency: z.nullable(Currency),
  /** A share is never more than this. */
  capMinor: z.nullable(Amount),
  /** What the whole order has to cost without the coupon. */
  minimumMinor: z.nullable(Amount),
  /** Null lets everything in. Items are of the kind: items of a game, or E Point packs. */
  kind: z.nullable(z.enum(['item', 'points'])),
  gameIds: z.nullable(z.array(Slug)),
  itemIds: z.nullable(z.array(Slug)),
});
export type CouponTerms = z.output<typeof CouponTerms>;

/** What somebody wants to use a coupon for; the price is that of all packs together. */
export interface CouponPurchase {
  kind: 'item' | 'points';
  gameId: string | null;
  itemId: string;
  price: Price;
}

/**
 * What a coupon takes off, or why it takes off nothing. A share is rounded down to the smallest unit,
 * and the smallest unit always stays to be paid. What would take off nothing at all is refused: a
 * coupon is not used up for nothing. Server and browser ask the same function, so what is shown is
 * what is charged.
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
  /** It can be used from the one moment on and before the other; without an end where it is null. */
  startsAt: z.iso.datetime(),
  expiresAt: z.nullable(z.iso.datetime()),
  /** `held` by an order that may still be paid; it comes back if nobody does. */
  state: z.enum(['usable', 'held', 'used', 'expired', 'not_started']),
  /** The order that holds or has used it. */
  paymentId: z.nullable(z.uuid()),
  /** Why it cannot be used for what was asked about; null where it can, as far as that goes. */
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
    /** Any game where it says nothing. */
    gameId: z.optional(Slug),
  }),
  reply: z.strictObject({ coupons: z.array(Coupon) }),
  refusals: [],
});
