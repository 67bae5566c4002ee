import type { FastifyInstance } from 'fastify';
import { registerBalanceControl } from '../platform/balance-control.routes.ts';
import { registerDisputeControl, registerRefundControl } from '../platform/money-control.routes.ts';
import { controlBody, idOf } from '../platform/requests.ts';
import { atLeast, object, oneOf, optional, text } from '../platform/shape.ts';
import { captureOrder, getCapture, settleCapture } from './captures.ts';
import { disputeStages, moveDispute, openDispute } from './disputes.ts';
import { captureObject } from './objects.ts';
import { approveOrder, wireOrder } from './payments.ts';
import { balances, chargeFee, payOut, returnPayout } from './payouts.ts';
import { type Provider, reportPlanReader } from './provider.ts';
import { disputeRecord, refundRecord } from './records.ts';
import { createRefund, settleRefund } from './refunds.ts';

const approveBody = object({
  instrument: optional(oneOf(['good', 'declined', 'pending'])),
  amount: optional(atLeast(1)),
  currency: optional(text),
});
const captureBody = object({ status: oneOf(['COMPLETED', 'DECLINED']) });

/** Money movements without the shop: by the payer, at the bank, in the dashboard. */
export function registerMoneyControlRoutes(app: FastifyInstance, provider: Provider): void {
  app.post('/__sandbox/orders/:id/approve', (request, reply) => {
    const { instrument = 'good', amount, currency } = controlBody(request, approveBody);
    const taken = { amount: amount ?? null, currency: currency?.toUpperCase() ?? null };
    const order = approveOrder(provider, { id: idOf(request), instrument, taken });
    if (order === undefined) return reply.code(404).send({ error: 'not_found' });
    return reply.send(wireOrder(provider, order, true));
  });
  app.post('/__sandbox/orders/:id/capture', (request) =>
    captureObject(provider.db.transaction(() => captureOrder(provider, idOf(request)))),
  );
  app.post('/__sandbox/captures/:id/settle', (request) => {
    const { status } = controlBody(request, captureBody);
    const id = idOf(request);
    return captureObject(provider.db.transaction(() => settleCapture(provider, { id, status })));
  });

  registerRefundControl(app, provider.db, {
    statuses: ['succeeded', 'failed'],
    settle: (settled) => refundRecord(settleRefund(provider, settled)),
    refund: ({ id, amount = null }) => {
      const nobodys = { amount, customId: null, invoiceId: null, note: null };
      return refundRecord(createRefund(provider, getCapture(provider, id), nobodys));
    },
  });

  registerDisputeControl(app, provider.db, {
    stages: disputeStages,
    usualReason: 'UNAUTHORISED',
    chargeAt: (id) => getCapture(provider, id),
    open: ({ charge: capture, ...dispute }) => openDispute(provider, { capture, ...dispute }),
    move: (input) => moveDispute(provider, input),
    wire: disputeRecord,
  });

  registerBalanceControl(app, provider.db, {
    balances: () => balances(provider),
    payOut: (payout) => payOut(provider, payout),
    returnPayout: (id) => returnPayout(provider, id),
    charge: (fee) => chargeFee(provider, fee),
  });

  app.post('/__sandbox/reports', (request) => {
    provider.reportPlan = controlBody(request, reportPlanReader);
    return { plan: provider.reportPlan };
  });
}
