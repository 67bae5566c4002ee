import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../platform/pay-page.ts';
import { idOf, queryText } from '../platform/requests.ts';
import { bridgeScript, doneScript } from './bridge.ts';
import { checkJsapi, type JsapiParams, jsapiReader } from './jsapi.ts';
import { bridgePage, codePage, decidePage, overPage, paidPage } from './pay-page.ts';
import { openCashier, payOrder } from './paying.ts';
import { findByCode, findByH5Link, findByPrepayId, prepaySeconds } from './payments.ts';
import type { Provider } from './provider.ts';
import type { OrderRow } from './rows.ts';

/** The payer's pages: plain HTML forms, so that tests can submit them without a browser. */
export function registerPayRoutes(app: FastifyInstance, provider: Provider): void {
  app.get('/cgi-bin/mmpayweb-bin/checkmweb', (request, reply) => {
    const order = findByH5Link(provider, {
      prepayId: queryText(request, 'prepay_id') ?? '',
      package: queryText(request, 'package') ?? '',
    });
    return show(provider, { request, reply, order, back: queryText(request, 'redirect_url') });
  });
  app.get('/scan', (request, reply) => {
    const code = queryText(request, 'code');
    if (code === undefined) return sendPage(reply, 200, codePage({ isUnknown: false }));
    const order = findByCode(provider, code);
    if (order === undefined || isTooOld(provider, order)) {
      return sendPage(reply, 404, codePage({ isUnknown: true }));
    }
    return show(provider, { request, reply, order });
  });
  app.get('/jsapi', (request, reply) => {
    const sent = readJsapi(request);
    const checked = sent === undefined ? undefined : checkJsapi(provider, sent);
    if (checked?.outcome !== 'ok') return sendBridge(reply, 200, 'fail');
    return show(provider, { request, reply, order: checked.order, isBridge: true });
  });
  app.get('/cashier/:id', (request, reply) =>
    show(provider, { request, reply, order: orderOf(provider, request) }),
  );
  registerButtons(app, provider);

  app.get('/__sandbox/weixin-bridge.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(bridgeScript(provider.publicUrl())),
  );
  app.get('/__sandbox/weixin-done.js', (_request, reply) =>
    reply.type('text/javascript; charset=utf-8').send(doneScript),
  );
}

function registerButtons(app: FastifyInstance, provider: Provider): void {
  const pay = (request: FastifyRequest) =>
    payOrder(provider, { outTradeNo: orderOf(provider, request)?.out_trade_no ?? '' });
  app.post('/cashier/:id/pay', (request, reply) => {
    const { outcome } = pay(request);
    if (outcome !== 'paid' && outcome !== 'already_paid') {
      return show(provider, { request, reply, order: orderOf(provider, request) });
    }
    return goBack(request, reply, 'ok');
  });
  app.post('/cashier/:id/pay-and-stay', (request, reply) => {
    pay(request);
    return show(provider, { request, reply, order: orderOf(provider, request) });
  });
  app.post('/cashier/:id/decline', (request, reply) =>
    show(provider, { request, reply, order: orderOf(provider, request), isDeclined: true }),
  );
  app.post('/cashier/:id/leave', (request, reply) => goBack(request, reply, 'cancel'));
}

/** Shows the cashier, or the reason why the order cannot be paid. */
function show(
  provider: Provider,
  input: {
    request: FastifyRequest;
    reply: FastifyReply;
    order: OrderRow | undefined;
    back?: string | undefined;
    isDeclined?: boolean;
    isBridge?: boolean;
  },
): FastifyReply {
  const { request, reply, order, isDeclined = false } = input;
  const back = webAddress(input.back ?? queryText(request, 'back'));
  const isBridge = input.isBridge ?? isBridgeWindow(request);
  if (order === undefined) return sendPage(reply, 404, overPage({ back, why: 'unknown' }));
  const state = openCashier(provider, order.out_trade_no);
  if (state === 'paid') {
    return isBridge ? sendBridge(reply, 200, 'ok') : sendPage(reply, 200, paidPage(order, back));
  }
  if (state !== 'open') {
    return isBridge
      ? sendBridge(reply, 410, 'fail')
      : sendPage(reply, 410, overPage({ back, why: state }));
  }
  return sendPage(reply, 200, decidePage(order, { back, isDeclined, isBridge }));
}

function goBack(
  request: FastifyRequest,
  reply: FastifyReply,
  result: 'ok' | 'cancel',
): FastifyReply {
  if (isBridgeWindow(request)) return sendBridge(reply, 200, result);
  const back = webAddress(queryText(request, 'back'));
  if (back !== null) return reply.redirect(back, 303);
  return reply.redirect(`/cashier/${idOf(request)}`, 303);
}

/** The only page with a script: it posts the outcome to the window that opened it. */
function sendBridge(
  reply: FastifyReply,
  status: number,
  result: 'ok' | 'cancel' | 'fail',
): FastifyReply {
  return sendPage(reply, status, bridgePage(result), "'self'");
}

/** Only http and https are redirected to: a javascript URL would run in the payer's browser. */
function webAddress(address: string | undefined): string | null {
  const url = URL.parse(address ?? '');
  return url?.protocol === 'https:' || url?.protocol === 'http:' ? url.href : null;
}

function isBridgeWindow(request: FastifyRequest): boolean {
  return queryText(request, 'bridge') === '1';
}

function isTooOld({ clock }: Provider, order: OrderRow): boolean {
  return order.created + prepaySeconds <= clock.nowSeconds();
}

function orderOf(provider: Provider, request: FastifyRequest): OrderRow | undefined {
  return findByPrepayId(provider, idOf(request));
}

function readJsapi(request: FastifyRequest): JsapiParams | undefined {
  try {
    const query = new URLSearchParams(request.url.split('?', 2)[1] ?? '');
    return jsapiReader(Object.fromEntries(query), 'query');
  } catch {
    return undefined;
  }
}
