import type { FastifyInstance } from 'fastify';
import { registerBalanceControl } from '../platform/balance-control.routes.ts';
import { registerDisputeControl } from '../platform/money-control.routes.ts';
import { controlBody, idOf } from '../platform/requests.ts';
import { atLeast, object, oneOf, optional } from '../platform/shape.ts';
import { disputeStages, moveDispute, openDispute, wireDispute } from './disputes.ts';
import { refundObject } from './objects.ts';
import { balances, chargeFee, payOut, returnPayout } from './payouts.ts';
import { type Provider, reportPlanReader } from './provider.ts';
import { chargeToRefund } from './refund-params.ts';
import { createRefund, settleRefund } from './refunds.ts';

const settleBody = object({ status: oneOf(['succeeded', 'failed']) });
const refundBody = object({ amount: optional(atLeast(1)) });

/** Money movements without the shop: at the bank, in the dashboard, and in settlement files. */
export function registerMoneyControlRoutes(app: FastifyInstance, provider: Provider): void {
  app.post('/__sandbox/refunds/:id/settle', (request) => {
    const { status } = controlBody(request, settleBody);
    const id = idOf(request);
    return refundObject(provider.db.transaction(() => settleRefund(provider, { id, status })));
  });
  app.post('/__sandbox/charges/:id/refund', (request) => {
    const { amount = null } = controlBody(request, refundBody);
    const made = provider.db.transaction(() =>
      createRefund(provider, {
        charge: chargeToRefund(provider, idOf(request)),
        amount,
        reason: 'requested_by_customer',
        metadata: {},
        asker: null,
      }),
    );
    return refundObject(made);
  });

  registerDisputeControl(app, provider.db, {
    stages: disputeStages,
    usualReason: 'fraudulent',
    chargeAt: (paymentIntent) => chargeToRefund(provider, paymentIntent),
    open: (dispute) => openDispute(provider, dispute),
    move: (input) => moveDispute(provider, input),
    wire: (row) => wireDispute(provider, row),
  });

  registerBalanceControl(app, provider.db, {
    balances: () => balances(provider),
    payOut: (payout) => payOut(provider, payout),
    returnPayout: (id) => returnPayout(provider, id),
    charge: (fee) => chargeFee(provider, fee),
  });

  app.post('/__sandbox/reports', (request) => {
    const { outcome, availableUntil } = controlBody(request, reportPlanReader);
    const before = provider.reportPlan;
    provider.reportPlan = {
      outcome: outcome ?? before.outcome,
      availableUntil: availableUntil === undefined ? before.availableUntil : availableUntil,
    };
    return { plan: provider.reportPlan };
  });
}
