import type { FastifyInstance } from 'fastify';
import { registerCommonControl } from '../platform/control.routes.ts';
import { controlBody, explainMalformedCalls } from '../platform/requests.ts';
import { atLeast, listOf, name, object, optional, text } from '../platform/shape.ts';
import { releaseHeldSends } from '../platform/webhook-plan.ts';
import { registerAuditRoutes } from './audit.routes.ts';
import { StripeFailure } from './failure.ts';
import { registerMoneyControlRoutes } from './money-control.routes.ts';
import { overview } from './overview.ts';
import { paySession, paySessions } from './paying.ts';
import { faultReader, noPlan, noReportPlan, type Provider, webhookPlanReader } from './provider.ts';
import { allRecords } from './records.ts';
import { expireDueSessions, wireSession } from './sessions.ts';
import { noSettlementPlan } from './settlement-plan.ts';

const webhooksBody = object({
  url: optional(text),
  enabledEvents: optional(listOf(name)),
  retryBaseMs: optional(atLeast(1)),
  plan: optional(webhookPlanReader),
});
const payBody = object({ amount: optional(atLeast(1)), currency: optional(text) });
const payManyBody = object({ ids: listOf(name) });

/** What tests and people use to look behind the provider and to make it misbehave. */
export function registerControlRoutes(app: FastifyInstance, provider: Provider): void {
  explainMalformedCalls(app, (error) => (error instanceof StripeFailure ? error : undefined));
  registerAuditRoutes(app, provider);
  registerMoneyControlRoutes(app, provider);

  registerCommonControl(app, provider, {
    service: 'stripe',
    faultReader,
    overview: () => overview(provider),
    records: (limit) => allRecords(provider, limit),
    before: () => expireDueSessions(provider),
    reset: () => {
      provider.plan = noPlan;
      provider.refundPlan.clear();
      provider.reportPlan = noReportPlan;
      provider.settlementPlan = noSettlementPlan;
    },
  });

  app.post('/__sandbox/webhooks', (request) => {
    const body = controlBody(request, webhooksBody);
    const { settings } = provider;
    if (body.url !== undefined) settings.webhookUrl = body.url === '' ? undefined : body.url;
    if (body.enabledEvents !== undefined) settings.enabledEvents = body.enabledEvents;
    if (body.retryBaseMs !== undefined) settings.webhookRetryBaseMs = body.retryBaseMs;
    if (body.plan !== undefined) provider.plan = body.plan;
    if (provider.plan.reorder !== true) releaseHeldSends(provider);
    const { webhookUrl, enabledEvents } = settings;
    return { url: webhookUrl ?? null, enabledEvents, plan: provider.plan };
  });

  app.post('/__sandbox/sessions/:id/pay', (request, reply) => {
    const { id } = object({ id: name })(request.params, 'params');
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
