import type { ServerResponse } from 'node:http';
import { pointsUnit } from '@pointgate/contract/money.ts';
import {
  createOrder,
  createPointsOrder,
  orderChangesPath,
  payOrder,
  payWithPoints,
} from '@pointgate/contract/orders.ts';
import { paymentMethods } from '@pointgate/contract/payment-methods.ts';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { findOrder, type Order } from '../orders/orders.ts';
import {
  begunContract,
  needsPayment,
  openPayment,
  type PaymentsContext,
  payFromBalance,
} from '../payments/payments.ts';
import { AppError } from '../platform/errors.ts';
import { type Player, playerRoute, requirePlayer, requireSite } from '../platform/http.ts';
import { isId } from '../platform/ids.ts';
import type { Live } from '../platform/live.ts';
import { addLogFields } from '../platform/log.ts';
import type { Place } from '../routing/offered.ts';
import { openShownMethods, requireMethod, routeNow, takeTurn } from '../routing/routing.ts';
import { knownSite, type Site } from '../sites/sites.ts';
import { type CheckoutContext, checkOut } from './checkout.ts';
import { detailOf } from './orders.routes.ts';
import { countryOf, payerOf, sceneOf } from './payer.ts';
import { checkOutPoints } from './points-checkout.ts';

export interface CheckoutRoutesContext extends CheckoutContext {
  payments: PaymentsContext;
  live: Live;
  /** The header that a proxy in front tells the country of a request in. */
  countryHeader: string | undefined;
}

export function registerCheckoutRoutes(app: FastifyInstance, context: CheckoutRoutesContext): void {
  const { db, sites, payments, routing, countryHeader: header } = context;

  /** Who pays, at which site, and where they are. */
  const whereabouts = async (request: FastifyRequest, player: Player) => {
    const { headers, ip } = request;
    const site = await knownSite(sites, player.siteId);
    const country = countryOf(headers, { header, site });
    return { site, ...(await payerOf(db, { headers, ip, player, country })) };
  };

  /** The site of an order that is to be paid, with the contract that the order began with. */
  const siteFor = async (order: Order): Promise<Site> => {
    const site = await knownSite(sites, order.site_id);
    const begun = await begunContract(db, order);
    if (begun === undefined) return site;
    return { ...site, contracts: { ...site.contracts, [order.method]: begun } };
  };

  /** A payment begins only in a way that is offered now. One that is open or done goes on. */
  const requireWay = async (
    { paymentId, accountId }: { paymentId: string; accountId: string },
    { place, isInPoints }: { place: Place; isInPoints: boolean },
  ) => {
    const order = await findOrder(db, { paymentId, accountId });
    if (order === undefined || !(await needsPayment(db, order))) return;
    const { method, kind } = order;
    // The call that it does not fit says so itself.
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

/** The methods that a page is told of when it is loaded, before anybody has signed in. */
export function openPageMethods({
  routing,
  countryHeader: header,
}: Pick<CheckoutRoutesContext, 'routing' | 'countryHeader'>) {
  const shownAt = openShownMethods(routing);
  return (site: Site, headers: FastifyRequest['headers']) =>
    shownAt(site, { scene: sceneOf(headers), country: countryOf(headers, { header, site }) });
}

const keepAliveMs = 20_000;
const streamMs = 10 * 60_000;

/**
 * One `changed` event each time the order moves, and `heard` now and then while changes in other
 * processes are heard of. The browser opens a new stream when it ends.
 */
function registerOrderChanges(
  app: FastifyInstance,
  { db, live }: { db: CheckoutContext['db']; live: Live },
): void {
  const streams = new Set<ServerResponse>();
  // A server that is told to stop waits for its connections, and a stream would last for minutes.
  app.addHook('preClose', (done) => {
    for (const stream of streams) stream.end();
    done();
  });
  app.get<{ Params: { paymentId: string } }>(
    orderChangesPath(':paymentId'),
    async (request, reply) => {
      const site = await requireSite(app, request);
      const { accountId } = await requirePlayer(app, { request, site });
      const { paymentId } = request.params;
      const order = isId(paymentId) ? await findOrder(db, { accountId, paymentId }) : undefined;
      if (order === undefined) throw new AppError('PaymentIdWrong');

      reply.hijack();
      reply.raw.writeHead(200, {
        'content-type': 'text/event-stream',
        'cache-control': 'no-store',
        connection: 'close',
        'x-accel-buffering': 'no',
      });
      const say = (text: string) => reply.raw.write(text);
      const stillHere = () =>
        live.hearsOthers() ? 'event: heard\ndata: {}\n\n' : ': still here\n\n';
      // Something may have happened between the page's reading and this listening.
      say(`retry: 2000\nevent: changed\ndata: {}\n\n${stillHere()}`);
      const stopListening = live.listen(paymentId, () => say('event: changed\ndata: {}\n\n'));
      const keepAlive = setInterval(() => say(stillHere()), keepAliveMs);
      const end = setTimeout(() => reply.raw.end(), streamMs);
      streams.add(reply.raw);
      reply.raw.on('close', () => {
        streams.delete(reply.raw);
        stopListening();
        clearInterval(keepAlive);
        clearTimeout(end);
      });
    },
  );
}
