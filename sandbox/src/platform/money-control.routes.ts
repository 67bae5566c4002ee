import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Database } from './database.ts';
import { controlBody, idOf } from './requests.ts';
import { atLeast, flag, listOf, name, object, oneOf, optional, text } from './shape.ts';

export type PayOutcome<Row> =
  | { outcome: 'paid' | 'already_paid' | 'expired' | 'closed'; row: Row }
  | { outcome: 'not_found' };

export const payFields = {
  amount: optional(atLeast(1)),
  currency: optional(text),
  /** Pays although the session or order has expired. */
  late: optional(flag),
};
const payBody = object(payFields);
const payManyBody = object({ ids: listOf(name) });

/** The payer without a browser: pays one or many, with the requested or another amount. */
export function registerPayControl<Row>(
  app: FastifyInstance,
  db: Database,
  input: {
    pay: (
      id: string,
      how: { isLate: boolean; amount: number | undefined; currency: string | undefined },
    ) => PayOutcome<Row>;
    wire: (row: Row) => object;
    /** The id of the charge, if there is one. */
    chargeOf: (id: string) => string | null;
  },
): void {
  const { pay, wire, chargeOf } = input;
  app.post('/__sandbox/sessions/:id/pay', (request, reply) => {
    const { amount, currency, late: isLate = false } = controlBody(request, payBody);
    const id = idOf(request);
    const result = pay(id, { isLate, amount, currency });
    return sendPaid(reply, result, (row) => ({
      ...wire(row),
      payment_intent: { id: chargeOf(id) },
    }));
  });
  app.post('/__sandbox/sessions/pay', (request) => {
    const { ids } = controlBody(request, payManyBody);
    const asAsked = { isLate: false, amount: undefined, currency: undefined };
    const sessions = db.transaction(() =>
      ids.map((id) => {
        const { outcome } = pay(id, asAsked);
        return { id, outcome, paymentIntent: chargeOf(id) };
      }),
    );
    return { sessions };
  });
}

export function sendPaid<Row>(
  reply: FastifyReply,
  result: PayOutcome<Row>,
  wire: (row: Row) => object,
): FastifyReply {
  if (result.outcome === 'not_found') return reply.code(404).send({ error: 'not_found' });
  const { outcome, row } = result;
  if (outcome === 'expired' || outcome === 'closed')
    return reply.code(409).send({ error: outcome });
  return reply.send({ outcome, session: wire(row) });
}

const disputeBody = object({
  paymentIntent: name,
  amount: optional(atLeast(1)),
  reason: optional(name),
  stage: oneOf(['warning', 'open']),
});

/** The payer's bank: opens disputes and decides them. */
export function registerDisputeControl<
  Charge extends { amount: number },
  Row,
  Stage extends string,
>(
  app: FastifyInstance,
  db: Database,
  input: {
    stages: readonly Stage[];
    usualReason: string;
    /** Throws the provider's error if there is none. */
    chargeAt: (id: string) => Charge;
    open: (dispute: {
      charge: Charge;
      amount: number;
      reason: string;
      stage: 'warning' | 'open';
    }) => Row;
    move: (input: { id: string; stage: Stage }) => Row;
    wire: (row: Row) => object;
  },
): void {
  const { usualReason, chargeAt, open, move, wire } = input;
  const stageBody = object({ stage: oneOf(input.stages) });
  app.post('/__sandbox/disputes', (request) => {
    const { paymentIntent, amount, reason, stage } = controlBody(request, disputeBody);
    const opened = db.transaction(() => {
      const charge = chargeAt(paymentIntent);
      const about = { amount: amount ?? charge.amount, reason: reason ?? usualReason };
      return open({ charge, stage, ...about });
    });
    return wire(opened);
  });
  app.post('/__sandbox/disputes/:id', (request) => {
    const { stage } = controlBody(request, stageBody);
    const id = idOf(request);
    return wire(db.transaction(() => move({ id, stage })));
  });
}

/** Settles refunds, as the bank does, and makes refunds without the shop, as the dashboard does. */
export function registerRefundControl<Status extends string>(
  app: FastifyInstance,
  db: Database,
  input: {
    statuses: readonly Status[];
    /** Answers the settled refund; `undefined` if there is none. */
    settle: (refund: { id: string; status: Status }) => object | undefined;
    /** Answers the new refund; `undefined` if there is no such charge. */
    refund: (charge: { id: string; amount: number | undefined }) => object | undefined;
  },
): void {
  const { statuses, settle, refund } = input;
  const settleBody = object({ status: oneOf(statuses) });
  const refundBody = object({ amount: optional(atLeast(1)) });
  app.post('/__sandbox/refunds/:id/settle', (request, reply) => {
    const { status } = controlBody(request, settleBody);
    const id = idOf(request);
    return sendFound(
      reply,
      db.transaction(() => settle({ id, status })),
    );
  });
  app.post('/__sandbox/charges/:id/refund', (request, reply) => {
    const { amount } = controlBody(request, refundBody);
    const id = idOf(request);
    return sendFound(
      reply,
      db.transaction(() => refund({ id, amount })),
    );
  });
}

function sendFound(reply: FastifyReply, found: object | undefined): FastifyReply {
  return found === undefined ? reply.code(404).send({ error: 'not_found' }) : reply.send(found);
}
