import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { registerCommonControl } from '../platform/control.routes.ts';
import { controlBody, explainMalformedCalls } from '../platform/requests.ts';
import { atLeast, listOf, name, object, oneOf, optional, text } from '../platform/shape.ts';
import { releaseHeldSends } from '../platform/webhook-plan.ts';
import { registerAuditRoutes } from './audit.routes.ts';
import { apiHost, certificateUrlOf, doubtfulKinds } from './certificates.ts';
import { PaypalFailure } from './failure.ts';
import { registerMoneyControlRoutes } from './money-control.routes.ts';
import { endDueOrders } from './orders.ts';
import { overview } from './overview.ts';
import { faultReader, noPlan, noReportPlan, type Provider, webhookPlanReader } from './provider.ts';
import { allRecords } from './records.ts';
import { noSettlementPlan } from './settlement-plan.ts';
import { signatureHeaders } from './signature.ts';
import { endTokens } from './tokens.ts';

const webhooksBody = object({
  url: optional(text),
  enabledEvents: optional(listOf(name)),
  retryBaseMs: optional(atLeast(1)),
  plan: optional(webhookPlanReader),
});
/** Signs any message, so that a test can forge all of it but the signature. */
const signBody = object({
  payload: text,
  transmissionId: optional(name),
  time: optional(name),
  webhookId: optional(name),
  certificate: optional(oneOf(doubtfulKinds)),
  certificateUrl: optional(text),
});

/** What tests and people use to look behind the provider and to make it misbehave. */
export function registerControlRoutes(
  app: FastifyInstance,
  provider: Provider,
  apiPort: () => number,
): void {
  explainMalformedCalls(app, (error) => (error instanceof PaypalFailure ? error : undefined));
  registerAuditRoutes(app, provider);
  registerMoneyControlRoutes(app, provider);

  registerCommonControl(app, provider, {
    service: 'paypal',
    // The API is behind TLS, at this address and under this name, for whoever trusts this root.
    health: () => ({ api: { host: apiHost, port: apiPort(), root: provider.certificates.root } }),
    faultReader,
    overview: () => overview(provider),
    records: (limit) => allRecords(provider, limit),
    before: () => endDueOrders(provider),
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
  app.post('/__sandbox/sign', (request) => {
    const { payload, time, certificate, ...rest } = controlBody(request, signBody);
    const { doubtful, signers } = provider.certificates;
    const signer = certificate === undefined ? signers.at(-1) : doubtful[certificate];
    if (signer === undefined) throw new Error('nobody signs');
    return signatureHeaders({
      transmissionId: rest.transmissionId ?? randomUUID(),
      time: time === undefined ? new Date() : new Date(time),
      webhookId: rest.webhookId ?? provider.settings.webhookId,
      payload,
      key: signer.key,
      certificateUrl: rest.certificateUrl ?? certificateUrlOf(signer),
    });
  });
  app.post('/__sandbox/certificates/rotate', async () => {
    const { id } = await provider.certificates.rotate();
    return { id };
  });
  app.post('/__sandbox/tokens/end', () => {
    endTokens(provider);
    return { ok: true };
  });
}
