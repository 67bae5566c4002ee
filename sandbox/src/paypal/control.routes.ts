import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { registerCommonControl } from '../platform/control.routes.ts';
import { controlBody, explainMalformedCalls } from '../platform/requests.ts';
import { name, object, oneOf, optional, text } from '../platform/shape.ts';
import { registerSubscribedWebhooks } from '../platform/webhook-control.routes.ts';
import { registerAuditRoutes } from './audit.routes.ts';
import { endTokens } from './authorization.ts';
import { apiHost, certificateUrlOf, doubtfulKinds } from './certificates.ts';
import { PaypalFailure } from './failure.ts';
import { registerMoneyControlRoutes } from './money-control.routes.ts';
import { overview } from './overview.ts';
import { endDueOrders } from './payments.ts';
import { faultReader, noReportPlan, type Provider, webhookPlanReader } from './provider.ts';
import { allPaypalRecords } from './records.ts';
import { settlementPlanReader } from './settlement-plan.ts';
import { signatureHeaders } from './signature.ts';

/** Signs any message, so that a test can forge everything except the signature. */
const signBody = object({
  payload: text,
  transmissionId: optional(name),
  time: optional(name),
  webhookId: optional(name),
  certificate: optional(oneOf(doubtfulKinds)),
  certificateUrl: optional(text),
});

/** The control API, with which tests and people read the records and plan faults. */
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
    // The address and host name of the TLS API, and the root certificate that it chains to.
    health: () => ({ api: { host: apiHost, port: apiPort(), root: provider.certificates.root } }),
    faultReader,
    webhookPlanReader,
    settlementPlanReader,
    overview: () => overview(provider),
    records: (limit) => allPaypalRecords(provider, limit),
    before: () => endDueOrders(provider),
    reset: () => {
      provider.reportPlan = noReportPlan;
    },
  });

  registerSubscribedWebhooks(app, provider, webhookPlanReader);

  app.post('/__sandbox/sign', (request) => {
    const { payload, time, certificate, ...rest } = controlBody(request, signBody);
    const { doubtful, signers } = provider.certificates;
    const signer = certificate === undefined ? signers.at(-1) : doubtful[certificate];
    if (signer === undefined) throw new Error('there is no webhook signer');
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
