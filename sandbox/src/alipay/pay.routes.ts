import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { yuan } from '../platform/beijing.ts';
import { sendPage } from '../platform/pay-page.ts';
import { idOf, queryText } from '../platform/requests.ts';
import { signed } from '../platform/rsa.ts';
import { codePage, decidePage, overPage, paidPage } from './pay-page.ts';
import { openCashier, payOrder } from './paying.ts';
import { findByCode, findByToken } from './payments.ts';
import type { Provider } from './provider.ts';
import type { OrderRow } from './rows.ts';
import { signedText, signingKey } from './signature.ts';
import { wireTime } from './times.ts';

/** The payer's pages: plain HTML forms, so that tests can submit them without a browser. */
export function registerPayRoutes(app: FastifyInstance, provider: Provider): void {
  app.get('/scan', (request, reply) => {
    const code = queryText(request, 'code');
    if (code === undefined) return sendPage(reply, 200, codePage({ isUnknown: false }));
    const order = findByCode(provider, code);
    if (order === undefined) return sendPage(reply, 404, codePage({ isUnknown: true }));
    return reply.redirect(`/cashier/${order.token}`, 302);
  });
  app.get('/cashier/:id', (request, reply) => show(provider, { request, reply }));

  const pay = (request: FastifyRequest, isLate = false) => {
    const outTradeNo = orderOf(provider, request)?.out_trade_no ?? '';
    return payOrder(provider, { outTradeNo, isLate });
  };
  for (const way of ['pay', 'pay-late']) {
    app.post(`/cashier/:id/${way}`, (request, reply) => {
      const paid = pay(request, way === 'pay-late');
      const isPaid = paid.outcome === 'paid' || paid.outcome === 'already_paid';
      const back = isPaid ? wayBack(provider, paid.order) : null;
      return back === null ? show(provider, { request, reply }) : reply.redirect(back, 303);
    });
  }
  app.post('/cashier/:id/pay-and-stay', (request, reply) => {
    pay(request);
    return show(provider, { request, reply });
  });
  app.post('/cashier/:id/decline', (request, reply) =>
    show(provider, { request, reply, isDeclined: true }),
  );
  app.post('/cashier/:id/leave', (request, reply) => {
    const order = orderOf(provider, request);
    const back = order?.quit_url ?? order?.return_url ?? null;
    return back === null ? show(provider, { request, reply }) : reply.redirect(back, 303);
  });
}

/** Shows the cashier, or the reason why the order cannot be paid. */
function show(
  provider: Provider,
  input: { request: FastifyRequest; reply: FastifyReply; isDeclined?: boolean },
): FastifyReply {
  const { request, reply, isDeclined = false } = input;
  const order = orderOf(provider, request);
  if (order === undefined) return sendPage(reply, 404, overPage({ back: null, why: 'unknown' }));
  const state = provider.db.transaction(() => openCashier(provider, order.out_trade_no));
  if (state === 'paid') return sendPage(reply, 200, paidPage(order, wayBack(provider, order)));
  if (state !== 'open') {
    return sendPage(reply, 410, overPage({ back: order.return_url, why: state }));
  }
  return sendPage(reply, 200, decidePage(order, { isDeclined }));
}

/** The return URL with the signed payment result, which a shop must not trust by itself. */
function wayBack(provider: Provider, order: OrderRow): string | null {
  if (order.return_url === null) return null;
  const { settings } = provider;
  const fields = {
    app_id: settings.appId,
    auth_app_id: settings.appId,
    charset: 'utf-8',
    method: `alipay.trade.${order.scene}.pay.return`,
    out_trade_no: order.out_trade_no,
    seller_id: settings.sellerId,
    timestamp: wireTime(Math.floor(Date.now() / 1000)),
    total_amount: yuan(order.total),
    trade_no: order.trade_no,
    version: '1.0',
    sign_type: 'RSA2',
  };
  const url = new URL(order.return_url);
  for (const [key, value] of Object.entries(fields)) url.searchParams.set(key, value);
  const sign = signed(signedText(fields, ['sign', 'sign_type']), signingKey(provider));
  url.searchParams.set('sign', sign);
  return url.href;
}

function orderOf(provider: Provider, request: FastifyRequest): OrderRow | undefined {
  return findByToken(provider, idOf(request));
}
