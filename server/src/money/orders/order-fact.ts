import { Amount, PriceUnit } from '@pointgate/contract/money.ts';
import { RefundReason } from '@pointgate/contract/orders.ts';
import { z } from 'zod';

/**
 * Of the reported stages the last one in this list counts, in whatever order they arrive.
 * `reinstated` means won after it was lost.
 */
export const disputeStages = ['warning', 'open', 'won', 'lost', 'reinstated'] as const;
export type DisputeStage = (typeof disputeStages)[number];

/**
 * Of the reported outcomes the last one in this list counts, in whatever order they arrive: a
 * `failed` refund may still succeed, a `done` refund may come back from the payer's bank weeks
 * later, and a `returned` refund is final. Its money can only be sent again as another refund.
 */
export const refundOutcomes = ['failed', 'done', 'returned'] as const;
export type RefundOutcome = (typeof refundOutcomes)[number];

const price = { amountMinor: Amount, currency: PriceUnit };

/**
 * An event in the life of an order. Facts are only ever added, and the state is computed from all
 * of them, so neither their order nor duplicates matter.
 */
export const Fact = z.discriminatedUnion('type', [
  z.object({ type: z.literal('attempt_opened'), attemptId: z.uuid() }),
  /** The provider refused to open the payment. */
  z.object({ type: z.literal('attempt_declined'), attemptId: z.uuid(), code: z.string() }),
  /** The provider's payment page was closed without a payment. */
  z.object({ type: z.literal('attempt_closed'), attemptId: z.uuid() }),
  z.object({
    type: z.literal('captured'),
    attemptId: z.uuid(),
    captureId: z.string(),
    ...price,
  }),
  z.object({ type: z.literal('expired') }),
  z.object({
    type: z.literal('delivery_failed'),
    tries: z.int(),
    cause: z.string(),
    nextTryAt: z.iso.datetime().nullable(),
  }),
  /** Retries have ended until an operator resumes the delivery. */
  z.object({
    type: z.literal('delivery_stuck'),
    round: z.int(),
    reason: z.enum(['declined', 'exhausted', 'ambiguous']),
  }),
  z.object({ type: z.literal('delivery_resumed'), round: z.int(), by: z.string() }),
  z.object({ type: z.literal('delivered') }),
  /** The shop wants to refund this amount. */
  z.object({
    type: z.literal('refund_requested'),
    refundId: z.uuid(),
    captureId: z.string(),
    ...price,
    reason: RefundReason,
    by: z.string(),
  }),
  /** The outcome of a refund. One made at the provider has the provider's own id. */
  z.object({
    type: z.literal('refund_settled'),
    refundId: z.string(),
    captureId: z.string(),
    ...price,
    outcome: z.enum(refundOutcomes),
  }),
  z.object({
    type: z.literal('disputed'),
    disputeId: z.string(),
    captureId: z.string(),
    ...price,
    stage: z.enum(disputeStages),
  }),
  /** The game's answer to the request to revoke the goods. */
  z.object({
    type: z.literal('revoked'),
    result: z.enum(['revoked', 'already_revoked', 'not_found']),
  }),
]);
export type Fact = z.output<typeof Fact>;
export type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>;

/**
 * Facts with equal keys are duplicates. Contradictory reports of a provider have different keys.
 */
export function factKey(fact: Fact): string {
  switch (fact.type) {
    case 'attempt_opened':
    case 'attempt_declined':
    case 'attempt_closed':
      return `${fact.type}:${fact.attemptId}`;
    case 'captured':
      return `captured:${fact.captureId}:${fact.attemptId}:${fact.currency}:${fact.amountMinor}`;
    case 'delivery_failed':
      return `delivery_failed:${fact.tries}`;
    case 'delivery_stuck':
    case 'delivery_resumed':
      return `${fact.type}:${fact.round}`;
    case 'refund_requested':
      return `refund_requested:${fact.refundId}`;
    case 'refund_settled':
      return `refund_settled:${fact.refundId}:${fact.captureId}:${fact.currency}:${fact.amountMinor}:${fact.outcome}`;
    case 'disputed':
      return `disputed:${fact.disputeId}:${fact.captureId}:${fact.currency}:${fact.amountMinor}:${fact.stage}`;
    case 'revoked':
      return `revoked:${fact.result}`;
    case 'expired':
    case 'delivered':
      return fact.type;
  }
}

export function factsOf<Type extends Fact['type']>(
  facts: readonly Fact[],
  type: Type,
): FactOf<Type>[] {
  return facts.filter((fact): fact is FactOf<Type> => fact.type === type);
}
