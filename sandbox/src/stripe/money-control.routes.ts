import type { FastifyInstance } from 'fastify';
import { registerBalanceControl } from '../platform/balance-control.routes.ts';
import { registerDisputeControl, registerRefundControl } from '../platform/money-control.routes.ts';
import { controlBody, idOf } from '../platform/requests.ts';
import { atLeast, listOf, name, object, optional, text } from '../platform/shape.ts';
import { disputeStages, moveDispute, openDispute, wireDispute } from './disputes.ts';
import { refundObject } from './objects.ts';
import { paySession, paySessions } from './paying.ts';
import { wireSession } from './payments.ts';
import { balances, chargeFee, payOut, returnPayout } from './payouts.ts';
import { type Provider, reportPlanReader } from './provider.ts';
import { chargeToRefund } from './refund-params.ts';
import { createRefund, settleRefund } from './refunds.ts';

const payBody = object({ amount: optional(atLeast(1)), currency: optional(text) });
const payManyBody = object({ ids: listOf(name) });

/** Money movements without the shop: by the payer, at the bank, in the dashboard. */
export function registerMoneyControlRoutes(app: FastifyInstance, provider: Provider): void {
  registerPayers(app, provider);
  registerRefundControl(app, provider.db, {
    statuses: ['succeeded', 'failed'],
    settle: (settled) => refundObject(settleRefund(provider, settled)),
    refund: ({ id, amount = null }) => {
      const made = createRefund(provider, {
        charge: chargeToRefund(provider, id),
        amount,
        reason: 'requested_by_customer',
        metadata: {},
        asker: null,
      });
      return refundObject(made);
    },
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

function registerPayers(app: FastifyInstance, provider: Provider): void {
  app.post('/__sandbox/sessions/:id/pay', (request, reply) => {
    const id = idOf(request);
    const { amount, currency } = controlBody(request, payBody);
    const override = { amount, currency: currency?.toLowerCase() };
    const result = paySession(provider, { id, override });
    if (result.outcome === 'not_found') return reply.code(404).send({ error: 'not_found' });
    if (result.outcome === 'expired') return reply.code(409).send({ error: 'session_expired' });
    return reply.send({
      outcome: result.outcome,
      session: wireSession(provider, result.session, new Set(['payment_intent'])),
    });
  });
  app.post('/__sandbox/sessions/pay', (request) => {
    const { ids } = controlBody(request, payManyBody);
    const outcomes = paySessions(provider, ids).map((result, index) => ({
      id: ids[index],
      outcome: result.outcome,
      paymentIntent: 'session' in result ? result.session.payment_intent : null,
    }));
    return { sessions: outcomes };
  });
}
