import { Amount, Currency, type Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';

export const orderStates = [
  'created',
  'paying',
  'paid',
  'stuck',
  'arrived',
  'closed',
  'refunding',
  'refunded',
] as const;
export type OrderState = (typeof orderStates)[number];

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
    amountMinor: Amount,
    currency: Currency,
  }),
  z.object({ type: z.literal('expired') }),
  z.object({
    type: z.literal('delivery_failed'),
    tries: z.int(),
    cause: z.string(),
    nextTryAt: z.iso.datetime().nullable(),
  }),
  z.object({ type: z.literal('delivery_stuck'), reason: z.enum(['declined', 'exhausted']) }),
  z.object({ type: z.literal('delivered') }),
]);
export type Fact = z.output<typeof Fact>;

/** Two facts with one key are the same fact. */
export function factKey(fact: Fact): string {
  switch (fact.type) {
    case 'attempt_opened':
    case 'attempt_declined':
    case 'attempt_closed':
      return `${fact.type}:${fact.attemptId}`;
    case 'captured':
      // Providers can contradict themselves; what differs here is a fact of its own.
      return `captured:${fact.captureId}:${fact.attemptId}:${fact.currency}:${fact.amountMinor}`;
    case 'delivery_failed':
      return `delivery_failed:${fact.tries}`;
    case 'delivery_stuck':
    case 'expired':
    case 'delivered':
      return fact.type;
  }
}

type ReviewReason = 'unknown_attempt' | 'wrong_currency' | 'underpaid' | 'overpaid';

export interface Projection {
  state: OrderState;
  /** Money that does not fit the order; an operator has to look. Only too much of it delivers. */
  reviewReason: ReviewReason | null;
}

/** The state that follows from everything known, whatever the order it was learnt in. */
export function project(due: Money, facts: readonly Fact[]): Projection {
  const captured = capturedMoney(due, facts);
  const state = stateOf(facts, captured.amountMinor >= due.amountMinor);
  return { state, reviewReason: captured.reviewReason ?? reviewOf(due, captured.amountMinor) };
}

function stateOf(facts: readonly Fact[], isPaid: boolean): OrderState {
  const has = (type: Fact['type']) => facts.some((fact) => fact.type === type);
  if (isPaid) {
    if (has('delivered')) return 'arrived';
    return has('delivery_stuck') ? 'stuck' : 'paid';
  }
  if (openAttempts(facts).length > 0) return 'paying';
  return has('expired') ? 'closed' : 'created';
}

function openAttempts(facts: readonly Fact[]): string[] {
  const ended = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'attempt_declined' || fact.type === 'attempt_closed') {
      ended.add(fact.attemptId);
    }
  }
  return facts
    .filter((fact) => fact.type === 'attempt_opened')
    .map(({ attemptId }) => attemptId)
    .filter((attemptId) => !ended.has(attemptId));
}

/** The sum of the captures that fit: of an attempt we opened, in the order's currency. */
function capturedMoney(due: Money, facts: readonly Fact[]) {
  const opened = new Set(
    facts.filter((fact) => fact.type === 'attempt_opened').map(({ attemptId }) => attemptId),
  );
  const amounts = new Map<string, bigint>();
  const misfits = new Set<ReviewReason>();
  for (const fact of facts) {
    if (fact.type !== 'captured') continue;
    if (!opened.has(fact.attemptId)) misfits.add('unknown_attempt');
    else if (fact.currency !== due.currency) misfits.add('wrong_currency');
    else {
      const key = `${fact.captureId}:${fact.attemptId}`;
      const known = amounts.get(key) ?? 0n;
      if (fact.amountMinor > known) amounts.set(key, fact.amountMinor);
    }
  }
  const amountMinor = [...amounts.values()].reduce((sum, amount) => sum + amount, 0n);
  const reviewReason: ReviewReason | null = misfits.has('unknown_attempt')
    ? 'unknown_attempt'
    : misfits.has('wrong_currency')
      ? 'wrong_currency'
      : null;
  return { amountMinor, reviewReason };
}

function reviewOf(due: Money, capturedMinor: bigint): ReviewReason | null {
  if (capturedMinor === 0n || capturedMinor === due.amountMinor) return null;
  return capturedMinor < due.amountMinor ? 'underpaid' : 'overpaid';
}

/**
 * Which state may follow which. The projection decides; this table is the second opinion: a move
 * that is not in it is a bug, and is stopped before it is written.
 */
export const legalMoves: Readonly<Record<OrderState, readonly OrderState[]>> = {
  created: ['paying', 'paid', 'closed'],
  paying: ['created', 'paid', 'closed'],
  paid: ['stuck', 'arrived', 'refunding'],
  stuck: ['paid', 'arrived', 'refunding'],
  arrived: ['refunding'],
  closed: ['paid'],
  refunding: ['refunded'],
  refunded: [],
};
