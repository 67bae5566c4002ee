import type { FastifyInstance } from 'fastify';
import { registerBalanceControl } from '../platform/balance-control.routes.ts';
import { balances } from '../platform/flows.ts';
import {
  type PayOutcome,
  payFields,
  registerPayControl,
  registerRefundControl,
  sendPaid,
} from '../platform/money-control.routes.ts';
import { controlBody } from '../platform/requests.ts';
import { object, optional, ShapeError, text } from '../platform/shape.ts';
import { contentIn, fieldsOf, verifyRequest } from './authorization.ts';
import { findCharge, payOrder } from './paying.ts';
import { readOrder } from './payment-params.ts';
import { findByCode, findOrder, placeOrder } from './payments.ts';
import { chargeFee, payOut, returnPayout } from './payouts.ts';
import type { Provider } from './provider.ts';
import { auditedOrder, auditedRefund } from './records.ts';
import { findRefundById, refundByHand, settleRefund } from './refunds.ts';
import type { OrderRow } from './rows.ts';

/** Money movements without the shop: by the payer, at the bank, in the dashboard. */
export function registerMoneyControlRoutes(app: FastifyInstance, provider: Provider): void {
  registerPayers(app, provider);
  registerRefundControl(app, provider.db, {
    statuses: ['succeeded', 'failed'],
    settle: ({ id, status }) => {
      const refund = findRefundById(provider, id);
      if (refund === undefined) return undefined;
      const settled = settleRefund(provider, {
        chargeId: refund.charge,
        id: refund.id,
        status: status === 'succeeded' ? 'SUCCESS' : 'FAILED',
      });
      return auditedRefund(settled);
    },
    refund: ({ id, amount }) => {
      const charge = findCharge(provider, id);
      if (charge === undefined) return undefined;
      return auditedRefund(refundByHand(provider, { charge, amount }));
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

function tradeNoOf(provider: Provider, outTradeNo: string): string | null {
  const order = findOrder(provider, outTradeNo);
  return order?.state === 'TRADE_SUCCESS' ? order.trade_no : null;
}
