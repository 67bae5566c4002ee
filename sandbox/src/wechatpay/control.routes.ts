import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { registerBalanceControl } from '../platform/balance-control.routes.ts';
import { registerCommonControl } from '../platform/control.routes.ts';
import { billPlanReader, noBillPlan } from '../platform/daily-bills.ts';
import { balances } from '../platform/flows.ts';
import { registerPayControl } from '../platform/money-control.routes.ts';
import { allRecords } from '../platform/records.ts';
import { controlBody, explainMalformedCalls, idOf } from '../platform/requests.ts';
import { atLeast, object, oneOf, optional } from '../platform/shape.ts';
import { registerScheduledWebhooks } from '../platform/webhook-control.routes.ts';
import { registerAuditRoutes } from './audit.routes.ts';
import { WechatFailure } from './failure.ts';
import { chargeFee, payOut, returnPayout } from './flows.ts';
import { checkJsapi, jsapiReader } from './jsapi.ts';
import { auditedOrder, auditedRefund } from './objects.ts';
import { overview } from './overview.ts';
import { findCharge, findChargeOfOrder, payOrder } from './paying.ts';
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
import { createRefund, settleRefund } from './refunds.ts';

/** The control API, with which tests and people read the records and plan faults. */
export function registerControlRoutes(app: FastifyInstance, provider: Provider): void {
  explainMalformedCalls(app, (error) => (error instanceof WechatFailure ? error : undefined));
  registerAuditRoutes(app, provider);
  registerPlanRoutes(app, provider);
  registerPayers(app, provider);
  registerRefundControl(app, provider);

  registerCommonControl(app, provider, {
    service: 'wechatpay',
    ...{ faultReader, webhookPlanReader, settlementPlanReader },
    overview: () => overview(provider),
    records: (limit) => allRecords(provider.db, recordKinds, limit),
    reset: () => {
      provider.keyPlan = noKeyPlan;
      provider.billPlan = noBillPlan;
      provider.settings.retrySeconds = providersRetrySeconds;
    },
  });
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
    pay: (outTradeNo, { isLate, amount, currency }) => {
      const override = { amount, currency: currency?.toUpperCase() };
      const paid = payOrder(provider, { outTradeNo, isLate, override });
      return paid.outcome === 'not_found' ? paid : { outcome: paid.outcome, row: paid.order };
    },
    wire: auditedOrder,
    chargeOf: (outTradeNo) => findChargeOfOrder(provider, outTradeNo)?.id ?? null,
  });
  /** Pays as the bridge would, but without a browser; answers the result for the page. */
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
        // In the number format of the merchant platform.
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
