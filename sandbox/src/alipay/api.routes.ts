import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { sendPage } from '../platform/pay-page.ts';
import { bodyText, cut } from '../platform/requests.ts';
import { ShapeError } from '../platform/shape.ts';
import { contentIn, type Fields, fieldsOf, verifyRequest } from './authorization.ts';
import { answer } from './call.ts';
import { AlipayFailure, invalid } from './failure.ts';
import { tradeObject, type WireObject } from './objects.ts';
import { errorPage } from './pay-page.ts';
import { findCharge } from './paying.ts';
import { type OrderInput, readOrder } from './payment-params.ts';
import { closeTrade, codeUrlOf, findOrder, getTrade, placeOrder } from './payments.ts';
import type { Provider } from './provider.ts';
import { askForRefund, queryRefund } from './refunds.ts';
import type { OrderRow } from './rows.ts';
import { billAnswer, findBillFile } from './settlement.ts';

/** One URL for all calls; the field `method` selects the call. */
export function registerApiRoutes(app: FastifyInstance, provider: Provider): void {
  const handle = async (request: FastifyRequest, reply: FastifyReply) => {
    const fields = fieldsOf(request.url, bodyText(request));
    const scene = pages[fields.method ?? ''];
    if (scene !== undefined) return showCashier(provider, { reply, fields, scene });
    const work = works[fields.method ?? ''];
    return await answer(provider, { request, reply, fields }, (content) => {
      if (work === undefined) throw invalid('isv.invalid-method', '不存在的方法名');
      return work(provider, content, fields);
    });
  };
  app.get('/gateway.do', handle);
  app.post('/gateway.do', handle);

  app.get('/downloadBillFile.resource', (request, reply) => {
    const fault = provider.faults.take(({ match }) => match === 'download');
    if (fault?.kind === 'http500_before') return reply.code(500).send('');
    if (fault?.kind === 'cut_before') return cut(request, reply);
    if (fault?.kind === 'html_200') return reply.type('text/html').send('<html></html>');
    const file = findBillFile(provider, request.url);
    if (file === undefined) return reply.code(404).send('');
    const sent = fault?.kind === 'truncated' ? file.subarray(0, file.length / 2) : file;
    return reply.type('application/zip').send(Buffer.from(sent));
  });
}

type Work = (provider: Provider, content: unknown, fields: Fields) => WireObject;

const pages: Readonly<Record<string, OrderRow['scene'] | undefined>> = {
  'alipay.trade.page.pay': 'page',
  'alipay.trade.wap.pay': 'wap',
};

const works: Readonly<Record<string, Work | undefined>> = {
  'alipay.trade.precreate': (provider, content, fields) => {
    const order = placeOrder(provider, readOrder(provider, { scene: 'qr', content, fields }));
    return { out_trade_no: order.out_trade_no, qr_code: codeUrlOf(order) };
  },
  'alipay.trade.query': (provider, content) => {
    const order = getTrade(provider, content);
    const charge = findCharge(provider, order.trade_no);
    return tradeObject(order, { charge, now: provider.clock.nowSeconds() });
  },
  'alipay.trade.close': (provider, content) => {
    const { trade_no, out_trade_no } = closeTrade(provider, content);
    return { trade_no, out_trade_no };
  },
  'alipay.trade.refund': askForRefund,
  'alipay.trade.fastpay.refund.query': queryRefund,
  'alipay.data.dataservice.bill.downloadurl.query': billAnswer,
};

/** The signed URL carries the order: the gateway learns of it when the payer opens it. */
function showCashier(
  provider: Provider,
  input: { reply: FastifyReply; fields: Fields; scene: OrderRow['scene'] },
): FastifyReply {
  const { reply, fields, scene } = input;
  try {
    verifyRequest(provider, fields);
    const content = contentIn(fields);
    const asked = readOrder(provider, { scene, content, fields });
    const order = provider.db.transaction(() => orderToShow(provider, asked));
    return reply.redirect(`/cashier/${order.token}`, 302);
  } catch (error) {
    const failure =
      error instanceof ShapeError ? invalid('isv.invalid-parameter', error.message) : error;
    if (!(failure instanceof AlipayFailure)) throw failure;
    return sendPage(reply, 400, errorPage(failure.message));
  }
}

/** A paid or closed order is shown as such when its page is opened again. */
function orderToShow(provider: Provider, asked: OrderInput): OrderRow {
  const earlier = findOrder(provider, asked.outTradeNo);
  const isOver = earlier !== undefined && earlier.state !== 'WAIT_BUYER_PAY';
  return isOver && earlier.asked === asked.asked ? earlier : placeOrder(provider, asked);
}
