import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../platform/pay-page.ts';
import { bodyText, queryText } from '../platform/requests.ts';
import { agreedPage, decidePage, overPage, unknownPage } from './pay-page.ts';
import { approveOrder, endDueOrders, findOrder, type Instrument, returnUrlOf } from './payments.ts';
import type { Provider } from './provider.ts';
import type { OrderRow } from './rows.ts';

const instruments: Record<string, Instrument> = {
  approve: 'good',
  'approve-and-stay': 'good',
  'approve-declined': 'declined',
  'approve-pending': 'pending',
};

/** The payer's pages: plain HTML forms, so that tests can submit them without a browser. */
export function registerPayRoutes(app: FastifyInstance, provider: Provider): void {
  app.addHook('onRequest', async () => endDueOrders(provider));

  app.get('/checkoutnow', (request, reply) =>
    sendState(reply, findOrder(provider, queryText(request, 'token') ?? '')),
  );
  app.post('/checkoutnow/:button', (request, reply) => {
    const { button } = Object(request.params);
    const instrument = instruments[String(button)];
    const order = findOrder(provider, tokenOf(request));
    if (instrument === undefined || order?.status !== 'PAYER_ACTION_REQUIRED') {
      return sendState(reply, order);
    }
    const approved = approveOrder(provider, { id: order.id, instrument });
    if (approved?.status !== 'APPROVED') return sendState(reply, approved);
    const stays = button === 'approve-and-stay';
    return reply.redirect(stays ? pageOf(approved) : returnUrlOf(approved), 303);
  });
}

function sendState(reply: FastifyReply, order: OrderRow | undefined): FastifyReply {
  if (order === undefined) return sendPage(reply, 404, unknownPage());
  switch (order.status) {
    case 'PAYER_ACTION_REQUIRED':
      return sendPage(reply, 200, decidePage(order));
    case 'APPROVED':
    case 'COMPLETED':
      return sendPage(reply, 200, agreedPage(order));
    default:
      return sendPage(reply, 200, overPage(order));
  }
}

function pageOf(order: OrderRow): string {
  return `/checkoutnow?token=${order.id}`;
}

function tokenOf(request: FastifyRequest): string {
  return new URLSearchParams(bodyText(request)).get('token') ?? queryText(request, 'token') ?? '';
}
