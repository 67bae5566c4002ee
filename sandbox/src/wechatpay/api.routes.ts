import type { FastifyInstance, FastifyRequest } from 'fastify';
import { name, object, type Reader, ShapeError } from '../platform/shape.ts';
import { type Answer, createAnswer } from './call.ts';
import { refused } from './failure.ts';
import { findCharge, wireTransaction } from './paying.ts';
import { readOrder } from './payment-params.ts';
import { closeOrder, getOrder, placeOrder } from './payments.ts';
import type { Provider } from './provider.ts';
import { askForRefund, getRefund, wireRefund } from './refunds.ts';
import { scenes } from './rows.ts';
import { fundBill, tradeBill } from './settlement.ts';

const idParams = object({ id: name });
const mchBody = object({ mchid: name });

/** The part of the provider's API that the shop uses. */
export function registerApiRoutes(app: FastifyInstance, provider: Provider): void {
  const answer = createAnswer(provider);
  for (const scene of scenes) {
    app.post(`/v3/pay/transactions/${scene}`, (request, reply) =>
      answer(request, reply, ({ body }) => placeOrder(provider, readOrder(provider, scene, body))),
    );
  }
  app.get('/v3/pay/transactions/out-trade-no/:id', (request, reply) =>
    answer(request, reply, () => {
      checkMerchant(provider, queryOf(request).get('mchid'));
      return wireTransaction(provider, getOrder(provider, idOf(request)));
    }),
  );
  app.get('/v3/pay/transactions/id/:id', (request, reply) =>
    answer(request, reply, () => {
      checkMerchant(provider, queryOf(request).get('mchid'));
      const charge = findCharge(provider, idOf(request));
      if (charge === undefined) throw refused('ORDER_NOT_EXIST', '订单不存在', 404);
      return wireTransaction(provider, getOrder(provider, charge.out_trade_no));
    }),
  );
  app.post('/v3/pay/transactions/out-trade-no/:id/close', (request, reply) =>
    answer(request, reply, ({ body }) => {
      checkMerchant(provider, mchBody(body, '').mchid);
      closeOrder(provider, idOf(request));
      return null;
    }),
  );
  app.post('/v3/refund/domestic/refunds', (request, reply) =>
    answer(request, reply, ({ body }) => askForRefund(provider, body)),
  );
  app.get('/v3/refund/domestic/refunds/:id', (request, reply) =>
    answer(request, reply, () => wireRefund(provider, getRefund(provider, idOf(request)))),
  );
  registerBillRoutes(app, provider, answer);

  app.setNotFoundHandler((_request, reply) =>
    reply.code(404).send({ code: 'RESOURCE_NOT_EXISTS', message: '无法找到请求的资源' }),
  );
}

const bytes: Reader<Uint8Array> = (value, at) => {
  if (!(value instanceof Uint8Array)) throw new ShapeError(`${at} must be bytes`);
  return value;
};
const fileRow = object({ body: bytes });

function registerBillRoutes(app: FastifyInstance, provider: Provider, answer: Answer): void {
  app.get('/v3/bill/tradebill', (request, reply) =>
    answer(request, reply, () => tradeBill(provider, queryOf(request))),
  );
  app.get('/v3/bill/fundflowbill', (request, reply) =>
    answer(request, reply, () => fundBill(provider, queryOf(request))),
  );
  app.get('/v3/billdownload/file', (request, reply) =>
    answer(request, reply, () => {
      const token = queryOf(request).get('token') ?? '';
      const file = provider.db.one(fileRow, 'select body from bill_files where token = ?', token);
      if (file === undefined) throw refused('RESOURCE_NOT_EXISTS', '文件不存在', 404);
      return file.body;
    }),
  );
}

function checkMerchant({ settings }: Provider, mchid: string | null): void {
  if (mchid !== settings.mchId) throw refused('MCH_NOT_EXISTS', '商户号不存在');
}

function queryOf(request: FastifyRequest): URLSearchParams {
  return new URLSearchParams(request.url.split('?', 2)[1] ?? '');
}

function idOf(request: FastifyRequest): string {
  return idParams(request.params, 'params').id;
}
