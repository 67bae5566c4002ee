import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { registerCommonControl } from '../platform/control.routes.ts';
import { refundPlanReader } from '../platform/refund-plan.ts';
import { controlBody, explainMalformedCalls } from '../platform/requests.ts';
import { atLeast, flag, listOf, name, object, oneOf, optional, text } from '../platform/shape.ts';
import { releaseHeldSends } from '../platform/webhook-plan.ts';
import { registerAuditRoutes } from './audit.routes.ts';
import { WechatFailure } from './failure.ts';
import { checkJsapi, jsapiReader } from './jsapi.ts';
import { auditedOrder, auditedRefund } from './objects.ts';
import { overview } from './overview.ts';
import { findCharge, findChargeOfOrder, payOrder } from './paying.ts';
import {
  billPlanReader,
  faultReader,
  keyPlanReader,
  noBillPlan,
  noKeyPlan,
  noPlan,
  noSettlementPlan,
  type Provider,
  providersRetrySeconds,
  settlementPlanReader,
  webhookPlanReader,
} from './provider.ts';
import { allRecords } from './records.ts';
import { createRefund, settleRefund } from './refunds.ts';

const idParams = object({ id: name });
const webhooksBody = object({
  url: optional(text),
  /** Instead of the provider's own schedule. */
  retrySeconds: optional(listOf(atLeast(0))),
  plan: optional(webhookPlanReader),
});
const payBody = object({
  amount: optional(atLeast(1)),
  currency: optional(text),
  /** By a payer who had come in time. */
  late: optional(flag),
});

/** What tests and people use to look behind the provider and to make it misbehave. */
export function registerControlRoutes(app: FastifyInstance, provider: Provider): void {
  explainMalformedCalls(app, (error) => (error instanceof WechatFailure ? error : undefined));
  registerAuditRoutes(app, provider);
  registerPlanRoutes(app, provider);
  registerPayControl(app, provider);
  registerRefundControl(app, provider);

  registerCommonControl(app, provider, {
    service: 'wechatpay',
    faultReader,
    overview: () => overview(provider),
    records: (limit) => allRecords(provider, limit),
    reset: () => {
      provider.plan = noPlan;
      provider.refundPlan.clear();
      provider.settlementPlan = noSettlementPlan;
      provider.keyPlan = noKeyPlan;
      provider.billPlan = noBillPlan;
      provider.settings.retrySeconds = providersRetrySeconds;
    },
  });
}

function registerPlanRoutes(app: FastifyInstance, provider: Provider): void {
  app.post('/__sandbox/webhooks', (request) => {
    const body = controlBody(request, webhooksBody);
    const { settings } = provider;
    if (body.url !== undefined) settings.webhookUrl = body.url === '' ? undefined : body.url;
    if (body.retrySeconds !== undefined) settings.retrySeconds = body.retrySeconds;
    if (body.plan !== undefined) provider.plan = body.plan;
    if (provider.plan.reorder !== true) releaseHeldSends(provider);
    return { url: settings.webhookUrl ?? null, plan: provider.plan };
  });
  app.post('/__sandbox/keys', (request) => {
    provider.keyPlan = controlBody(request, keyPlanReader);
    return { plan: provider.keyPlan };
  });
  app.post('/__sandbox/settlement', (request) => {
    provider.settlementPlan = controlBody(request, settlementPlanReader);
    return { plan: provider.settlementPlan };
  });
  app.post('/__sandbox/bills', (request) => {
    provider.billPlan = controlBody(request, billPlanReader);
    return { plan: provider.billPlan };
  });
}

function registerPayControl(app: FastifyInstance, provider: Provider): void {
  app.post('/__sandbox/sessions/:id/pay', (request, reply) => {
    const { amount, currency, late = false } = controlBody(request, payBody);
    const result = payOrder(provider, {
      outTradeNo: idOf(request),
      isLate: late,
      override: { amount, currency: currency?.toUpperCase() },
    });
    if (result.outcome === 'not_found') return reply.code(404).send({ error: 'not_found' });
    if (result.outcome === 'expired' || result.outcome === 'closed') {
      return reply.code(409).send({ error: result.outcome });
    }
    const { outcome, order } = result;
    const charge = findChargeOfOrder(provider, order.out_trade_no);
    return reply.send({
      outcome,
      session: { ...auditedOrder(order), payment_intent: { id: charge?.id ?? null } },
    });
  });
  app.post('/__sandbox/sessions/pay', (request) => {
    const { ids } = controlBody(request, object({ ids: listOf(name) }));
    const outcomes = provider.db.transaction(() =>
      ids.map((id) => {
        const { outcome } = payOrder(provider, { outTradeNo: id });
        return { id, outcome, paymentIntent: findChargeOfOrder(provider, id)?.id ?? null };
      }),
    );
    return { sessions: outcomes };
  });
  /** As the bridge would, without a browser: answers what the page is told. */
  app.post('/__sandbox/jsapi', (request) => {
    const body = object({ params: jsapiReader, outcome: optional(oneOf(['ok', 'cancel'])) });
    const { params, outcome = 'ok' } = controlBody(request, body);
    const told = (result: string) => ({ err_msg: `get_brand_wcpay_request:${result}` });
    const checked = checkJsapi(provider, params);
    if (checked.outcome !== 'ok') return { ...told('fail'), why: checked.outcome };
    if (outcome === 'cancel') return told('cancel');
    const paid = payOrder(provider, { outTradeNo: checked.order.out_trade_no });
    return told(paid.outcome === 'paid' || paid.outcome === 'already_paid' ? 'ok' : 'fail');
  });
}

function registerRefundControl(app: FastifyInstance, provider: Provider): void {
  app.post('/__sandbox/refunds', (request) => {
    const plan = controlBody(request, refundPlanReader);
    provider.refundPlan.add({ ...plan, times: plan.times ?? 1 });
    return { plans: provider.refundPlan.list() };
  });
  app.post('/__sandbox/refunds/:id/settle', (request) => {
    const body = object({ status: oneOf(['succeeded', 'failed', 'closed']) });
    const { status } = controlBody(request, body);
    const words = { succeeded: 'SUCCESS', failed: 'ABNORMAL', closed: 'CLOSED' } as const;
    const outRefundNo = idOf(request);
    return auditedRefund(
      provider.db.transaction(() => settleRefund(provider, { outRefundNo, status: words[status] })),
    );
  });
  app.post('/__sandbox/charges/:id/refund', (request, reply) => {
    const { amount } = controlBody(request, object({ amount: optional(atLeast(1)) }));
    const charge = findCharge(provider, idOf(request));
    if (charge === undefined) return reply.code(404).send({ error: 'not_found' });
    const made = provider.db.transaction(() =>
      createRefund(provider, {
        charge,
        // As the merchant's dashboard numbers them.
        outRefundNo: `WXD${randomUUID().replaceAll('-', '').slice(0, 20)}`,
        asked: null,
        amount: amount ?? charge.amount - charge.amount_refunded,
        reason: null,
        notifyUrl: null,
      }),
    );
    return reply.send(auditedRefund(made));
  });
}

function idOf(request: FastifyRequest): string {
  return idParams(request.params, 'params').id;
}
