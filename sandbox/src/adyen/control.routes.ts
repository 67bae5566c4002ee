import type { FastifyInstance } from 'fastify';
import { registerAudit } from '../platform/audit.routes.ts';
import { registerCommonControl } from '../platform/control.routes.ts';
import { controlBody, explainMalformedCalls } from '../platform/requests.ts';
import { atLeast, listOf, object, optional, text } from '../platform/shape.ts';
import { releaseHeldSends } from '../platform/webhook-plan.ts';
import { AdyenFailure } from './failure.ts';
import { registerMoneyControlRoutes } from './money-control.routes.ts';
import { overview } from './overview.ts';
import {
  faultReader,
  noPlan,
  noSettlementPlan,
  type Provider,
  providersRetrySeconds,
  settlementPlanReader,
  webhookPlanReader,
} from './provider.ts';
import { allRecords, recordKinds } from './records.ts';
import { endDueSessions } from './sessions.ts';

const webhooksBody = object({
  url: optional(text),
  /** Instead of the provider's own schedule. */
  retrySeconds: optional(listOf(atLeast(0))),
  plan: optional(webhookPlanReader),
});

/** What tests and people use to look behind the provider and to make it misbehave. */
export function registerControlRoutes(app: FastifyInstance, provider: Provider): void {
  explainMalformedCalls(app, (error) => (error instanceof AdyenFailure ? error : undefined));
  const { charges, refunds, disputes } = recordKinds;
  const before = () => endDueSessions(provider);
  registerAudit(app, provider.db, { kinds: recordKinds, charges, refunds, disputes, before });
  registerMoneyControlRoutes(app, provider);

  registerCommonControl(app, provider, {
    service: 'adyen',
    faultReader,
    overview: () => overview(provider),
    records: (limit) => allRecords(provider, limit),
    before,
    reset: () => {
      provider.plan = noPlan;
      provider.refundPlan.clear();
      provider.settlementPlan = noSettlementPlan;
      provider.settings.retrySeconds = providersRetrySeconds;
    },
  });

  app.post('/__sandbox/webhooks', (request) => {
    const body = controlBody(request, webhooksBody);
    const { settings } = provider;
    if (body.url !== undefined) settings.webhookUrl = body.url === '' ? undefined : body.url;
    if (body.retrySeconds !== undefined) settings.retrySeconds = body.retrySeconds;
    if (body.plan !== undefined) provider.plan = body.plan;
    if (provider.plan.reorder !== true) releaseHeldSends(provider);
    return { url: settings.webhookUrl ?? null, plan: provider.plan };
  });
  app.post('/__sandbox/settlement', (request) => {
    provider.settlementPlan = controlBody(request, settlementPlanReader);
    return { plan: provider.settlementPlan };
  });
}
