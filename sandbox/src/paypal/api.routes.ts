import type { FastifyInstance } from 'fastify';
import { issueToken } from './authorization.ts';
import { createAnswer } from './call.ts';
import { captureOrder, getCapture } from './captures.ts';
import { disputeObject, disputeSummary, disputesOf, getDispute } from './disputes.ts';
import { invalid, missing } from './failure.ts';
import { captureObject, refundObject } from './objects.ts';
import { readOrder } from './payment-params.ts';
import { createOrder, endDueOrders, getOrder, wireOrder } from './payments.ts';
import type { Provider } from './provider.ts';
import { createRefund, getRefund, readRefund } from './refunds.ts';
import { searchTransactions } from './settlement.ts';

/** The part of the provider's API that the shop uses, served over TLS only. */
export function registerApiRoutes(app: FastifyInstance, provider: Provider): void {
  const answer = createAnswer(provider);
  app.addHook('onRequest', async (request, reply) => {
    endDueOrders(provider);
    const isEncrypted = 'encrypted' in request.raw.socket;
    if (!isEncrypted) return reply.code(404).send({ error: 'this is served over TLS only' });
  });

  app.post('/v1/oauth2/token', (request, reply) =>
    answer(request, reply, () => ({ ...issueToken(provider, request) }), { isOpenToAll: true }),
  );
  app.post('/v2/checkout/orders', (request, reply) =>
    answer(
      request,
      reply,
      ({ json, wantsAll }) =>
        wireOrder(provider, createOrder(provider, readOrder(json())), wantsAll),
      { status: 201 },
    ),
  );
  app.get('/v2/checkout/orders/:id', (request, reply) =>
    answer(request, reply, ({ id }) => wireOrder(provider, getOrder(provider, id), true)),
  );
  app.post('/v2/checkout/orders/:id/capture', (request, reply) =>
    answer(
      request,
      reply,
      ({ id, wantsAll }) => {
        captureOrder(provider, id);
        return wireOrder(provider, getOrder(provider, id), wantsAll);
      },
      { status: 201 },
    ),
  );
  app.get('/v2/payments/captures/:id', (request, reply) =>
    answer(request, reply, ({ id }) => captureObject(getCapture(provider, id))),
  );
  app.post('/v2/payments/captures/:id/refund', (request, reply) =>
    answer(
      request,
      reply,
      ({ id, json, wantsAll }) => {
        const capture = getCapture(provider, id);
        const made = createRefund(provider, capture, readRefund(json(), capture));
        const { links, status, ...rest } = refundObject(made);
        return { id: made.id, status, links, ...(wantsAll ? rest : {}) };
      },
      { status: 201 },
    ),
  );
  app.get('/v2/payments/refunds/:id', (request, reply) =>
    answer(request, reply, ({ id }) => refundObject(getRefund(provider, id))),
  );
  app.get('/v1/customer/disputes', (request, reply) =>
    answer(request, reply, ({ query }) => {
      const captureId = query.get('disputed_transaction_id');
      if (captureId === null)
        throw invalid('disputed_transaction_id', 'MISSING_REQUIRED_PARAMETER');
      return { items: disputesOf(provider, captureId).map(disputeSummary), links: [] };
    }),
  );
  app.get('/v1/customer/disputes/:id', (request, reply) =>
    answer(request, reply, ({ id }) => disputeObject(provider, getDispute(provider, id))),
  );
  app.get('/v1/reporting/transactions', (request, reply) =>
    answer(request, reply, ({ query }) => searchTransactions(provider, query)),
  );
  app.get('/v1/notifications/certs/:id', (request, reply) => {
    const { id } = Object(request.params);
    const { signers, doubtful } = provider.certificates;
    const signer = [...signers, ...Object.values(doubtful)].find((one) => one.id === id);
    if (signer === undefined) return reply.code(404).send(missing().body);
    provider.certificateReads += 1;
    return reply.type('application/x-pem-file').send(signer.chain);
  });
}
