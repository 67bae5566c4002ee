import {
  OrderDetail,
  OrderSummary,
  PaymentStatus,
  ShownStatus,
} from '@pointgate/contract/orders.ts';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
import {
  asked,
  captured,
  deliveryFailed,
  disputed,
  elsewhere,
  first,
  historyOf,
  momentOf,
  opened,
  orderRow,
  refundIdOf,
  settled,
} from '../../../test/facts.ts';
import type { Fact } from './order-fact.ts';
import { orderStates } from './order-state.ts';
import { promisedAt, shownOf, statesShownAs, toOrderDetail, toOrderSummary } from './order-view.ts';
import type { Order } from './orders.ts';

const fresh = { wasPaying: false, wasArrived: false };
const paid = [opened(first), captured(first)];

const detailOf = (changes: Partial<Order> = {}, facts: readonly Fact[] = []) =>
  toOrderDetail(orderRow(changes), historyOf(facts), 'en-US');

describe('order status mapping', () => {
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
    'an order in state %s (%j) has payment status %s and record code %d, and is shown to the player as %s',
    (state, facts, status, record, shown) => {
      expect(shownOf(state, facts)).toEqual({ status, record, shown });
    },
  );

  test('[S4.01] every order state maps to a payment status: Created, Pending, FullyPaid or Refunded', () => {
    expect(new Set(told.map(([state]) => state))).toEqual(new Set(orderStates));
    expect(new Set(told.map(([, , status]) => status))).toEqual(new Set(PaymentStatus.options));
    expect(PaymentStatus.options).toEqual(['Created', 'Pending', 'FullyPaid', 'Refunded']);
  });

  test('every internal order state belongs to exactly one status that is shown to the player', () => {
    expect(Object.keys(statesShownAs)).toEqual(ShownStatus.options);
    expect(Object.values(statesShownAs).flat().sort()).toEqual([...orderStates].sort());
    for (const [state, facts, , , shown] of told) {
      expect(statesShownAs[shown]).toContain(state);
      expect(shownOf(state, facts).shown).toBe(shown);
    }
  });

  test('a closed order has status Created if no payment was attempted, and Pending otherwise', () => {
    const statusAfter = (version: number) => detailOf({ state: 'closed', version }).status;
    expect([statusAfter(1), statusAfter(2), statusAfter(3)]).toEqual([
      'Created',
      'Pending',
      'Pending',
    ]);
  });

  test('an order being refunded has record code 4 for the player if its goods were delivered, otherwise record code 2', () => {
    const recordOf = (arrived_at: Date | null) =>
      detailOf({ state: 'refunding', arrived_at }).record;
    expect([recordOf(null), recordOf(new Date())]).toEqual([2, 4]);
  });
});

describe('order details', () => {
  test('order details give quantity, gift quantity and price for all packs together', () => {
    expect(detailOf({ pack_count: 3, amount_minor: 1497n })).toMatchObject({
      quantity: 900n,
      giftQuantity: 90n,
      amountMinor: 1497n,
      currency: 'USD',
    });
  });

  test("order details use the player's language and fall back to English", () => {
    expect(toOrderDetail(orderRow(), [], 'ko-KR')).toMatchObject({
      gameName: '솔미어',
      serverName: 'S12 Dawnreach',
      itemName: '300 Lumen Shards',
      unit: 'Lumen Shards',
    });
  });

  test('order details contain game account, character, item, amounts, status and times of the order', () => {
    expect(
      detailOf({
        state: 'arrived',
        refunded_minor: 7n,
        is_disputed: true,
        paid_at: new Date(momentOf(5)),
        arrived_at: new Date(momentOf(6)),
      }),
    ).toEqual({
      paymentId: '0198a000-0000-7000-8000-0000000000bb',
      accountId: '0198a000-0000-7000-8000-0000000000aa',
      kind: 'item',
      status: 'FullyPaid',
      record: 4,
      shown: 'Fulfilled',
      closedReason: null,
      isDeliveryDelayed: false,
      isInReview: false,
      isDisputed: true,
      orderType: 'foreign',
      method: 'card',
      gameAccountId: 'ga_1',
      gameId: 'solmere',
      gameName: 'Solmere',
      serverId: 's12',
      serverName: 'S12 Dawnreach',
      roleId: 'r_1',
      roleName: 'Aveline',
      itemId: 'shards_300',
      itemName: '300 Lumen Shards',
      itemArt: 'shard2',
      unit: 'Lumen Shards',
      quantity: 300n,
      giftQuantity: 30n,
      giftReason: 'bonus',
      couponName: null,
      discountMinor: null,
      priceBeforeMinor: null,
      amountMinor: 499n,
      currency: 'USD',
      refundedMinor: 7n,
      refunds: [],
      createdAt: momentOf(0),
      expireAt: null,
      paidAt: momentOf(5),
      arrivedAt: momentOf(6),
      nextDeliveryAt: null,
      promisedAt: null,
      timeline: [{ step: 'created', at: momentOf(0) }],
    });
  });

  test('order details of an order that buys E Points have no game, server or character', () => {
    const { snapshot } = orderRow();
    const nowhere = { gameName: null, serverName: null, roleName: null, sku: null };
    const detail = detailOf({
      kind: 'points',
      game_id: null,
      server_id: null,
      role_id: null,
      game_account_id: null,
      snapshot: { ...snapshot, ...nowhere },
    });
    expect(detail).toMatchObject({
      kind: 'points',
      gameId: null,
      gameName: null,
      serverId: null,
      serverName: null,
      roleId: null,
      roleName: null,
      gameAccountId: null,
      quantity: 300n,
    });
  });

  test.each(orderStates)(
    'order details and order list entries of an order in state %s match the API contract',
    (state) => {
      const order = orderRow({ state, paid_at: new Date(momentOf(3)) });
      const events = historyOf([...paid, elsewhere({ amountMinor: 7n }), disputed('open')]);
      expect(() => z.encode(OrderDetail, toOrderDetail(order, events, 'de-DE'))).not.toThrow();
      expect(() => z.encode(OrderSummary, toOrderSummary(order, 'de-DE'))).not.toThrow();
    },
  );
});

describe('order times', () => {
  test('order details give an expiry time only while the order can be paid', () => {
    for (const state of orderStates) {
      const isOpen = state === 'created' || state === 'paying';
      expect(detailOf({ state }).expireAt).toBe(isOpen ? momentOf(30 * 60) : null);
    }
  });

  test('order details report a delayed delivery only in the state stuck', () => {
    for (const state of orderStates) {
      expect(detailOf({ state }).isDeliveryDelayed).toBe(state === 'stuck');
    }
  });

  test('order details give the next delivery attempt only for a paid order with failed attempts', () => {
    const failures = [deliveryFailed(1, momentOf(10)), deliveryFailed(2, momentOf(20))];
    for (const state of orderStates) {
      const next = detailOf({ state }, [...paid, ...failures]).nextDeliveryAt;
      expect(next).toBe(state === 'paid' ? momentOf(20) : null);
    }
    expect(detailOf({ state: 'paid' }, paid).nextDeliveryAt).toBeNull();
  });

  test('order details give the promised delivery time only in the states paid and stuck', () => {
    const promised = { paid_at: new Date(momentOf(0)), promise_hours: 2 };
    for (const state of orderStates) {
      const isWaiting = state === 'paid' || state === 'stuck';
      expect(detailOf({ ...promised, state }).promisedAt).toBe(
        isWaiting ? momentOf(2 * 60 * 60) : null,
      );
    }
  });

  test('order details have no promised delivery time for an order that buys E Points and for an unpaid order', () => {
    expect(promisedAt(orderRow({ kind: 'points', paid_at: new Date() }))).toBeUndefined();
    expect(promisedAt(orderRow())).toBeUndefined();
    expect(detailOf({ state: 'paid', kind: 'points', paid_at: new Date() }).promisedAt).toBeNull();
  });

  test('order details give the reason why the order was closed', () => {
    expect(detailOf({ state: 'closed', closed_reason: 'expired' }).closedReason).toBe('expired');
  });
});

test('an order with a review reason is shown as in review', () => {
  expect(detailOf({ review_reason: 'underpaid' }).isInReview).toBe(true);
  expect(detailOf().isInReview).toBe(false);
});

describe('refunds in order details', () => {
  const part = asked(2, { amountMinor: 200n, reason: 'goodwill' });
  const usd = { currency: 'USD' as const };

  test('order details list refunds with reason, state and time, in the order of their times', () => {
    const facts = [
      ...paid,
      asked(3, { amountMinor: 9n }),
      part,
      elsewhere({ amountMinor: 7n }),
      settled(part, 'done'),
    ];
    expect(detailOf({ state: 'paid' }, facts).refunds).toEqual([
      {
        refundId: refundIdOf(3),
        amountMinor: 9n,
        ...usd,
        reason: 'operator',
        state: 'pending',
        at: momentOf(3),
      },
      {
        refundId: 're_elsewhere',
        amountMinor: 7n,
        ...usd,
        reason: 'elsewhere',
        state: 'done',
        at: momentOf(5),
      },
      {
        refundId: refundIdOf(2),
        amountMinor: 200n,
        ...usd,
        reason: 'goodwill',
        state: 'done',
        at: momentOf(6),
      },
    ]);
  });

  test('order details list a lost dispute as a chargeback until the bank reverses the decision (reinstated)', () => {
    const lost = [...paid, disputed('open'), disputed('lost', { amountMinor: 7n })];
    expect(detailOf({ state: 'paid' }, lost).refunds).toEqual([
      {
        refundId: 'dp_1',
        amountMinor: 7n,
        ...usd,
        reason: 'chargeback',
        state: 'done',
        at: momentOf(4),
      },
    ]);
    const others = [...lost, disputed('open', { disputeId: 'dp_2' })];
    expect(detailOf({ state: 'paid' }, others).refunds.map(({ at }) => at)).toEqual([momentOf(4)]);
    expect(detailOf({ state: 'paid' }, [...lost, disputed('reinstated')]).refunds).toEqual([]);
    expect(detailOf({ state: 'paid' }, lost.slice(0, 3)).refunds).toEqual([]);
  });
});
