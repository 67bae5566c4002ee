import type { ServerResponse } from 'node:http';
import type { Locale } from '@pointgate/contract/locales.ts';
import {
  createOrder,
  orderChangesPath,
  orderDetail,
  payOrder,
} from '@pointgate/contract/orders.ts';
import type { FastifyInstance } from 'fastify';
import { toOrderDetail } from '../orders/order-view.ts';
import { findOrder, keyOf, type Order, orderEvents } from '../orders/orders.ts';
import { openPayment, type PaymentsContext } from '../payments/payments.ts';
import { AppError } from '../platform/errors.ts';
import { playerRoute, requirePlayer, requireSite } from '../platform/http.ts';
import { isId } from '../platform/ids.ts';
import type { Live } from '../platform/live.ts';
import { addLogFields } from '../platform/log.ts';
import { type CheckoutContext, checkOut } from './checkout.ts';

export interface CheckoutRoutesContext extends CheckoutContext {
  payments: PaymentsContext;
  live: Live;
}

export function registerCheckoutRoutes(app: FastifyInstance, context: CheckoutRoutesContext): void {
  const { db } = context;
  const detailOf = async (order: Order, locale: Locale) =>
    toOrderDetail(order, await orderEvents(db, keyOf(order)), locale);

  playerRoute(app, createOrder, async ({ body, player, locale }) => {
    const order = await checkOut(context, { ...body, ...player });
    addLogFields({ paymentId: order.payment_id });
    return await detailOf(order, locale);
  });

  playerRoute(app, payOrder, async ({ body, player, locale }) => {
    const { redirectUrl } = await openPayment(context.payments, {
      accountId: player.accountId,
      paymentId: body.paymentId,
      locale,
    });
    return { action: { kind: 'redirect' as const, url: redirectUrl } };
  });

  playerRoute(app, orderDetail, async ({ body, player, locale }) => {
    addLogFields({ paymentId: body.paymentId });
    const order = await findOrder(db, { ...body, accountId: player.accountId });
    if (order === undefined) throw new AppError('PaymentIdWrong');
    return await detailOf(order, locale);
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
