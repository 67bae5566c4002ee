import { Quote } from '@pointgate/contract/catalogue.ts';
import { type CurrencyCode, type Price, pointsUnit } from '@pointgate/contract/money.ts';
import type { PaymentMethod } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import type { ItemGoods, Offer, PackGoods } from '../catalogue/offers.ts';
import { AppError } from '../platform/errors.ts';

type AnyOffer = Offer<ItemGoods | PackGoods>;

/** What of an order has a say in its price. The client names what it was shown, never an amount. */
export interface PricedRequest {
  method: PaymentMethod;
  quantity: number;
  quoteId?: string | undefined;
  currency?: CurrencyCode | undefined;
  couponId?: string | undefined;
}

/**
 * What an order charges. Whoever names another quote than the one that holds now is told the new one and
 * asked again. Who names none gets the price in the currency that they name, or in the site's first one. A
 * coupon needs a quote: without it nobody was shown what it is taken from.
 */
export function priceOrder(offer: AnyOffer, request: PricedRequest): Price {
  if (request.couponId !== undefined && request.quoteId === undefined) refuseFor(offer);
  requireQuote(offer, request);
  const { amountMinor, currency } = unitPrice(offer, request.method);
  return { amountMinor: amountMinor * BigInt(request.quantity), currency };
}

/** Throws where the player named another quote than this offer's. */
export function requireQuote(offer: AnyOffer, { quoteId }: Pick<PricedRequest, 'quoteId'>): void {
  if (quoteId !== undefined && quoteId !== offer.quoteId) refuseFor(offer);
}

function refuseFor(offer: AnyOffer): never {
  throw new AppError('PriceChanged', z.encode(Quote, quoteOf(offer)));
}

/** The method decides what is paid in: points from the balance, or money. */
function unitPrice({ price, pricePoints }: AnyOffer, method: PaymentMethod): Price {
  if (method !== 'epoint') return price;
  if (pricePoints === null) throw new AppError('ItemNotForSale');
  return { amountMinor: pricePoints, currency: pointsUnit };
}

function quoteOf({ goods, price, pricePoints, gift, quoteId }: AnyOffer): Quote {
  const { id, quantity } = goods;
  return { quoteId, itemId: id, quantity, giftQuantity: gift.quantity, price, pricePoints };
}
