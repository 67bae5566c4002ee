import { Amount, PriceUnit } from '@pointgate/contract/money.ts';
import { RefundReason } from '@pointgate/contract/orders.ts';
import { z } from 'zod';

/**
 * From bad to worse, and back: whatever the order in which stages are heard of, the last one of this
 * list counts. `reinstated` is won after it was lost.
 */
export const disputeStages = ['warning', 'open', 'won', 'lost', 'reinstated'] as const;
export type DisputeStage = (typeof disputeStages)[number];

/**
 * Whatever the order in which outcomes are heard of, the last one of this list counts: what `failed`
 * may still get there, what is `done` may come back from the payer's bank weeks later, and what has
 * `returned` is ours again for good. It can only be sent anew, as another refund.
 */
export const refundOutcomes = ['failed', 'done', 'returned'] as const;
export type RefundOutcome = (typeof refundOutcomes)[number];

const price = { amountMinor: Amount, currency: PriceUnit };

/**
 * What can become known of an order. Facts are only ever added; the state is computed from all of
 * them, so neither their order nor their repetition matters.
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
  /** Nobody tries any more until an operator resumes it. */
  z.object({
    type: z.literal('delivery_stuck'),
    round: z.int(),
    reason: z.enum(['declined', 'exhausted', 'ambiguous']),
  }),
  z.object({ type: z.literal('delivery_resumed'), round: z.int(), by: z.string() }),
  z.object({ type: z.literal('delivered') }),
  /** We want this money to go back. */
  z.object({
    type: z.literal('refund_requested'),
    refundId: z.uuid(),
    captureId: z.string(),
    ...price,
    reason: RefundReason,
    by: z.string(),
  }),
  /** What became of it. One that nobody here asked for has the provider's own id. */
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
  /** What the game says about taking back what it gave. */
  z.object({
    type: z.literal('revoked'),
    result: z.enum(['revoked', 'already_revoked', 'not_found']),
  }),
]);
export type Fact = z.output<typeof Fact>;
export type FactOf<Type extends Fact['type']> = Extract<Fact, { type: Type }>;

/** Two facts with one key are the same fact. Where a provider contradicts itself, both are kept. */
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
