import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { registerBalanceControl } from '../platform/balance-control.routes.ts';
import { balances } from '../platform/flows.ts';
import { registerPayControl, registerRefundControl } from '../platform/money-control.routes.ts';
import { controlBody } from '../platform/requests.ts';
import { object, oneOf, optional } from '../platform/shape.ts';
import { checkJsapi, jsapiReader } from './jsapi.ts';
import { findCharge, findChargeOfOrder, payOrder } from './paying.ts';
import { chargeFee, payOut, returnPayout } from './payouts.ts';
import type { Provider } from './provider.ts';
import { auditedOrder, auditedRefund } from './records.ts';
import { createRefund, settleRefund } from './refunds.ts';

const settledStatuses = { succeeded: 'SUCCESS', failed: 'ABNORMAL', closed: 'CLOSED' } as const;

/** Money movements without the shop: by the payer, at the bank, in the dashboard. */
export function registerMoneyControlRoutes(app: FastifyInstance, provider: Provider): void {
  registerPayers(app, provider);
  registerRefundControl(app, provider.db, {
    statuses: ['succeeded', 'failed', 'closed'],
    settle: ({ id, status }) =>
      auditedRefund(settleRefund(provider, { outRefundNo: id, status: settledStatuses[status] })),
    refund: ({ id, amount }) => {
      const charge = findCharge(provider, id);
      if (charge === undefined) return undefined;
      const made = createRefund(provider, {
        charge,
        // In the number format of the merchant platform.
        outRefundNo: `WXD${randomUUID().replaceAll('-', '').slice(0, 20)}`,
        asked: null,
        amount: amount ?? charge.amount - charge.amount_refunded,
        reason: null,
        notifyUrl: null,
      });
      return auditedRefund(made);
    },
  });
  registerBalanceControl(app, provider.db, {
    balances: () => balances(provider),
    payOut: (payout) => payOut(provider, payout),
    returnPayout: (id) => returnPayout(provider, id),
    charge: (fee) => chargeFee(provider, fee),
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
