import type { FastifyInstance } from 'fastify';
import { registerAudit } from '../platform/audit.routes.ts';
import { registerBalanceControl } from '../platform/balance-control.routes.ts';
import { registerCommonControl } from '../platform/control.routes.ts';
import { billPlanReader, noBillPlan } from '../platform/daily-bills.ts';
import { balances } from '../platform/flows.ts';
import {
  type PayOutcome,
  payFields,
  registerPayControl,
  sendPaid,
} from '../platform/money-control.routes.ts';
import { allRecords } from '../platform/records.ts';
import { controlBody, explainMalformedCalls, idOf } from '../platform/requests.ts';
import { atLeast, object, oneOf, optional, ShapeError, text } from '../platform/shape.ts';
import { registerScheduledWebhooks } from '../platform/webhook-control.routes.ts';
import { AlipayFailure } from './failure.ts';
import { chargeFee, payOut, returnPayout } from './flows.ts';
import { contentIn, fieldsOf, verifyRequest } from './gateway-request.ts';
import { auditedOrder, auditedRefund } from './objects.ts';
import { readOrder } from './order-params.ts';
import { closeDueTrades, findByCode, findOrder, placeOrder } from './orders.ts';
import { overview } from './overview.ts';
import { findCharge, payOrder } from './paying.ts';
import {
  faultReader,
  keyPlanReader,
  noKeyPlan,
  type Provider,
  providersRetrySeconds,
  settlementPlanReader,
  webhookPlanReader,
} from './provider.ts';
import { recordKinds } from './records.ts';
import { findRefundById, refundByHand, settleRefund } from './refunds.ts';
import type { OrderRow } from './rows.ts';

/** The control API, with which tests and people read the records and plan faults. */
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
    ...{ faultReader, webhookPlanReader, settlementPlanReader },
    overview: () => overview(provider),
    records: (limit) => allRecords(provider.db, recordKinds, limit),
    before: () => closeDueTrades(provider),
    reset: () => {
      provider.keyPlan = noKeyPlan;
      provider.billPlan = noBillPlan;
      provider.settings.retrySeconds = providersRetrySeconds;
    },
  });
  registerPlanRoutes(app, provider);
  registerPayers(app, provider);
  registerRefundControl(app, provider);
}

function registerPlanRoutes(app: FastifyInstance, provider: Provider): void {
  registerScheduledWebhooks(app, provider, webhookPlanReader);
  app.post('/__sandbox/keys', (request) => {
    provider.keyPlan = controlBody(request, keyPlanReader);
    return { plan: provider.keyPlan };
  });
  registerBalanceControl(app, provider.db, {
    balances: () => balances(provider),
    payOut: (payout) => payOut(provider, payout),
    returnPayout: (id) => returnPayout(provider, id),
    charge: (fee) => chargeFee(provider, fee),
  });
  app.post('/__sandbox/bills', (request) => {
    provider.billPlan = controlBody(request, billPlanReader);
    return { plan: provider.billPlan };
  });
}

function registerPayers(app: FastifyInstance, provider: Provider): void {
  registerPayControl(app, provider.db, {
    pay: (outTradeNo, how) => pay(provider, { outTradeNo, ...how }),
    wire: auditedOrder,
    chargeOf: (outTradeNo) => tradeNoOf(provider, outTradeNo),
  });
  /** Pays as a payer would after opening the URL or scanning the code, without a browser. */
  app.post('/__sandbox/pay', (request, reply) => {
    const body = object({ url: optional(text), code: optional(text), ...payFields });
    const { url = '', code = '', late: isLate = false, ...how } = controlBody(request, body);
    const order = url === '' ? findByCode(provider, code) : opened(provider, url);
    const result = pay(provider, { outTradeNo: order?.out_trade_no ?? '', isLate, ...how });
    return sendPaid(reply, result, (row) => ({
      ...auditedOrder(row),
      payment_intent: { id: row.trade_no },
    }));
  });
}

/** Opens the order of a signed URL, as if the payer had opened its page. */
function opened(provider: Provider, url: string): OrderRow {
  const fields = fieldsOf(url, '');
  verifyRequest(provider, fields);
  const scene = fields.method === 'alipay.trade.wap.pay' ? 'wap' : 'page';
  const asked = readOrder(provider, { scene, content: contentIn(fields), fields });
  const earlier = findOrder(provider, asked.outTradeNo);
  return earlier ?? provider.db.transaction(() => placeOrder(provider, asked));
}

function pay(
  provider: Provider,
  input: {
    outTradeNo: string;
    isLate: boolean;
    amount: number | undefined;
    currency: string | undefined;
  },
): PayOutcome<OrderRow> {
  const { currency, ...how } = input;
  if (currency !== undefined) throw new ShapeError('there is no money but yuan');
  const paid = payOrder(provider, how);
  return paid.outcome === 'not_found' ? paid : { outcome: paid.outcome, row: paid.order };
}

function registerRefundControl(app: FastifyInstance, provider: Provider): void {
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
