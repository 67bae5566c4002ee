import { pointsUnit } from '@pointgate/contract/money.ts';
import {
  createOrder,
  createPointsOrder,
  payOrder,
  payWithPoints,
} from '@pointgate/contract/orders.ts';
import { paymentMethods } from '@pointgate/contract/payment-methods.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findOrder, type Order } from '../money/orders/orders.ts';
import {
  begunMerchantAccount,
  needsPayment,
  openPayment,
  type PaymentsContext,
  payFromBalance,
} from '../money/payments/payments.ts';
import type { Place } from '../money/routing/offered.ts';
import { openShownMethods, requireMethod, routeNow, takeTurn } from '../money/routing/routing.ts';
import { AppError } from '../platform/errors.ts';
import { type Player, playerRoute } from '../platform/http.ts';
import type { Live } from '../platform/live.ts';
import { addLogFields } from '../platform/log.ts';
import { knownSite, type Site } from '../publisher/sites/sites.ts';
import { type CheckoutContext, checkOut } from './checkout.ts';
import { registerOrderChanges } from './order-changes.routes.ts';
import { detailOf } from './orders.routes.ts';
import { countryOf, payerOf, sceneOf } from './payer.ts';
import { checkOutPoints } from './points-checkout.ts';

export interface CheckoutRoutesContext extends CheckoutContext {
  payments: PaymentsContext;
  live: Live;
  /** The request header in which a reverse proxy passes the country of the client. */
  countryHeader: string | undefined;
}

export function registerCheckoutRoutes(app: FastifyInstance, context: CheckoutRoutesContext): void {
  const { db, sites, payments, routing, countryHeader: header } = context;

  /** The site, the payer data and the place of a request. */
  const whereabouts = async (request: FastifyRequest, player: Player) => {
    const { headers, ip } = request;
    const site = await knownSite(sites, player.siteId);
    const country = countryOf(headers, { header, site });
    return { site, ...(await payerOf(db, { headers, ip, player, country })) };
  };

  /** The site of an order to be paid, with the provider contract under which its payment began. */
  const siteFor = async (order: Order): Promise<Site> => {
    const site = await knownSite(sites, order.site_id);
    const begun = await begunMerchantAccount(db, order);
    if (begun === undefined) return site;
    return { ...site, contracts: { ...site.contracts, [order.method]: begun } };
  };

  /**
   * Refuses a new payment by a method that is not offered now. An open or finished payment
   * continues.
   */
  const requireWay = async (
    { paymentId, accountId }: { paymentId: string; accountId: string },
    { place, isInPoints }: { place: Place; isInPoints: boolean },
  ) => {
    const order = await findOrder(db, { paymentId, accountId });
    if (order === undefined || !(await needsPayment(db, order))) return;
    const { method, kind } = order;
    // The payment call itself refuses an order priced in the other unit.
    if ((method === 'epoint') !== isInPoints) return;
    const site = await siteFor(order);
    const currency = order.currency === pointsUnit ? site.currency : order.currency;
    await requireMethod(routing, method, { site, kind, currency, place });
    await takeTurn(routing, method, site);
  };

  playerRoute(app, paymentMethods, async ({ body, player, request }) => {
    const { site, place } = await whereabouts(request, player);
    const { kind, currency = site.currency } = body;
    if (!site.currencies.includes(currency)) throw new AppError('InvalidParams');
    const { offered, out } = await routeNow(routing, { site, kind, currency, place });
    return { methods: offered, methodsOut: out };
  });

  playerRoute(app, createOrder, async ({ body, player, locale, request }) => {
    const { place } = await whereabouts(request, player);
    const order = await checkOut(context, { ...body, ...player, locale, place });
    addLogFields({ paymentId: order.payment_id });
    return await detailOf(db, order, locale);
  });

  playerRoute(app, createPointsOrder, async ({ body, player, locale, request }) => {
    const { place } = await whereabouts(request, player);
    const order = await checkOutPoints(context, { ...body, ...player, locale, place });
    addLogFields({ paymentId: order.payment_id });
    return await detailOf(db, order, locale);
  });

  playerRoute(app, payOrder, async ({ body, player, locale, request }) => {
    const { accountId } = player;
    const { payer, place } = await whereabouts(request, player);
    await requireWay({ ...body, accountId }, { place, isInPoints: false });
    return { action: await openPayment(payments, { ...body, accountId, locale, payer }) };
  });

  playerRoute(app, payWithPoints, async ({ body, player, locale, request }) => {
    const { accountId } = player;
    const { site, place } = await whereabouts(request, player);
    await requireWay({ ...body, accountId }, { place, isInPoints: true });
    const { spendOrder } = site;
    const order = await payFromBalance(payments, { ...body, accountId, locale, spendOrder });
    return await detailOf(db, order, locale);
  });

  registerOrderChanges(app, context);
}

/** The payment methods sent with the page config, before the player has signed in. */
export function openPageMethods({
  routing,
  countryHeader: header,
}: Pick<CheckoutRoutesContext, 'routing' | 'countryHeader'>) {
  const shownAt = openShownMethods(routing);
  return (site: Site, headers: FastifyRequest['headers']) =>
    shownAt(site, { scene: sceneOf(headers), country: countryOf(headers, { header, site }) });
}
