import type { ServerResponse } from 'node:http';
import {
  createOrder,
  createPointsOrder,
  orderChangesPath,
  payOrder,
  payWithPoints,
} from '@pointgate/contract/orders.ts';
import type { FastifyInstance } from 'fastify';
import { findOrder } from '../orders/orders.ts';
import { openPayment, type PaymentsContext, payFromBalance } from '../payments/payments.ts';
import { AppError } from '../platform/errors.ts';
import { playerRoute, requirePlayer, requireSite } from '../platform/http.ts';
import { isId } from '../platform/ids.ts';
import type { Live } from '../platform/live.ts';
import { addLogFields } from '../platform/log.ts';
import { knownSite } from '../sites/sites.ts';
import { type CheckoutContext, checkOut } from './checkout.ts';
import { detailOf } from './orders.routes.ts';
import { checkOutPoints } from './points-checkout.ts';

export interface CheckoutRoutesContext extends CheckoutContext {
  payments: PaymentsContext;
  live: Live;
}

export function registerCheckoutRoutes(app: FastifyInstance, context: CheckoutRoutesContext): void {
  const { db, sites, payments } = context;

  playerRoute(app, createOrder, async ({ body, player, locale }) => {
    const order = await checkOut(context, { ...body, ...player, locale });
    addLogFields({ paymentId: order.payment_id });
    return await detailOf(db, order, locale);
  });

  playerRoute(app, createPointsOrder, async ({ body, player, locale }) => {
    const order = await checkOutPoints(context, { ...body, ...player, locale });
    addLogFields({ paymentId: order.payment_id });
    return await detailOf(db, order, locale);
  });

  playerRoute(app, payOrder, async ({ body, player, locale }) => {
    const { accountId } = player;
    const { redirectUrl } = await openPayment(payments, { ...body, accountId, locale });
    return { action: { kind: 'redirect' as const, url: redirectUrl } };
  });

  playerRoute(app, payWithPoints, async ({ body, player, locale }) => {
    const { accountId, siteId } = player;
    const { spendOrder } = await knownSite(sites, siteId);
    const order = await payFromBalance(payments, { ...body, accountId, locale, spendOrder });
    return await detailOf(db, order, locale);
  });

  registerOrderChanges(app, context);
}

const keepAliveMs = 20_000;
const streamMs = 10 * 60_000;

/** One `changed` event each time the order moves. The browser opens a new stream when it ends. */
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
      // Something may have happened between the page's reading and this listening.
      say('retry: 2000\nevent: changed\ndata: {}\n\n');
      const stopListening = live.listen(paymentId, () => say('event: changed\ndata: {}\n\n'));
      const keepAlive = setInterval(() => say(': still here\n\n'), keepAliveMs);
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
