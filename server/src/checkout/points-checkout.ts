import type { BodyOf } from '@pointgate/contract/endpoint.ts';
import { locales } from '@pointgate/contract/locales.ts';
import type { createPointsOrder } from '@pointgate/contract/orders.ts';
import { findPlacedOrder, type Order, type OrderIntent, placeOrder } from '../orders/orders.ts';
import { AppError } from '../platform/errors.ts';
import { knownSite } from '../sites/sites.ts';
import { type CheckoutContext, orderTypeOf, requireOffer } from './checkout.ts';

type PointsRequest = BodyOf<typeof createPointsOrder> & { accountId: string; siteId: string };

/** The same name in every language: it is a name. */
const unit = Object.fromEntries(locales.map((locale) => [locale, 'E Point']));

/** Prices and places an order for points. No game is asked: the wallet is the shop's own. */
export async function checkOutPoints(
  { db, sites, catalogue, beforeOrder }: CheckoutContext,
  request: PointsRequest,
): Promise<Order> {
  const { accountId, clientOrderId, itemId, quantity, method, system } = request;
  const intentBody = JSON.stringify(['points', request.siteId, itemId, quantity, method, system]);
  const placed = await findPlacedOrder(db, { accountId, clientOrderId, intentBody });
  if (placed !== undefined) return placed;

  const site = await knownSite(sites, request.siteId);
  // Points are never bought with points.
  if (method === 'epoint' || !site.methods.includes(method)) throw new AppError('ItemNotForSale');
  const { currency } = site;
  const pack = requireOffer(await catalogue.offerPack({ itemId, system, currency }), system);
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
    orderType: orderTypeOf(site),
    method,
    system,
    currency: pack.price.currency,
    amountMinor: pack.price.amountMinor * BigInt(quantity),
    snapshot: {
      gameName: null,
      serverName: null,
      roleName: null,
      sku: null,
      itemName: pack.name,
      unit,
      art: pack.art,
      quantity: pack.quantity.toString(),
      giftQuantity: pack.giftQuantity.toString(),
      giftDays: pack.giftDays,
    },
    expireMinutes: site.orderMinutes,
    promiseHours: site.promiseHours,
  };
  await beforeOrder(intent);
  return await db.transaction((tx) => placeOrder(tx, intent, intentBody));
}
