import type { BodyOf } from '@pointgate/contract/endpoint.ts';
import { locales } from '@pointgate/contract/locales.ts';
import type { createPointsOrder } from '@pointgate/contract/orders.ts';
import { findPlacedOrder, type Order, type OrderIntent } from '../money/orders/orders.ts';
import { AppError } from '../platform/errors.ts';
import { knownSite } from '../publisher/sites/sites.ts';
import {
  type Asking,
  type CheckoutContext,
  offeredTo,
  orderTypeOf,
  type Placing,
  placeOnConditions,
  previewConditions,
  requireOffer,
  requireTaken,
  shownTo,
} from './checkout.ts';
import { priceOrder } from './pricing.ts';

type PointsRequest = BodyOf<typeof createPointsOrder> & Asking;

/** A proper name, the same in every language. */
const unit = Object.fromEntries(locales.map((locale) => [locale, 'E Point']));

/** Prices and places an order for E Points. No game is called: the wallet belongs to the shop. */
export async function checkOutPoints(
  context: CheckoutContext,
  request: PointsRequest & Placing,
): Promise<Order> {
  const { db, sites, catalogue, routing } = context;
  const { accountId, clientOrderId, itemId, quantity, method, system } = request;
  const wish = ['points', request.siteId, itemId, quantity, method, system];
  const intentBody = JSON.stringify([...wish, ...shownTo(request)]);
  const placed = await findPlacedOrder(db, { accountId, clientOrderId, intentBody });
  if (placed !== undefined) return placed;

  const site = await knownSite(sites, request.siteId);
  // E Points cannot be bought with E Points.
  if (method === 'epoint') throw new AppError('ItemNotForSale');
  await requireTaken(routing, site, { ...request, kind: 'points' });
  const { currency = site.currency } = request;
  const asking = { itemId, system, currency, country: site.priceCountry };
  const offer = requireOffer(await catalogue.offerPack(asking), system);
  const pack = await offeredTo(db, offer, { request, site });
  const price = priceOrder(pack, request);
  const { goods } = pack;
  const intent: OrderIntent = {
    clientOrderId,
    accountId,
    kind: 'points',
    siteId: site.siteId,
    gameId: null,
    serverId: null,
    roleId: null,
    gameAccountId: null,
    itemId,
    packCount: quantity,
    orderType: orderTypeOf(price, site),
    method,
    system,
    currency: price.currency,
    amountMinor: price.amountMinor,
    snapshot: {
      gameName: null,
      serverName: null,
      roleName: null,
      sku: null,
      itemName: goods.name,
      unit,
      art: goods.art,
      quantity: goods.quantity.toString(),
      giftQuantity: pack.gift.quantity.toString(),
      giftDays: goods.giftDays,
      quoteId: pack.quoteId,
    },
    expireMinutes: site.orderMinutes,
    promiseHours: site.promiseHours,
  };
  const purchase = { intent, intentBody, offer: pack, site, request };
  const draft = await previewConditions(context, purchase);
  return await placeOnConditions(context, draft, purchase);
}
