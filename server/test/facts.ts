import type { Price } from '@pointgate/contract/money.ts';
import {
  type DisputeStage,
  type Fact,
  type FactOf,
  factKey,
  factsOf,
  type RefundOutcome,
} from '../src/money/orders/order-fact.ts';
import { type Projection, project } from '../src/money/orders/order-state.ts';
import type { Order, OrderEvent } from '../src/money/orders/orders.ts';

/** The price of the orders in these facts. */
export const due: Price = { amountMinor: 499n, currency: 'USD' };

/** Attempt ids: two of ours, and one unknown to us. */
export const first = '0198a000-0000-7000-8000-000000000001';
export const second = '0198a000-0000-7000-8000-000000000002';
export const stranger = '0198a000-0000-7000-8000-00000000000f';

export const opened = (attemptId: string): Fact => ({ type: 'attempt_opened', attemptId });
export const closed = (attemptId: string): Fact => ({ type: 'attempt_closed', attemptId });
export const declined = (attemptId: string): Fact => ({
  type: 'attempt_declined',
  attemptId,
  code: 'card_declined',
});

/** `pi_1` for the first attempt, `pi_2` for the second. */
const captureOf = (attemptId: string) => `pi_${attemptId.slice(-1)}`;

export const captured = (
  attemptId: string,
  changes: Partial<FactOf<'captured'>> = {},
): FactOf<'captured'> => ({
  type: 'captured',
  attemptId,
  captureId: captureOf(attemptId),
  ...due,
  ...changes,
});

export const expired: Fact = { type: 'expired' };
export const delivered: Fact = { type: 'delivered' };
export const deliveryFailed = (tries: number, nextTryAt: string | null = null): Fact => ({
  type: 'delivery_failed',
  tries,
  cause: 'HTTP 500',
  nextTryAt,
});
export const stuck = (round = 1): Fact => ({ type: 'delivery_stuck', round, reason: 'exhausted' });
export const resumed = (round = 1): Fact => ({ type: 'delivery_resumed', round, by: 'operator' });

/** A refund id for each number. */
export const refundIdOf = (number: number) =>
  `0198a000-0000-7000-8000-0000000001${number.toString().padStart(2, '0')}`;

type Changes<Type extends Fact['type']> = Partial<Omit<FactOf<Type>, 'type'>>;

/** A refund request for the whole first payment. */
export const asked = (
  number: number,
  changes: Changes<'refund_requested'> = {},
): FactOf<'refund_requested'> => ({
  type: 'refund_requested',
  refundId: refundIdOf(number),
  captureId: captureOf(first),
  ...due,
  reason: 'operator',
  by: 'operator',
  ...changes,
});

/** The result of a requested refund. */
export const settled = (
  { refundId, captureId, amountMinor, currency }: FactOf<'refund_requested'>,
  outcome: RefundOutcome,
): FactOf<'refund_settled'> => ({
  type: 'refund_settled',
  refundId,
  captureId,
  amountMinor,
  currency,
  outcome,
});

/** A refund that was made at the provider without the shop. */
export const elsewhere = (changes: Changes<'refund_settled'> = {}): FactOf<'refund_settled'> => ({
  type: 'refund_settled',
  refundId: 're_elsewhere',
  captureId: captureOf(first),
  ...due,
  outcome: 'done',
  ...changes,
});

/** A dispute about the whole first payment. */
export const disputed = (
  stage: DisputeStage,
  changes: Changes<'disputed'> = {},
): FactOf<'disputed'> => ({
  type: 'disputed',
  disputeId: 'dp_1',
  captureId: captureOf(first),
  ...due,
  ...changes,
  stage,
});

export const revoked: Fact = { type: 'revoked', result: 'revoked' };

/** The history of these facts, one per second. */
export function historyOf(facts: readonly Fact[]): OrderEvent[] {
  return facts.map((fact, index) => ({
    seq: index + 1,
    fact_key: factKey(fact),
    fact,
    state_before: project(due, facts.slice(0, index)).state,
    state_after: project(due, facts.slice(0, index + 1)).state,
    at: new Date(momentOf(index + 1)),
  }));
}

/** The time of the event with this sequence number. */
export const momentOf = (seq: number) => new Date(Date.UTC(2026, 0, 2, 3, 4, seq)).toISOString();

/** An order as a row of its table. */
export function orderRow(changes: Partial<Order> = {}): Order {
  return {
    account_id: '0198a000-0000-7000-8000-0000000000aa',
    payment_id: '0198a000-0000-7000-8000-0000000000bb',
    kind: 'item',
    site_id: 'solmere',
    game_id: 'solmere',
    server_id: 's12',
    role_id: 'r_1',
    game_account_id: 'ga_1',
    item_id: 'shards_300',
    pack_count: 1,
    order_type: 'foreign',
    method: 'card',
    system: 'android',
    currency: due.currency,
    amount_minor: due.amountMinor,
    snapshot: {
      gameName: { 'en-US': 'Solmere', 'ko-KR': '솔미어' },
      serverName: { 'en-US': 'S12 Dawnreach' },
      roleName: 'Aveline',
      itemName: { 'en-US': '300 Lumen Shards' },
      unit: { 'en-US': 'Lumen Shards' },
      art: 'shard2',
      sku: 'lumen_shard',
      quantity: '300',
      giftQuantity: '30',
      giftDays: null,
    },
    state: 'created',
    closed_reason: null,
    review_reason: null,
    refunded_minor: 0n,
    is_disputed: false,
    promise_hours: 24,
    version: 0,
    created_at: new Date(momentOf(0)),
    expire_at: new Date(momentOf(30 * 60)),
    paid_at: null,
    arrived_at: null,
    ...changes,
  };
}

/** The preconditions that the shop checks under the order's lock before it records a fact. */
export function canBeRecorded(fact: Fact, known: readonly Fact[], now: Projection): boolean {
  const isOurs = (attemptId: string) =>
    factsOf(known, 'attempt_opened').some((opening) => opening.attemptId === attemptId);
  switch (fact.type) {
    case 'attempt_opened':
      return now.state === 'created';
    case 'attempt_declined':
    case 'attempt_closed':
    case 'captured':
      return isOurs(fact.attemptId);
    case 'delivery_failed':
    case 'delivery_stuck':
    case 'delivered':
      return now.money.isPaid;
    case 'delivery_resumed':
      return factsOf(known, 'delivery_stuck').some(({ round }) => round === fact.round);
    case 'refund_requested':
      return now.money.captures.some(
        ({ captureId, refundableMinor }) =>
          captureId === fact.captureId && refundableMinor >= fact.amountMinor,
      );
    case 'refund_settled':
      return (
        fact.refundId.startsWith('re_') ||
        now.money.refunds.some(({ refundId }) => refundId === fact.refundId)
      );
    case 'revoked':
      return now.money.isPaid;
    case 'disputed':
    case 'expired':
      return true;
  }
}

/** A random order in which the shop could have recorded these facts. */
export function recordableOrder(facts: readonly Fact[], random: () => number): Fact[] {
  const known: Fact[] = [];
  const left = [...facts];
  while (left.length > 0) {
    const now = project(due, known);
    const next = left.filter((fact) => canBeRecorded(fact, known, now));
    const fact = next[Math.floor(random() * next.length)];
    // A dead end, for example an order that was closed too early: try another order.
    if (fact === undefined) return recordableOrder(facts, random);
    known.push(fact);
    left.splice(left.indexOf(fact), 1);
  }
  return known;
}
