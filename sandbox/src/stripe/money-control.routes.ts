import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refundPlanReader } from '../platform/refund-plan.ts';
import { controlBody } from '../platform/requests.ts';
import { atLeast, name, object, oneOf, optional } from '../platform/shape.ts';
import { disputeStages, moveDispute, openDispute, wireDispute } from './disputes.ts';
import { refundObject } from './objects.ts';
import { type Provider, reportPlanReader } from './provider.ts';
import { chargeToRefund } from './refund-params.ts';
import { createRefund, settleRefund } from './refunds.ts';
import { settlementPlanReader } from './settlement-plan.ts';

const idParams = object({ id: name });
const settleBody = object({ status: oneOf(['succeeded', 'failed']) });
const refundBody = object({ amount: optional(atLeast(1)) });
const disputeBody = object({
  paymentIntent: name,
  amount: optional(atLeast(1)),
  reason: optional(name),
  stage: oneOf(['warning', 'open']),
});
const stageBody = object({ stage: oneOf(disputeStages) });

/** What happens to money without the shop: at the bank, in the provider's dashboard, in its files. */
export function registerMoneyControlRoutes(app: FastifyInstance, provider: Provider): void {
  app.post('/__sandbox/refunds', (request) => {
    const plan = controlBody(request, refundPlanReader);
    provider.refundPlan.add({ ...plan, times: plan.times ?? 1 });
    return { plans: provider.refundPlan.list() };
  });
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

  app.post('/__sandbox/disputes', (request) => {
    const {
      paymentIntent,
      amount,
      reason = 'fraudulent',
      stage,
    } = controlBody(request, disputeBody);
    const opened = provider.db.transaction(() => {
      const charge = chargeToRefund(provider, paymentIntent);
      return openDispute(provider, { charge, amount: amount ?? charge.amount, reason, stage });
    });
    return wireDispute(provider, opened);
  });
  app.post('/__sandbox/disputes/:id', (request) => {
    const { stage } = controlBody(request, stageBody);
    const id = idOf(request);
    const moved = provider.db.transaction(() => moveDispute(provider, { id, stage }));
    return wireDispute(provider, moved);
  });

  app.post('/__sandbox/settlement', (request) => {
    provider.settlementPlan = controlBody(request, settlementPlanReader);
    return { plan: provider.settlementPlan };
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

function idOf(request: FastifyRequest): string {
  return idParams(request.params, 'params').id;
}
