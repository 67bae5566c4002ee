import type { Quote } from '@pointgate/contract/catalogue.ts';
import { type Coupon, discountOf } from '@pointgate/contract/coupons.ts';
import { type Price, pointsUnit } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { Target } from '../../entities/addresses/addresses.ts';
import { type Pack, priceOf } from './pack.ts';

/** The kind of goods: packs for a game, or E Points. */
export type Goods = { kind: 'item'; gameId: string } | { kind: 'points'; gameId: null };

export function goodsOf(gameId: string, target: Target): Goods {
  return target === 'game' ? { kind: 'item', gameId } : { kind: 'points', gameId: null };
}

/** The price and the goods of a purchase. */
export interface PriceBreakdown {
  /** The total that is charged. */
  price: Price;
  /** The discount of the coupon; 0 without a coupon. */
  discountMinor: bigint;
  quantity: bigint;
  giftQuantity: bigint;
}

interface Terms {
  goods: Goods;
  method: PaymentMethod;
  coupon: Coupon | null;
}

/** The price breakdown that the card and the order panel show. */
export function breakdownOfPack(pack: Pack, { goods, method, coupon }: Terms): PriceBreakdown {
  const { itemId, quantity, gift } = pack;
  const paid = paidFor(priceOf(pack, method), { goods, itemId, coupon });
  return { ...paid, quantity, giftQuantity: gift?.quantity ?? 0n };
}

/** The price breakdown of the current quote of the server. */
export function breakdownOfQuote(quote: Quote, { goods, method, coupon }: Terms): PriceBreakdown {
  const { itemId, quantity, giftQuantity, price, pricePoints } = quote;
  const isInPoints = method === 'epoint' && pricePoints !== null;
  const before = isInPoints ? { amountMinor: pricePoints, currency: pointsUnit } : price;
  return { ...paidFor(before, { goods, itemId, coupon }), quantity, giftQuantity };
}

function paidFor(
  before: Price,
  { goods, itemId, coupon }: { goods: Goods; itemId: string; coupon: Coupon | null },
): Pick<PriceBreakdown, 'price' | 'discountMinor'> {
  const discount =
    coupon === null ? 0n : discountOf(coupon.terms, { ...goods, itemId, price: before });
  const discountMinor = typeof discount === 'bigint' ? discount : 0n;
  const amountMinor = before.amountMinor - discountMinor;
  return { price: { ...before, amountMinor }, discountMinor };
}
