import { createHash } from 'node:crypto';
import { type CurrencyCode, type Money, pointsUnit } from '@pointgate/contract/money.ts';
import type { System } from '@pointgate/contract/names.ts';
import type { GiftReason } from '@pointgate/contract/promotions.ts';
import type { Quota } from '../offers/quotas/quotas.ts';
import type { LocalText } from '../platform/local-text.ts';
import { type PriceRule, type Prices, priceIn } from './prices.ts';

/** What items and packs of points have in common. */
export interface Goods {
  kind: 'item' | 'points';
  id: string;
  name: LocalText;
  quantity: bigint;
  giftQuantity: bigint;
  giftDays: number | null;
  tier: 'tide' | 'dusk' | 'rose' | 'sun';
  badge: 'popular' | 'best_value' | null;
  art: string;
  systems: readonly System[];
  saleFrom: Date | null;
  saleUntil: Date | null;
  quota: Quota | null;
  prices: Prices;
}

export interface ItemGoods extends Goods {
  kind: 'item';
  gameId: string;
  groupId: string;
  sku: string;
  unit: LocalText;
}

export interface PackGoods extends Goods {
  kind: 'points';
}

/** Who asks, and when. */
interface Asked {
  system: System;
  currency: CurrencyCode;
  country: string | null;
  now: number;
}

/** What comes with a pack, and why. */
export interface OfferedGift {
  quantity: bigint;
  /** None where there is no gift. */
  reason: GiftReason | null;
}

/** What is sold right now, for what. An order keeps a copy of this. */
export interface Offer<Kind extends Goods = Goods> {
  goods: Kind;
  /** Under which limits count. */
  goodsKey: string;
  price: Money;
  /** What it costs in E Points; none where it is sold for money only. */
  pricePoints: bigint | null;
  /** What everybody gets, until it is known who asks. */
  gift: OfferedGift;
  quoteId: string;
}

export type NoOffer = 'not_for_sale' | 'not_on_system';

/** `not_on_system` is for sale, but not to this phone. */
export function offerOf<Kind extends ItemGoods | PackGoods>(
  goods: Kind | undefined,
  rules: readonly PriceRule[],
  asked: Asked,
): Offer<Kind> | NoOffer {
  if (goods === undefined || !isOnSale(goods, asked.now)) return 'not_for_sale';
  const { currency: unit, country } = asked;
  const price = priceIn(goods.prices, rules, { unit, country });
  if (price === undefined) return 'not_for_sale';
  if (!goods.systems.includes(asked.system)) return 'not_on_system';
  // Points are never bought with points: no pack has such a price.
  const inPoints = priceIn(goods.prices, rules, { unit: pointsUnit, country });
  const offer = {
    goods,
    goodsKey: `${goods.kind}:${goods.id}`,
    price,
    pricePoints: inPoints?.amountMinor ?? null,
  };
  const { giftQuantity: quantity } = goods;
  return withGift(offer, { quantity, reason: quantity > 0n ? 'bonus' : null });
}

/** The same offer with another gift is another promise, under another name. */
export function withGift<Kind extends ItemGoods | PackGoods>(
  offer: Omit<Offer<Kind>, 'gift' | 'quoteId'>,
  { quantity, reason }: OfferedGift,
): Offer<Kind> {
  const given = { ...offer, gift: { quantity, reason } };
  return { ...given, quoteId: quoteIdOf(given) };
}

/** From the first moment on, and before the last. */
function isOnSale({ saleFrom, saleUntil }: Goods, now: number): boolean {
  const hasBegun = saleFrom === null || saleFrom.getTime() <= now;
  return hasBegun && (saleUntil === null || now < saleUntil.getTime());
}

/**
 * One name for everything that is charged and given. Whoever adds to what an offer gives, adds it here:
 * what is not in the name can change between the list and the order.
 */
function quoteIdOf(offer: Omit<Offer<ItemGoods | PackGoods>, 'quoteId'>): string {
  const { goods, goodsKey, price, pricePoints, gift } = offer;
  const text = JSON.stringify([
    goodsKey,
    goods.kind === 'item' ? goods.sku : null,
    goods.quantity.toString(),
    gift.quantity.toString(),
    goods.giftDays,
    price.currency,
    price.amountMinor.toString(),
    pricePoints?.toString() ?? null,
  ]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}
