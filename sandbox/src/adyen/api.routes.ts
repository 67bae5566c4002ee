import type { FastifyInstance } from 'fastify';
import { idOf, queryText } from '../platform/requests.ts';
import { name, object } from '../platform/shape.ts';
import { authorize } from './authorization.ts';
import { createAnswer } from './call.ts';
import { AdyenFailure } from './failure.ts';
import { readSession } from './payment-params.ts';
import { createSession, sessionResult } from './payments.ts';
import type { Provider } from './provider.ts';
import { askForRefund } from './refunds.ts';
import { settlementReport } from './settlement.ts';

const reportParams = object({ account: name, file: name });

/** The part of the provider's API that the shop uses. */
export function registerApiRoutes(app: FastifyInstance, provider: Provider): void {
  const answer = createAnswer(provider);
  app.post('/v72/sessions', (request, reply) =>
    answer(request, reply, (body) => ({
      status: 201,
      body: createSession(provider, readSession(provider, body)),
    })),
  );
  app.get('/v72/sessions/:id', (request, reply) =>
    answer(request, reply, () => ({
      status: 200,
      body: sessionResult(provider, idOf(request), queryText(request, 'sessionResult')),
    })),
  );
  app.post('/v72/payments/:id/refunds', (request, reply) =>
    answer(request, reply, (body) => ({
      status: 201,
      body: askForRefund(provider, idOf(request), body),
    })),
  );
  app.get('/reports/download/MerchantAccount/:account/:file', (request, reply) => {
    const { account, file } = reportParams(request.params, 'params');
    try {
      authorize(provider, request);
    } catch (error) {
      if (!(error instanceof AdyenFailure)) throw error;
      return reply.code(error.status).send('');
    }
    const report = settlementReport(provider, { account, file });
    if (report === undefined) return reply.code(404).type('text/html').send('Report not found');
    return reply.code(200).type('text/csv; charset=utf-8').send(report);
  });

  app.setNotFoundHandler((_request, reply) => reply.code(404).send(''));
}
