import type { Locale } from '@pointgate/contract/locales.ts';
import { orderDetail, orderList, orderReceipt } from '@pointgate/contract/orders.ts';
import { paymentsOfRecords } from '@pointgate/contract/points.ts';
import type { FastifyInstance } from 'fastify';
import { factsOf } from '../money/orders/order-fact.ts';
import { statesShownAs, toOrderDetail, toOrderSummary } from '../money/orders/order-view.ts';
import {
  findOrder,
  findOrders,
  keyOf,
  listOrders,
  type Order,
  type OrderEvent,
  orderEvents,
} from '../money/orders/orders.ts';
import { giftsOf } from '../offers/promotions/promotions.ts';
import { whoIs } from '../people/accounts/accounts.ts';
import type { Db } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { playerRoute } from '../platform/http.ts';
import { firstIdAt } from '../platform/ids.ts';
import { addLogFields } from '../platform/log.ts';
import { knownSite, type Sites } from '../publisher/sites/sites.ts';

export async function detailOf(db: Db, order: Order, locale: Locale) {
  return toOrderDetail(order, await orderEvents(db, keyOf(order)), locale);
}

/** The provider's id of the capture that paid the order. Payments in E Points have no provider. */
function paymentReferenceOf(order: Order, events: readonly OrderEvent[]): string {
  if (order.method === 'epoint') return order.payment_id;
  const paying = factsOf(
    events.map(({ fact }) => fact),
    'captured',
  ).find(
    ({ amountMinor, currency }) =>
      amountMinor === order.amount_minor && currency === order.currency,
  );
  return paying?.captureId ?? order.payment_id;
}

/** The order calls of players, each limited to the player's own orders. */
export function registerOrderRoutes(
  app: FastifyInstance,
  { db, sites }: { db: Db; sites: Sites },
): void {
  const ownOrder = async (paymentId: string, accountId: string) => {
    addLogFields({ paymentId });
    const order = await findOrder(db, { paymentId, accountId });
    if (order === undefined) throw new AppError('PaymentIdWrong');
    return order;
  };

  playerRoute(app, orderDetail, async ({ body, player, locale }) =>
    detailOf(db, await ownOrder(body.paymentId, player.accountId), locale),
  );

  playerRoute(app, orderList, async ({ body, player, locale }) => {
    const { shown, kind, gameId, from, until, after, limit } = body;
    const { siteId, gameIds } = await knownSite(sites, player.siteId);
    const found = await listOrders(db, {
      accountId: player.accountId,
      states: shown === null ? null : statesShownAs[shown],
      kind,
      gameId,
      shownAt: { siteId, gameIds },
      fromId: from === null ? null : firstIdAt(new Date(from)),
      untilId: until === null ? null : firstIdAt(new Date(until)),
      after,
      limit: limit + 1,
    });
    const orders = found.slice(0, limit).map((order) => toOrderSummary(order, locale));
    const nextAfter = found.length > limit ? (orders.at(-1)?.paymentId ?? null) : null;
    return { orders, nextAfter };
  });

  playerRoute(app, orderReceipt, async ({ body, player, locale }) => {
    const order = await ownOrder(body.paymentId, player.accountId);
    if (order.paid_at === null) throw new AppError('OrderNotPaid');
    const events = await orderEvents(db, keyOf(order));
    const buyer = await whoIs(db, { ...player, gameIds: [] });
    return {
      seller: (await knownSite(sites, order.site_id)).title,
      buyer: buyer.displayName,
      paymentReference: paymentReferenceOf(order, events),
      order: toOrderDetail(order, events, locale),
    };
  });

  playerRoute(app, paymentsOfRecords, async ({ body, player, locale }) => {
    const { accountId } = player;
    const { paymentIds } = body;
    const [orders, gifts] = await Promise.all([
      findOrders(db, { accountId, paymentIds }),
      giftsOf(db, { accountId, giftIds: paymentIds }, locale),
    ]);
    return {
      gifts,
      payments: orders.map((order) => {
        const summary = toOrderSummary(order, locale);
        const { paymentId, kind, status, record, shown, itemName, itemArt } = summary;
        const { gameName, serverName, roleName } = summary;
        const what = { itemName, itemArt, gameName, serverName, roleName };
        return { paymentId, kind, status, record, shown, ...what };
      }),
    };
  });
}
