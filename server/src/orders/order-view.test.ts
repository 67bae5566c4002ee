import { PaymentStatus } from '@pointgate/contract/orders.ts';
import { describe, expect, test } from 'vitest';
import { orderStates } from './order-state.ts';
import { shownOf, toOrderDetail } from './order-view.ts';
import type { Order, OrderEvent } from './orders.ts';

const fresh = { wasPaying: false, wasArrived: false };

describe('one internal state is told in three ways', () => {
  const told = [
    ['created', fresh, 'Created', 1, 'Unpaid'],
    ['paying', fresh, 'Pending', 1, 'Processing'],
    ['paid', fresh, 'FullyPaid', 2, 'Paid'],
    ['stuck', fresh, 'FullyPaid', 2, 'Paid'],
    ['arrived', fresh, 'FullyPaid', 4, 'Fulfilled'],
    ['closed', fresh, 'Created', 3, 'PaymentFailed'],
    ['closed', { ...fresh, wasPaying: true }, 'Pending', 3, 'PaymentFailed'],
    ['refunding', fresh, 'FullyPaid', 2, 'Processing'],
    ['refunding', { ...fresh, wasArrived: true }, 'FullyPaid', 4, 'Processing'],
    ['refunded', fresh, 'Refunded', 5, 'Refunded'],
  ] as const;

  test.each(told)(
    '%s (%j) is %s, record %d, shown as %s',
    (state, facts, status, record, shown) => {
      expect(shownOf(state, facts)).toEqual({ status, record, shown });
    },
  );

  test('[S4.01] every state has a payment status: Created, Pending, FullyPaid or Refunded', () => {
    expect(new Set(told.map(([state]) => state))).toEqual(new Set(orderStates));
    expect(new Set(told.map(([, , status]) => status))).toEqual(new Set(PaymentStatus.options));
    expect(PaymentStatus.options).toEqual(['Created', 'Pending', 'FullyPaid', 'Refunded']);
  });
});

const at = new Date('2026-01-02T03:04:05.678Z');
const later = '2026-01-02T03:14:05.678Z';
const attemptId = '0198a000-0000-7000-8000-0000000000a1';

const order: Order = {
  account_id: '0198a000-0000-7000-8000-0000000000aa',
  payment_id: '0198a000-0000-7000-8000-0000000000bb',
  site_id: 'solmere',
  game_id: 'solmere',
  server_id: 's12',
  role_id: 'r_1',
  game_account_id: 'ga_1',
  item_id: 'shards_300',
  pack_count: 3,
  order_type: 'foreign',
  method: 'card',
  system: 'android',
  currency: 'USD',
  amount_minor: 1497n,
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
  },
  state: 'created',
  closed_reason: null,
  review_reason: null,
  version: 0,
  created_at: at,
  expire_at: new Date(later),
  paid_at: null,
  arrived_at: null,
};

test('a player sees how much comes with all packs together, and the price of all of them', () => {
  expect(toOrderDetail(order, [], 'en-US')).toMatchObject({
    quantity: 900n,
    giftQuantity: 90n,
    amountMinor: 1497n,
    currency: 'USD',
  });
});

test("names are told in the player's language, or in English where there is no other", () => {
  expect(toOrderDetail(order, [], 'ko-KR')).toMatchObject({
    gameName: '솔미어',
    serverName: 'S12 Dawnreach',
  });
});

test('an order says when it ends only while it can still be paid', () => {
  const endOf = (state: Order['state']) => toOrderDetail({ ...order, state }, [], 'en-US').expireAt;
  expect([endOf('created'), endOf('paying')]).toEqual([later, later]);
  for (const state of ['paid', 'stuck', 'arrived', 'closed', 'refunding', 'refunded'] as const) {
    expect(endOf(state)).toBeNull();
  }
});

test('only an order that an operator was told of is shown as delayed', () => {
  for (const state of orderStates) {
    const detail = toOrderDetail({ ...order, state }, [], 'en-US');
    expect(detail.isDeliveryDelayed).toBe(state === 'stuck');
  }
});

test('an order with money that does not fit is shown as being looked at', () => {
  const shownAs = (reason: string | null) =>
    toOrderDetail({ ...order, review_reason: reason }, [], 'en-US').isInReview;
  expect([shownAs('underpaid'), shownAs(null)]).toEqual([true, false]);
});

test('the timeline tells each step the player lived through, once and in order', () => {
  const events = [
    eventOf({ type: 'attempt_opened', attemptId }, 'created', 'paying'),
    eventOf({ type: 'attempt_declined', attemptId, code: 'no' }, 'paying', 'created'),
    eventOf({ type: 'attempt_opened', attemptId: order.payment_id }, 'created', 'paying'),
    eventOf(captureOf('pi_1'), 'paying', 'paid'),
    eventOf(captureOf('pi_2'), 'paid', 'paid'),
    eventOf({ type: 'attempt_closed', attemptId }, 'paid', 'paid'),
    eventOf({ type: 'delivery_failed', tries: 1, cause: 'no', nextTryAt: later }, 'paid', 'paid'),
    eventOf({ type: 'delivery_stuck', reason: 'exhausted' }, 'paid', 'stuck'),
    eventOf({ type: 'delivered' }, 'stuck', 'arrived'),
  ];
  const { timeline } = toOrderDetail({ ...order, state: 'arrived' }, events, 'en-US');
  expect(timeline.map(({ step }) => step)).toEqual([
    'created',
    'payment_opened',
    'payment_declined',
    'payment_opened',
    'paid',
    'delivery_retry',
    'delivery_delayed',
    'arrived',
  ]);
  const gone = [eventOf({ type: 'expired' }, 'created', 'closed')];
  expect(toOrderDetail({ ...order, state: 'closed' }, gone, 'en-US').timeline.at(-1)).toEqual({
    step: 'expired',
    at: at.toISOString(),
  });
});

test('the next try is told while the delivery is being retried, and no longer', () => {
  const failedAt = (tries: number, nextTryAt: string) =>
    eventOf({ type: 'delivery_failed', tries, cause: 'no', nextTryAt }, 'paid', 'paid');
  const events = [failedAt(1, at.toISOString()), failedAt(2, later)];
  const nextIn = (state: Order['state']) =>
    toOrderDetail({ ...order, state }, events, 'en-US').nextDeliveryAt;
  expect(nextIn('paid')).toBe(later);
  expect(nextIn('stuck')).toBeNull();
  expect(nextIn('arrived')).toBeNull();
});

function captureOf(captureId: string): OrderEvent['fact'] {
  return { type: 'captured', attemptId, captureId, amountMinor: 1497n, currency: 'USD' };
}

function eventOf(
  fact: OrderEvent['fact'],
  state_before: Order['state'],
  state_after: Order['state'],
): OrderEvent {
  return { seq: 1, fact_key: 'key', fact, state_before, state_after, at };
}
