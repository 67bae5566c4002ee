import type { Price } from '@pointgate/contract/money.ts';
import { type Fact, factsOf } from './order-fact.ts';
import { moneyOf, type OrderMoney } from './order-money.ts';

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

export interface Projection {
  state: OrderState;
  money: OrderMoney;
  /** The game has given it, or the points are in the wallet. */
  isDelivered: boolean;
  /** The game was told that the money has gone back: it has taken the goods, or gives none. */
  isTakenBack: boolean;
}

/** What follows from everything known, whatever the order it was learnt in. */
export function project(due: Price, facts: readonly Fact[]): Projection {
  const money = moneyOf(due, facts);
  const state = money.isPaid ? paidState(due, facts, money) : unpaidState(facts, money);
  return {
    state,
    money,
    isDelivered: has(facts, 'delivered'),
    isTakenBack: has(facts, 'revoked'),
  };
}

function paidState(due: Price, facts: readonly Fact[], money: OrderMoney): OrderState {
  const { lossMinor, pendingLossMinor } = money;
  if (lossMinor >= due.amountMinor) return 'refunded';
  const isGoing = pendingLossMinor > 0n && lossMinor + pendingLossMinor >= due.amountMinor;
  if (isGoing) return 'refunding';
  // The goods are gone and the money is here again: it is owed, and has to be sent anew.
  if (has(facts, 'revoked')) return 'refunding';
  if (has(facts, 'delivered')) return 'arrived';
  return isStuck(facts) || isOverLimit(facts) ? 'stuck' : 'paid';
}

function unpaidState(facts: readonly Fact[], { captures }: OrderMoney): OrderState {
  const captured = new Set(captures.map(({ attemptId }) => attemptId));
  const isOpen = openAttempts(facts).some((attemptId) => !captured.has(attemptId));
  if (isOpen) return 'paying';
  if (has(facts, 'expired')) return 'closed';
  // Money that does not fit is still here: nothing to be paid again.
  return captures.some(({ amountMinor, goneMinor }) => goneMinor < amountMinor)
    ? 'paying'
    : 'created';
}

function isStuck(facts: readonly Fact[]): boolean {
  const resumed = new Set(factsOf(facts, 'delivery_resumed').map(({ round }) => round));
  return factsOf(facts, 'delivery_stuck').some(({ round }) => !resumed.has(round));
}

/** What the law does not let us sell is not given, even where the money could not go back. */
function isOverLimit(facts: readonly Fact[]): boolean {
  return factsOf(facts, 'refund_requested').some(({ reason }) => reason === 'over_limit');
}

function openAttempts(facts: readonly Fact[]): string[] {
  const ended = new Set<string>();
  for (const fact of facts) {
    if (fact.type === 'attempt_declined' || fact.type === 'attempt_closed') {
      ended.add(fact.attemptId);
    }
  }
  return factsOf(facts, 'attempt_opened')
    .map(({ attemptId }) => attemptId)
    .filter((attemptId) => !ended.has(attemptId));
}

function has(facts: readonly Fact[], type: Fact['type']): boolean {
  return facts.some((fact) => fact.type === type);
}

/**
 * Which state may follow which. The projection decides; this table is the second opinion: a move
 * that is not in it is a bug, and is stopped before it is written. A refund can be heard of before its
 * capture, can fail, and a lost dispute can be won later.
 */
export const legalMoves: Readonly<Record<OrderState, readonly OrderState[]>> = {
  created: ['paying', 'paid', 'closed', 'refunded'],
  paying: ['created', 'paid', 'closed', 'refunding', 'refunded'],
  paid: ['stuck', 'arrived', 'refunding', 'refunded'],
  stuck: ['paid', 'arrived', 'refunding', 'refunded'],
  arrived: ['refunding', 'refunded'],
  closed: ['paid', 'refunding', 'refunded'],
  refunding: ['paid', 'stuck', 'arrived', 'refunded'],
  refunded: ['paid', 'stuck', 'arrived', 'refunding'],
};

export function requireLegal(before: OrderState, after: OrderState): void {
  if (before === after || legalMoves[before].includes(after)) return;
  throw new Error(`an order cannot move from ${before} to ${after}`);
}
