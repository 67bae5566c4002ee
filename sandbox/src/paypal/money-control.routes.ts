import type { FastifyInstance } from 'fastify';
import { registerBalanceControl } from '../platform/balance-control.routes.ts';
import { registerDisputeControl } from '../platform/money-control.routes.ts';
import { controlBody, idOf } from '../platform/requests.ts';
import { atLeast, object, oneOf, optional, text } from '../platform/shape.ts';
import { captureOrder, getCapture, settleCapture } from './captures.ts';
import { disputeStages, moveDispute, openDispute } from './disputes.ts';
import { captureObject } from './objects.ts';
import { approveOrder, wireOrder } from './orders.ts';
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
const settleBody = object({ status: oneOf(['succeeded', 'failed']) });
const refundBody = object({ amount: optional(atLeast(1)) });

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

  app.post('/__sandbox/refunds/:id/settle', (request) => {
    const { status } = controlBody(request, settleBody);
    const id = idOf(request);
    return refundRecord(provider.db.transaction(() => settleRefund(provider, { id, status })));
  });
  app.post('/__sandbox/charges/:id/refund', (request) => {
    const { amount = null } = controlBody(request, refundBody);
    const nobodys = { amount, customId: null, invoiceId: null, note: null };
    const made = provider.db.transaction(() =>
      createRefund(provider, getCapture(provider, idOf(request)), nobodys),
    );
    return refundRecord(made);
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
