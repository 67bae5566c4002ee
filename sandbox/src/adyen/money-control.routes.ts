import type { FastifyInstance, FastifyRequest } from 'fastify';
import { refundPlanReader } from '../platform/refund-plan.ts';
import { controlBody } from '../platform/requests.ts';
import { atLeast, flag, listOf, name, object, oneOf, optional, text } from '../platform/shape.ts';
import { disputeStages, moveDispute, openDispute } from './disputes.ts';
import { recordEvent } from './events.ts';
import { invalid } from './failure.ts';
import { newPspReference } from './ids.ts';
import { findCharge, findChargeOfSession, paySession, refuseSession } from './paying.ts';
import type { Provider } from './provider.ts';
import { auditedDispute, auditedRefund, auditedSession } from './records.ts';
import { createRefund, settleRefund } from './refunds.ts';
import type { ChargeRow } from './rows.ts';

const idParams = object({ id: name });
const payBody = object({
  amount: optional(atLeast(1)),
  currency: optional(text),
  /** By a payer who had gone to the bank in time. */
  late: optional(flag),
});
const disputeBody = object({
  paymentIntent: name,
  amount: optional(atLeast(1)),
  reason: optional(name),
  stage: oneOf(['warning', 'open']),
});

/** What happens to money without the shop: at the payer's, at the bank, in the Customer Area. */
export function registerMoneyControlRoutes(app: FastifyInstance, provider: Provider): void {
  registerPayControl(app, provider);
  registerRefundControl(app, provider);

  app.post('/__sandbox/disputes', (request) => {
    const { paymentIntent, amount, reason, stage } = controlBody(request, disputeBody);
    return auditedDispute(
      provider.db.transaction(() => {
        const charge = chargeAt(provider, paymentIntent);
        return openDispute(provider, {
          ...{ charge, stage, amount: amount ?? charge.amount },
          reason: reason ?? 'Other Fraud-Card Absent Environment',
        });
      }),
    );
  });
  app.post('/__sandbox/disputes/:id', (request) => {
    const { stage } = controlBody(request, object({ stage: oneOf(disputeStages) }));
    const id = idOf(request);
    return auditedDispute(provider.db.transaction(() => moveDispute(provider, { id, stage })));
  });
  /** What happens to a capture on its way: the scheme refuses it, or somebody cancels the payment. */
  app.post('/__sandbox/charges/:id/events', (request) => {
    const codes = ['CAPTURE_FAILED', 'CANCELLATION'] as const;
    const { type } = controlBody(request, object({ type: oneOf(codes) }));
    provider.db.transaction(() => {
      const { id, capture, reference, amount, currency } = chargeAt(provider, idOf(request));
      const pspReference = type === 'CAPTURE_FAILED' ? capture : newPspReference();
      const about = { originalReference: id, merchantReference: reference, amount, currency };
      recordEvent(provider, { type, pspReference, ...about });
    });
    return { ok: true };
  });
}

function registerPayControl(app: FastifyInstance, provider: Provider): void {
  app.post('/__sandbox/sessions/:id/pay', (request, reply) => {
    const { amount, currency, late = false } = controlBody(request, payBody);
    const result = paySession(provider, {
      id: idOf(request),
      isLate: late,
      override: { amount, currency: currency?.toUpperCase() },
    });
    if (result.outcome === 'not_found') return reply.code(404).send({ error: 'not_found' });
    const { outcome, session } = result;
    if (outcome === 'expired' || outcome === 'closed') {
      return reply.code(409).send({ error: outcome });
    }
    const id = findChargeOfSession(provider, session.id)?.id ?? null;
    return reply.send({ outcome, session: { ...auditedSession(session), payment_intent: { id } } });
  });
  app.post('/__sandbox/sessions/pay', (request) => {
    const { ids } = controlBody(request, object({ ids: listOf(name) }));
    const sessions = provider.db.transaction(() =>
      ids.map((id) => {
        const { outcome } = paySession(provider, { id });
        return { id, outcome, paymentIntent: findChargeOfSession(provider, id)?.id ?? null };
      }),
    );
    return { sessions };
  });
  app.post('/__sandbox/sessions/:id/decline', (request, reply) => {
    const session = refuseSession(provider, idOf(request));
    if (session === undefined) return reply.code(404).send({ error: 'not_found' });
    return reply.send(auditedSession(session));
  });
}

function registerRefundControl(app: FastifyInstance, provider: Provider): void {
  app.post('/__sandbox/refunds', (request) => {
    const plan = controlBody(request, refundPlanReader);
    provider.refundPlan.add({ ...plan, times: plan.times ?? 1 });
    return { plans: provider.refundPlan.list() };
  });
  app.post('/__sandbox/refunds/:id/settle', (request) => {
    const { status } = controlBody(request, object({ status: oneOf(['succeeded', 'failed']) }));
    const id = idOf(request);
    return auditedRefund(provider.db.transaction(() => settleRefund(provider, { id, status })));
  });
  app.post('/__sandbox/charges/:id/refund', (request) => {
    const { amount } = controlBody(request, object({ amount: optional(atLeast(1)) }));
    return auditedRefund(
      provider.db.transaction(() => {
        const charge = chargeAt(provider, idOf(request));
        return createRefund(provider, {
          ...{ charge, currency: charge.currency, reference: null, reason: null },
          amount: amount ?? charge.amount - charge.amount_refunded,
        });
      }),
    );
  });
}

function chargeAt(provider: Provider, id: string): ChargeRow {
  const charge = findCharge(provider, id);
  if (charge === undefined) throw invalid('167', `there is no payment ${id}`);
  return charge;
}

function idOf(request: FastifyRequest): string {
  return idParams(request.params, 'params').id;
}
