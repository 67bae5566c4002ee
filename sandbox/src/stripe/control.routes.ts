import type { FastifyInstance } from 'fastify';
import { registerCommonControl } from '../platform/control.routes.ts';
import { controlBody, explainMalformedCalls, idOf } from '../platform/requests.ts';
import { atLeast, listOf, name, object, optional, text } from '../platform/shape.ts';
import { registerSubscribedWebhooks } from '../platform/webhook-control.routes.ts';
import { registerAuditRoutes } from './audit.routes.ts';
import { StripeFailure } from './failure.ts';
import { registerMoneyControlRoutes } from './money-control.routes.ts';
import { overview } from './overview.ts';
import { paySession, paySessions } from './paying.ts';
import { faultReader, noReportPlan, type Provider, webhookPlanReader } from './provider.ts';
import { allStripeRecords } from './records.ts';
import { expireDueSessions, wireSession } from './sessions.ts';
import { settlementPlanReader } from './settlement-plan.ts';

const payBody = object({ amount: optional(atLeast(1)), currency: optional(text) });
const payManyBody = object({ ids: listOf(name) });

/** The control API, with which tests and people read the records and plan faults. */
export function registerControlRoutes(app: FastifyInstance, provider: Provider): void {
  explainMalformedCalls(app, (error) => (error instanceof StripeFailure ? error : undefined));
  registerAuditRoutes(app, provider);
  registerMoneyControlRoutes(app, provider);

  registerCommonControl(app, provider, {
    service: 'stripe',
    ...{ faultReader, webhookPlanReader, settlementPlanReader },
    overview: () => overview(provider),
    records: (limit) => allStripeRecords(provider, limit),
    before: () => expireDueSessions(provider),
    reset: () => {
      provider.reportPlan = noReportPlan;
    },
  });

  registerSubscribedWebhooks(app, provider, webhookPlanReader);

  app.post('/__sandbox/sessions/:id/pay', (request, reply) => {
    const id = idOf(request);
    const { amount, currency } = controlBody(request, payBody);
    const override = { amount, currency: currency?.toLowerCase() };
    const result = paySession(provider, { id, override });
    if (result.outcome === 'not_found') return reply.code(404).send({ error: 'not_found' });
    if (result.outcome === 'expired') return reply.code(409).send({ error: 'session_expired' });
    return reply.send({
      outcome: result.outcome,
      session: wireSession(provider, result.session, new Set(['payment_intent'])),
    });
  });
  app.post('/__sandbox/sessions/pay', (request) => {
    const { ids } = controlBody(request, payManyBody);
    const outcomes = paySessions(provider, ids).map((result, index) => ({
      id: ids[index],
      outcome: result.outcome,
      paymentIntent: 'session' in result ? result.session.payment_intent : null,
    }));
    return { sessions: outcomes };
  });
}
