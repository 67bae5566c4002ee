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
  /** The game has delivered the goods, or the points are in the wallet. */
  isDelivered: boolean;
  /** The game was told of the refund and has revoked the goods or will not deliver them. */
  isTakenBack: boolean;
}

/** Computes the state of an order from its facts, independently of their order. */
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
  // The goods were revoked but the money has come back, so it has to be refunded again.
  if (has(facts, 'revoked')) return 'refunding';
  if (has(facts, 'delivered')) return 'arrived';
  return isStuck(facts) || isOverLimit(facts) ? 'stuck' : 'paid';
}

function unpaidState(facts: readonly Fact[], { captures }: OrderMoney): OrderState {
  const captured = new Set(captures.map(({ attemptId }) => attemptId));
  const isOpen = openAttempts(facts).some((attemptId) => !captured.has(attemptId));
  if (isOpen) return 'paying';
  if (has(facts, 'expired')) return 'closed';
  // A mismatched capture that is not fully refunded blocks another payment.
  return captures.some(({ amountMinor, goneMinor }) => goneMinor < amountMinor)
    ? 'paying'
    : 'created';
}

function isStuck(facts: readonly Fact[]): boolean {
  const resumed = new Set(factsOf(facts, 'delivery_resumed').map(({ round }) => round));
  return factsOf(facts, 'delivery_stuck').some(({ round }) => !resumed.has(round));
}

/** Goods over a legal limit are not delivered, even if the refund failed. */
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
 * The allowed state transitions. The projection decides the state, and this table guards against
 * bugs: any other transition is rejected before it is written. A refund can be reported before its
 * capture and can fail, and a lost dispute can be won later.
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
