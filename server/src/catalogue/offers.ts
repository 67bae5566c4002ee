import { createHash } from 'node:crypto';
import { type CurrencyCode, type Money, pointsUnit } from '@pointgate/contract/money.ts';
import type { System } from '@pointgate/contract/names.ts';
import type { GiftReason } from '@pointgate/contract/promotions.ts';
import type { Quota } from '../offers/quotas/quotas.ts';
import type { LocalText } from '../platform/local-text.ts';
import { type PriceRule, type Prices, priceIn } from './prices.ts';

/** The common fields of items and E Point packs. */
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

/** The data of a request on which an offer depends. */
interface Asked {
  system: System;
  currency: CurrencyCode;
  country: string | null;
  now: number;
}

/** The gift of a pack and its reason. */
export interface OfferedGift {
  quantity: bigint;
  /** Null if there is no gift. */
  reason: GiftReason | null;
}

/** Goods that are for sale with their price. An order keeps a copy. */
export interface Offer<Kind extends Goods = Goods> {
  goods: Kind;
  /** The key under which purchase limits are counted. */
  goodsKey: string;
  price: Money;
  /** The price in E Points; null if sold for money only. */
  pricePoints: bigint | null;
  /** The regular bonus, until the gift of the player is known. */
  gift: OfferedGift;
  quoteId: string;
}

export type NoOffer = 'not_for_sale' | 'not_on_system';

/** `not_on_system` means that the goods are for sale, but on another system. */
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
  // E Point packs never have a price in E Points.
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

/** The offer with another gift, and so with another quote id. */
export function withGift<Kind extends ItemGoods | PackGoods>(
  offer: Omit<Offer<Kind>, 'gift' | 'quoteId'>,
  { quantity, reason }: OfferedGift,
): Offer<Kind> {
  const given = { ...offer, gift: { quantity, reason } };
  return { ...given, quoteId: quoteIdOf(given) };
}

/** From the sale start inclusive to the sale end exclusive. */
function isOnSale({ saleFrom, saleUntil }: Goods, now: number): boolean {
  const hasBegun = saleFrom === null || saleFrom.getTime() <= now;
  return hasBegun && (saleUntil === null || now < saleUntil.getTime());
}

/**
 * A hash of everything that is charged and given. A new field of an offer has to be added here, or
 * it could change unnoticed between list and order.
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
