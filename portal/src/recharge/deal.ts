import type { Quote } from '@pointgate/contract/catalogue.ts';
import { type Coupon, discountOf } from '@pointgate/contract/coupons.ts';
import { type Price, pointsUnit } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import type { Target } from '../addresses.ts';
import { type Pack, priceOf } from './pack.ts';

/** What is bought: packs for a game, or E Points. */
export type Goods = { kind: 'item'; gameId: string } | { kind: 'points'; gameId: null };

export function goodsOf(gameId: string, target: Target): Goods {
  return target === 'game' ? { kind: 'item', gameId } : { kind: 'points', gameId: null };
}

/** What is paid and what comes for it. */
export interface Deal {
  /** What is charged in the end. */
  price: Price;
  /** What a coupon took off before; nothing without one. */
  discountMinor: bigint;
  quantity: bigint;
  giftQuantity: bigint;
}

interface Terms {
  goods: Goods;
  method: PaymentMethod;
  coupon: Coupon | null;
}

/** What the card and the order panel show. */
export function dealOfPack(pack: Pack, { goods, method, coupon }: Terms): Deal {
  const { itemId, quantity, gift } = pack;
  const paid = paidFor(priceOf(pack, method), { goods, itemId, coupon });
  return { ...paid, quantity, giftQuantity: gift?.quantity ?? 0n };
}

/** What the shop would charge and give now. */
export function dealOfQuote(quote: Quote, { goods, method, coupon }: Terms): Deal {
  const { itemId, quantity, giftQuantity, price, pricePoints } = quote;
  const isInPoints = method === 'epoint' && pricePoints !== null;
  const before = isInPoints ? { amountMinor: pricePoints, currency: pointsUnit } : price;
  return { ...paidFor(before, { goods, itemId, coupon }), quantity, giftQuantity };
}

function paidFor(
  before: Price,
  { goods, itemId, coupon }: { goods: Goods; itemId: string; coupon: Coupon | null },
): Pick<Deal, 'price' | 'discountMinor'> {
  const discount =
    coupon === null ? 0n : discountOf(coupon.terms, { ...goods, itemId, price: before });
  const discountMinor = typeof discount === 'bigint' ? discount : 0n;
  const amountMinor = before.amountMinor - discountMinor;
  return { price: { ...before, amountMinor }, discountMinor };
}
