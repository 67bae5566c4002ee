import type { FastifyInstance } from 'fastify';
import { registerBalanceControl } from '../platform/balance-control.routes.ts';
import {
  registerDisputeControl,
  registerPayControl,
  registerRefundControl,
} from '../platform/money-control.routes.ts';
import { controlBody, idOf } from '../platform/requests.ts';
import { object, oneOf } from '../platform/shape.ts';
import { disputeStages, moveDispute, openDispute } from './disputes.ts';
import { recordEvent } from './events.ts';
import { invalid } from './failure.ts';
import { newPspReference } from './ids.ts';
import { findCharge, findChargeOfSession, paySession, refuseSession } from './paying.ts';
import { balances, chargeFee, payOut, returnPayout } from './payouts.ts';
import type { Provider } from './provider.ts';
import { auditedDispute, auditedRefund, auditedSession } from './records.ts';
import { createRefund, settleRefund } from './refunds.ts';
import type { ChargeRow } from './rows.ts';

/** Money movements without the shop: by the payer, at the bank, in the Customer Area. */
export function registerMoneyControlRoutes(app: FastifyInstance, provider: Provider): void {
  registerPayControl(app, provider.db, {
    pay: (id, { isLate, amount, currency }) => {
      const override = { amount, currency: currency?.toUpperCase() };
      const paid = paySession(provider, { id, isLate, override });
      return paid.outcome === 'not_found' ? paid : { outcome: paid.outcome, row: paid.session };
    },
    wire: auditedSession,
    chargeOf: (id) => findChargeOfSession(provider, id)?.id ?? null,
  });
  app.post('/__sandbox/sessions/:id/decline', (request, reply) => {
    const session = refuseSession(provider, idOf(request));
    if (session === undefined) return reply.code(404).send({ error: 'not_found' });
    return reply.send(auditedSession(session));
  });
  registerRefundControl(app, provider.db, {
    statuses: ['succeeded', 'failed'],
    settle: (settled) => auditedRefund(settleRefund(provider, settled)),
    refund: ({ id, amount }) => {
      const charge = chargeAt(provider, id);
      const made = createRefund(provider, {
        charge,
        amount: amount ?? charge.amount - charge.amount_refunded,
        currency: charge.currency,
        reference: null,
        reason: null,
      });
      return auditedRefund(made);
    },
  });
  registerDisputeControl(app, provider.db, {
    stages: disputeStages,
    usualReason: 'Other Fraud-Card Absent Environment',
    chargeAt: (id) => chargeAt(provider, id),
    open: (dispute) => openDispute(provider, dispute),
    move: (input) => moveDispute(provider, input),
    wire: auditedDispute,
  });
  registerBalanceControl(app, provider.db, {
    balances: () => balances(provider),
    payOut: (payout) => payOut(provider, payout),
    returnPayout: (id) => returnPayout(provider, id),
    charge: (fee) => chargeFee(provider, fee),
  });
  /** Fails a capture afterwards: the scheme rejects it, or the payment is cancelled. */
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

function chargeAt(provider: Provider, id: string): ChargeRow {
  const charge = findCharge(provider, id);
  if (charge === undefined) throw invalid('167', `there is no payment ${id}`);
  return charge;
}
