import type { FastifyInstance } from 'fastify';
import { registerCommonControl } from '../platform/control.routes.ts';
import { explainMalformedCalls } from '../platform/requests.ts';
import { registerSubscribedWebhooks } from '../platform/webhook-control.routes.ts';
import { registerAuditRoutes } from './audit.routes.ts';
import { StripeFailure } from './failure.ts';
import { registerMoneyControlRoutes } from './money-control.routes.ts';
import { overview } from './overview.ts';
import { expireDueSessions } from './payments.ts';
import { faultReader, noReportPlan, type Provider, webhookPlanReader } from './provider.ts';
import { allStripeRecords } from './records.ts';
import { settlementPlanReader } from './settlement-plan.ts';

/** The control API, with which tests and people read the records and plan faults. */
export function registerControlRoutes(app: FastifyInstance, provider: Provider): void {
  explainMalformedCalls(app, (error) => (error instanceof StripeFailure ? error : undefined));
  registerAuditRoutes(app, provider);
  registerMoneyControlRoutes(app, provider);

  registerCommonControl(app, provider, {
    service: 'stripe',
    faultReader,
    webhookPlanReader,
    settlementPlanReader,
    overview: () => overview(provider),
    records: (limit) => allStripeRecords(provider, limit),
    before: () => expireDueSessions(provider),
    reset: () => {
      provider.reportPlan = noReportPlan;
    },
  });

  registerSubscribedWebhooks(app, provider, webhookPlanReader);
}
