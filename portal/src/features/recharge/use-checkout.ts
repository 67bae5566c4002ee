import type { Quote } from '@pointgate/contract/catalogue.ts';
import { type Coupon, CouponRefusal } from '@pointgate/contract/coupons.ts';
import type { Price } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { useState } from 'react';
import { nameOf, type OrderRequest } from '../../entities/payment/order-intent.ts';
import { newQuoteOf } from '../../entities/payment/refusal-data.ts';
import { usePayWish } from '../../entities/payment/use-pay.ts';
import { ApiError } from '../../shared/api/api-error.ts';
import { type Pack, priceOf } from './pack.ts';
import {
  breakdownOfPack,
  breakdownOfQuote,
  type Goods,
  type PriceBreakdown,
} from './price-breakdown.ts';
import { type CouponChoice, useCoupons } from './use-coupons.ts';
import { useMethods } from './use-methods.ts';

interface Recipient {
  /** The label of the line: goods are delivered to a role, E Points credited to an account. */
  label: string;
  name: string;
  /** The name for narrow layouts. */
  shortName: string;
}

/** An order refused because of a changed offer. Buying it needs a confirmation. */
export interface OfferChange {
  unit: string;
  before: PriceBreakdown;
  now: PriceBreakdown;
  /** Whether the pack is no longer sold in the unit of the payment method. */
  isOtherUnit: boolean;
  method: PaymentMethod;
  error: unknown;
  isBusy: boolean;
  onAccept: () => void;
  onDecline: () => void;
}

export interface Checkout {
  pack: Pack;
  /** The total that is charged. */
  price: Price;
  /** The discount of the coupon; 0 without a coupon. */
  discountMinor: bigint;
  /** `null` while no role is chosen. */
  recipient: Recipient | null;
  methods: readonly PaymentMethod[];
  method: PaymentMethod;
  onMethod: (method: PaymentMethod) => void;
  /** `null` for players without coupons. */
  coupons: CouponChoice | null;
  /** The text that explains why paying is not possible yet. */
  blocker: string | null;
  error: unknown;
  /** Whether the chosen method became unavailable; `method` is its replacement. */
  isMethodReplaced: boolean;
  change: OfferChange | null;
  isBusy: boolean;
  onPay: () => void;
}

interface Basket extends Pick<Checkout, 'recipient' | 'blocker'> {
  goods: Goods;
  pack: Pack | undefined;
  /** The order to place; `null` while the role is missing. */
  requestFor: (pack: Pack, method: PaymentMethod) => OrderRequest | null;
}

interface Refused {
  wish: OrderRequest;
  unit: string;
  before: PriceBreakdown;
  coupon: Coupon | null;
  quote: Quote;
}

/** `null` without a pack or without a payment method. */
export function useCheckout(basket: Basket): Checkout | null {
  const { goods, pack, recipient, blocker } = basket;
  const [wanted, setMethod] = useState<PaymentMethod | null>(null);
  const [refused, setRefused] = useState<Refused | null>(null);
  const { methodsOf, firstOf, drop } = useMethods(goods);
  const { pay, isBusy, failure, forgetFailure } = usePayWish();
  const couponsFor = useCoupons(goods);
  if (pack === undefined) return null;
  const methods = methodsOf(pack);
  const method = methods.find((each) => each === wanted) ?? firstOf(methods);
  if (method === undefined) return null;

  const plainWish = basket.requestFor(pack, method);
  const coupons = couponsFor({ itemId: pack.itemId, price: priceOf(pack, method), plainWish });
  const coupon = coupons?.chosen?.coupon ?? null;
  const wish = plainWish && withCoupon(plainWish, coupon);
  const deal = breakdownOfPack(pack, { goods, method, coupon });

  const buy = (wished: OrderRequest, offer: Omit<Refused, 'wish' | 'quote'>) =>
    pay(wished, (error) => {
      if (isOfMethod(error)) {
        drop(wished.method);
        // The replacement stays selected, even if the other method returns.
        setMethod(methods.find((each) => each !== wished.method) ?? null);
      }
      const quote = newQuoteOf(error);
      if (quote !== null) setRefused({ ...offer, wish: wished, quote });
    });
  return {
    pack,
    price: deal.price,
    discountMinor: deal.discountMinor,
    recipient,
    methods,
    method,
    onMethod: setMethod,
    coupons,
    blocker,
    error: refused === null && wish !== null ? errorOf(failure, wish) : null,
    isMethodReplaced: wish !== null && isMethodReplaced(failure, wish),
    change: refused && {
      ...changeOf(refused, goods),
      // The unit from the current list, because the language may have changed since.
      unit: pack.itemId === refused.wish.itemId ? pack.unit : refused.unit,
      error: errorOf(failure, refused.wish),
      isBusy,
      onAccept: () => {
        const { accepted, ...offer } = acceptedOf(refused, goods);
        buy(accepted, offer);
      },
      onDecline: () => {
        setRefused(null);
        forgetFailure();
      },
    },
    isBusy,
    onPay: () => {
      if (wish !== null) buy(wish, { unit: pack.unit, before: deal, coupon });
    },
  };
}

function withCoupon(
  { couponId: _other, ...wish }: OrderRequest,
  coupon: Coupon | null,
): OrderRequest {
  return coupon === null ? wish : { ...wish, couponId: coupon.couponId };
}

type Failure = { error: unknown; input: OrderRequest } | null;

/** An error is shown only for the wish that it belongs to. */
function errorOf(failure: Failure, wish: OrderRequest): unknown {
  if (failure === null || newQuoteOf(failure.error) !== null) return null;
  const { error, input } = failure;
  if (nameOf(input) === nameOf(wish)) return error;
  // A refused coupon is deselected, but its error is still shown.
  const isSameBut = nameOf(withCoupon(input, null)) === nameOf(wish);
  return isSameBut && isOfCoupon(error) ? error : null;
}

/** Whether the payment method of the failed wish was refused and replaced. */
function isMethodReplaced(failure: Failure, wish: OrderRequest): boolean {
  if (failure === null || !isOfMethod(failure.error) || failure.input.method === wish.method) {
    return false;
  }
  const { method } = wish;
  const asNow = nameOf(withCoupon({ ...failure.input, method }, null));
  return asNow === nameOf(withCoupon(wish, null));
}

function isOfMethod(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'MethodUnavailable';
}

function isOfCoupon(error: unknown): boolean {
  if (!(error instanceof ApiError)) return false;
  return error.code === 'CouponNotFound' || CouponRefusal.safeParse(error.code).success;
}

function changeOf({ wish, before, coupon, quote }: Refused, goods: Goods) {
  const { method } = wish;
  const now = breakdownOfQuote(quote, { goods, method, coupon });
  const isOtherUnit = now.price.currency !== before.price.currency;
  return { before, now, isOtherUnit, method };
}

/** The wish for the new offer, without a coupon that does not apply to it. */
function acceptedOf({ wish, unit, coupon, quote }: Refused, goods: Goods) {
  const before = breakdownOfQuote(quote, { goods, method: wish.method, coupon });
  const used = before.discountMinor > 0n ? coupon : null;
  const accepted = { ...withCoupon(wish, used), quoteId: quote.quoteId };
  return { accepted, unit, before, coupon: used };
}
