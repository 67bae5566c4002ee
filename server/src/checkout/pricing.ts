import { Quote } from '@pointgate/contract/catalogue.ts';
import { type CurrencyCode, type Price, pointsUnit } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import type { ItemGoods, Offer, PackGoods } from '../catalogue/offers.ts';
import { AppError } from '../platform/errors.ts';

type AnyOffer = Offer<ItemGoods | PackGoods>;

/**
 * The fields of an order request that determine its price. The client sends a quote, never an
 * amount.
 */
export interface PricedRequest {
  method: PaymentMethod;
  quantity: number;
  quoteId?: string | undefined;
  currency?: CurrencyCode | undefined;
  couponId?: string | undefined;
}

/**
 * The price of an order. An outdated quote is refused with the new one. Without a quote the order
 * has the price in the named currency, or in the first currency of the site. A coupon requires a
 * quote, because its discount is taken from a price that the player was shown.
 */
export function priceOrder(offer: AnyOffer, request: PricedRequest): Price {
  if (request.couponId !== undefined && request.quoteId === undefined) refuseFor(offer);
  requireQuote(offer, request);
  const { amountMinor, currency } = unitPrice(offer, request.method);
  return { amountMinor: amountMinor * BigInt(request.quantity), currency };
}

/** Throws if the request names another quote than that of this offer. */
export function requireQuote(offer: AnyOffer, { quoteId }: Pick<PricedRequest, 'quoteId'>): void {
  if (quoteId !== undefined && quoteId !== offer.quoteId) refuseFor(offer);
}

function refuseFor(offer: AnyOffer): never {
  throw new AppError('PriceChanged', z.encode(Quote, quoteOf(offer)));
}

/** The unit depends on the method: E Points from the balance, or money. */
function unitPrice({ price, pricePoints }: AnyOffer, method: PaymentMethod): Price {
  if (method !== 'epoint') return price;
  if (pricePoints === null) throw new AppError('ItemNotForSale');
  return { amountMinor: pricePoints, currency: pointsUnit };
}

function quoteOf({ goods, price, pricePoints, gift, quoteId }: AnyOffer): Quote {
  const { id, quantity } = goods;
  return { quoteId, itemId: id, quantity, giftQuantity: gift.quantity, price, pricePoints };
}
