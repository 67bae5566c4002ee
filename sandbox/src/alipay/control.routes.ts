import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { registerAudit } from '../platform/audit.routes.ts';
import { registerCommonControl } from '../platform/control.routes.ts';
import { refundPlanReader } from '../platform/refund-plan.ts';
import { controlBody, explainMalformedCalls } from '../platform/requests.ts';
import { atLeast, flag, listOf, name, object, oneOf, optional, text } from '../platform/shape.ts';
import { releaseHeldSends } from '../platform/webhook-plan.ts';
import { AlipayFailure } from './failure.ts';
import { contentIn, fieldsOf, verifyRequest } from './gateway-request.ts';
import { auditedOrder, auditedRefund } from './objects.ts';
import { readOrder } from './order-params.ts';
import { closeDueTrades, findByCode, findOrder, placeOrder } from './orders.ts';
import { overview } from './overview.ts';
import { findCharge, payOrder } from './paying.ts';
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
import { allRecords, recordKinds } from './records.ts';
import { findRefundById, refundByHand, settleRefund } from './refunds.ts';

const idParams = object({ id: name });
const webhooksBody = object({
  url: optional(text),
  /** Instead of the provider's own schedule. */
  retrySeconds: optional(listOf(atLeast(0))),
  plan: optional(webhookPlanReader),
});
const payFields = {
  amount: optional(atLeast(1)),
  /** Although the time is over. */
  late: optional(flag),
};

/** What tests and people use to look behind the provider and to make it misbehave. */
export function registerControlRoutes(app: FastifyInstance, provider: Provider): void {
  explainMalformedCalls(app, (error) =>
    error instanceof AlipayFailure ? { status: 400, body: error.content } : undefined,
  );
  registerAudit(app, provider.db, {
    kinds: recordKinds,
    charges: recordKinds.charges,
    refunds: recordKinds.refunds,
    disputes: 'none',
    before: () => closeDueTrades(provider),
  });
  registerCommonControl(app, provider, {
    service: 'alipay',
    faultReader,
    overview: () => overview(provider),
    records: (limit) => allRecords(provider, limit),
    before: () => closeDueTrades(provider),
    reset: () => {
      provider.plan = noPlan;
      provider.refundPlan.clear();
      provider.settlementPlan = noSettlementPlan;
      provider.keyPlan = noKeyPlan;
      provider.billPlan = noBillPlan;
      provider.settings.retrySeconds = providersRetrySeconds;
    },
  });
  registerPlanRoutes(app, provider);
  registerPayControl(app, provider);
  registerRefundControl(app, provider);
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
    const { amount, late } = controlBody(request, object(payFields));
    return paid(provider, reply, { outTradeNo: idOf(request), amount, isLate: late ?? false });
  });
  app.post('/__sandbox/sessions/pay', (request) => {
    const { ids } = controlBody(request, object({ ids: listOf(name) }));
    const outcomes = provider.db.transaction(() =>
      ids.map((id) => {
        const { outcome } = payOrder(provider, { outTradeNo: id });
        return { id, outcome, paymentIntent: tradeNoOf(provider, id) };
      }),
    );
    return { sessions: outcomes };
  });
  /** As a payer would who follows the address or scans the code, without a browser. */
  app.post('/__sandbox/pay', (request, reply) => {
    const body = object({ url: optional(text), code: optional(text), ...payFields });
    const { url = '', code = '', amount, late } = controlBody(request, body);
    const outTradeNo =
      url === '' ? findByCode(provider, code)?.out_trade_no : opened(provider, url);
    return paid(provider, reply, { outTradeNo: outTradeNo ?? '', amount, isLate: late ?? false });
  });
}

/** The order that a signed address asks for, as if its page had been opened. */
function opened(provider: Provider, url: string): string {
  const fields = fieldsOf(url, '');
  verifyRequest(provider, fields);
  const scene = fields.method === 'alipay.trade.wap.pay' ? 'wap' : 'page';
  const asked = readOrder(provider, { scene, content: contentIn(fields), fields });
  const earlier = findOrder(provider, asked.outTradeNo);
  if (earlier !== undefined) return earlier.out_trade_no;
  return provider.db.transaction(() => placeOrder(provider, asked)).out_trade_no;
}

function paid(
  provider: Provider,
  reply: FastifyReply,
  input: Parameters<typeof payOrder>[1],
): FastifyReply {
  const result = payOrder(provider, input);
  if (result.outcome === 'not_found') return reply.code(404).send({ error: 'not_found' });
  if (result.outcome === 'expired' || result.outcome === 'closed') {
    return reply.code(409).send({ error: result.outcome });
  }
  const { outcome, order } = result;
  return reply.send({
    outcome,
    session: { ...auditedOrder(order), payment_intent: { id: order.trade_no } },
  });
}

function registerRefundControl(app: FastifyInstance, provider: Provider): void {
  app.post('/__sandbox/refunds', (request) => {
    const plan = controlBody(request, refundPlanReader);
    provider.refundPlan.add({ ...plan, times: plan.times ?? 1 });
    return { plans: provider.refundPlan.list() };
  });
  app.post('/__sandbox/refunds/:id/settle', (request, reply) => {
    const body = object({ status: oneOf(['succeeded', 'failed']) });
    const { status } = controlBody(request, body);
    const refund = findRefundById(provider, idOf(request));
    if (refund === undefined) return reply.code(404).send({ error: 'not_found' });
    const settled = provider.db.transaction(() =>
      settleRefund(provider, {
        chargeId: refund.charge,
        id: refund.id,
        status: status === 'succeeded' ? 'SUCCESS' : 'FAILED',
      }),
    );
    return reply.send(auditedRefund(settled));
  });
  app.post('/__sandbox/charges/:id/refund', (request, reply) => {
    const { amount } = controlBody(request, object({ amount: optional(atLeast(1)) }));
    const charge = findCharge(provider, idOf(request));
    if (charge === undefined) return reply.code(404).send({ error: 'not_found' });
    const made = provider.db.transaction(() => refundByHand(provider, { charge, amount }));
    return reply.send(auditedRefund(made));
  });
}

function tradeNoOf(provider: Provider, outTradeNo: string): string | null {
  const order = findOrder(provider, outTradeNo);
  return order?.state === 'TRADE_SUCCESS' ? order.trade_no : null;
}

function idOf(request: FastifyRequest): string {
  return idParams(request.params, 'params').id;
}
