import { describe, expect, test } from 'vitest';
import {
  asked,
  captured,
  closed,
  declined,
  delivered,
  deliveryFailed,
  disputed,
  due,
  elsewhere,
  expired,
  first,
  opened,
  resumed,
  second,
  settled,
  stranger,
  stuck,
} from '../../../test/facts.ts';
import { type Fact, factKey, factsOf } from './order-fact.ts';
import { legalMoves, type OrderState, orderStates, project } from './order-state.ts';

const stateOf = (...facts: Fact[]) => project(due, facts).state;
const reviewOf = (...facts: Fact[]) => project(due, facts).money.reviewReason;

const paid = [opened(first), captured(first)];
const paidTwice = [...paid, opened(second), captured(second)];

describe('states of undisturbed orders', () => {
  test.each<[string, Fact[], OrderState]>([
    ['an order without facts is in the state created', [], 'created'],
    ['an order with an open payment page is in the state paying', [opened(first)], 'paying'],
    [
      'an order whose payment was declined returns to the state created',
      [opened(first), declined(first)],
      'created',
    ],
    [
      'an order whose payment page was closed returns to the state created',
      [opened(first), closed(first)],
      'created',
    ],
    [
      'an order is paying on its second payment page after the first was closed',
      [opened(first), closed(first), opened(second)],
      'paying',
    ],
    ['an unpaid order that has expired is closed', [expired], 'closed'],
    [
      'an expired order whose payment page was closed is closed',
      [opened(first), closed(first), expired],
      'closed',
    ],
    [
      'an expired order stays in the state paying while its payment page is open',
      [opened(first), expired],
      'paying',
    ],
    ['an order whose full price was captured is paid', paid, 'paid'],
    ['a paid order that was delivered has arrived', [...paid, delivered], 'arrived'],
    [
      'a paid order stays paid after a failed delivery attempt',
      [...paid, deliveryFailed(1)],
      'paid',
    ],
    ['a paid order whose delivery retries are exhausted is stuck', [...paid, stuck()], 'stuck'],
    ['a stuck order that an operator resumes is paid again', [...paid, stuck(), resumed()], 'paid'],
    [
      'a resumed order whose second round of delivery retries is exhausted is stuck again',
      [...paid, stuck(1), resumed(1), stuck(2)],
      'stuck',
    ],
    [
      'a stuck order that is delivered after all has arrived',
      [...paid, stuck(), delivered],
      'arrived',
    ],
    [
      'a closed order whose payment is captured late is paid',
      [opened(first), closed(first), expired, captured(first)],
      'paid',
    ],
    [
      'an order over the legal spending limit is refunding once its refund is requested',
      [...paid, asked(1, { reason: 'over_limit' })],
      'refunding',
    ],
    [
      'an order over the legal spending limit is stuck when its refund failed',
      [
        ...paid,
        asked(1, { reason: 'over_limit' }),
        settled(asked(1, { reason: 'over_limit' }), 'failed'),
      ],
      'stuck',
    ],
    [
      'an order whose payment is captured after a decline is paid',
      [opened(first), declined(first), captured(first)],
      'paid',
    ],
  ])(
    'the state of an order results from its recorded payments, refunds, disputes and delivery attempts: %s',
    (_what, facts, state) => {
      expect(stateOf(...facts)).toBe(state);
      expect(reviewOf(...facts)).toBeNull();
    },
  );
});

describe('captures that do not match the price', () => {
  test.each<[string, Fact[], string]>([
    ['a capture one cent below the price', [captured(first, { amountMinor: 498n })], 'underpaid'],
    ['a capture one cent above the price', [captured(first, { amountMinor: 500n })], 'overpaid'],
    [
      'a capture of the right amount in another currency',
      [captured(first, { currency: 'EUR' })],
      'wrong_currency',
    ],
    ['a capture of an unknown payment attempt', [captured(stranger)], 'unknown_attempt'],
    [
      'a capture reported with two amounts that only together reach the price',
      [captured(first, { amountMinor: 300n }), captured(first, { amountMinor: 199n })],
      'underpaid',
    ],
    [
      'a pair of captures that only together reach the price',
      [
        captured(first, { captureId: 'pi_a', amountMinor: 300n }),
        captured(first, { captureId: 'pi_b', amountMinor: 199n }),
      ],
      'underpaid',
    ],
  ])(
    "a capture that does not match the order's price leaves the order unpaid and marks it for review: %s",
    (_what, captures, reason) => {
      const facts = [opened(first), ...captures];
      expect(reviewOf(...facts)).toBe(reason);
      expect(project(due, facts).money.isPaid).toBe(false);
      for (const also of [[], [closed(first)], [delivered], [stuck()]]) {
        expect(stateOf(...facts, ...also)).toBe('paying');
      }
      expect(stateOf(...facts, closed(first), expired)).toBe('closed');
      expect(reviewOf(...facts, closed(first), expired)).toBe(reason);
    },
  );

  test('an underpaid order stays in review until the whole captured amount is refunded', () => {
    const half = captured(first, { amountMinor: 250n });
    const back = (number: number, amountMinor: bigint) =>
      asked(number, { amountMinor, reason: 'misfit' });
    const facts = [opened(first), half, back(1, 100n), settled(back(1, 100n), 'done')];
    expect([stateOf(...facts), reviewOf(...facts)]).toEqual(['paying', 'underpaid']);

    const rest = back(2, 150n);
    expect([stateOf(...facts, rest), reviewOf(...facts, rest)]).toEqual(['paying', 'underpaid']);
    const failed = [...facts, rest, settled(rest, 'failed')];
    expect([stateOf(...failed), reviewOf(...failed)]).toEqual(['paying', 'underpaid']);
    const done = [...facts, rest, settled(rest, 'done')];
    expect([stateOf(...done), reviewOf(...done)]).toEqual(['created', null]);
    expect(stateOf(...done, expired)).toBe('closed');
  });

  test('an underpaid order becomes paid when its full price is captured on a second payment page, and its review stays open', () => {
    const facts = [opened(first), captured(first, { amountMinor: 1n }), opened(second)];
    expect(stateOf(...facts)).toBe('paying');
    expect(stateOf(...facts, captured(second))).toBe('paid');
    expect(reviewOf(...facts, captured(second))).toBe('underpaid');
  });

  test('a paid order stays paid when its capture is reported again with another amount, and is marked for review if that amount is larger', () => {
    for (const amountMinor of [200n, 900n]) {
      const facts = [...paid, captured(first, { amountMinor })];
      expect(stateOf(...facts)).toBe('paid');
      expect(reviewOf(...facts)).toBe(amountMinor > 499n ? 'overpaid' : null);
    }
  });

  test('an order with several captures that do not match its price is in review for the most severe of their reasons', () => {
    const misfits = [
      captured(stranger),
      captured(first, { captureId: 'pi_eur', currency: 'EUR' }),
      captured(first, { captureId: 'pi_less', amountMinor: 1n }),
      captured(first, { captureId: 'pi_more', amountMinor: 900n }),
    ];
    const told = misfits.map((_, index) => reviewOf(opened(first), ...misfits.slice(index)));
    expect(told).toEqual(['unknown_attempt', 'wrong_currency', 'underpaid', 'overpaid']);
    const backwards = misfits.toReversed();
    expect(reviewOf(opened(first), ...backwards)).toBe('unknown_attempt');
  });

  test('an expired order can be closed when its payment page took a wrong amount that was refunded', () => {
    const half = captured(first, { amountMinor: 1n });
    const back = asked(1, { amountMinor: 1n, reason: 'misfit' });
    expect(stateOf(opened(first), half, back, settled(back, 'done'), expired)).toBe('closed');
  });
});

describe('second payments of a paid order', () => {
  const again = asked(4, { reason: 'duplicate', captureId: 'pi_2' });
  test.each<[string, Fact[]]>([
    ['a second payment on another page', paidTwice],
    ['a second payment on the same page', [...paid, captured(first, { captureId: 'pi_twin' })]],
    ['a second payment whose refund was requested', [...paidTwice, again]],
    ['a second payment that was refunded', [...paidTwice, again, settled(again, 'done')]],
    ['a second payment whose refund failed', [...paidTwice, again, settled(again, 'failed')]],
    [
      'a second payment that was refunded at the provider',
      [...paidTwice, elsewhere({ captureId: 'pi_2' })],
    ],
    [
      'a second payment that was lost to a dispute',
      [...paidTwice, disputed('lost', { captureId: 'pi_2' })],
    ],
  ])("a second payment of a paid order leaves the order's state unchanged: %s", (_what, facts) => {
    expect(stateOf(...facts)).toBe('paid');
    expect(stateOf(...facts, delivered)).toBe('arrived');
    expect(reviewOf(...facts)).toBeNull();
  });

  test('an order that was paid twice counts as refunded only when more than the second payment was refunded or lost to disputes', () => {
    const gone = [...paidTwice, again, settled(again, 'done')];
    expect(stateOf(...gone, disputed('lost'))).toBe('refunded');
    expect(stateOf(...paidTwice, disputed('lost'), elsewhere({ captureId: 'pi_2' }))).toBe(
      'refunded',
    );
  });

  test('an order whose payment was lost to a dispute counts as paid again after a second payment', () => {
    const lost = [...paid, disputed('lost')];
    expect(stateOf(...lost)).toBe('refunded');
    expect(stateOf(...lost, opened(second), captured(second))).toBe('paid');
  });
});

describe('refunds and disputes of a paid order', () => {
  const whole = asked(1);
  const part = asked(2, { amountMinor: 200n });
  const rest = asked(3, { amountMinor: 299n });
  test.each<[string, Fact[], OrderState]>([
    ['an order is refunding as soon as a full refund is requested', [whole], 'refunding'],
    [
      'an order is refunded when its full refund is done',
      [whole, settled(whole, 'done')],
      'refunded',
    ],
    [
      'an order returns to its previous state when its full refund failed',
      [whole, settled(whole, 'failed')],
      'paid',
    ],
    [
      'an order is refunded when a refund that failed is later reported as done',
      [whole, settled(whole, 'failed'), settled(whole, 'done')],
      'refunded',
    ],
    ['an order stays paid while a partial refund is pending', [part], 'paid'],
    ['an order stays paid after a partial refund', [part, settled(part, 'done')], 'paid'],
    [
      'an order is refunding when its pending partial refunds add up to the price',
      [part, rest],
      'refunding',
    ],
    [
      'an order is refunding when the rest is pending after a completed partial refund',
      [part, settled(part, 'done'), rest],
      'refunding',
    ],
    [
      'an order stays paid when one of two partial refunds failed',
      [part, settled(part, 'done'), rest, settled(rest, 'failed')],
      'paid',
    ],
    [
      'an order is refunded when its completed partial refunds add up to the price',
      [part, settled(part, 'done'), rest, settled(rest, 'done')],
      'refunded',
    ],
    ['an order is refunded by a full refund made at the provider', [elsewhere()], 'refunded'],
    [
      'an order stays paid after a partial refund made at the provider',
      [elsewhere({ amountMinor: 498n })],
      'paid',
    ],
    [
      'an order stays paid when a refund made at the provider failed',
      [elsewhere({ outcome: 'failed' })],
      'paid',
    ],
    ['an order stays paid while its dispute is only a warning', [disputed('warning')], 'paid'],
    [
      'an order stays paid while its dispute is open',
      [disputed('warning'), disputed('open')],
      'paid',
    ],
    ['an order stays paid when its dispute is won', [disputed('open'), disputed('won')], 'paid'],
    [
      'an order is refunded when its dispute is lost',
      [disputed('open'), disputed('lost')],
      'refunded',
    ],
    [
      'an order stays paid when a dispute about a part of its price is lost',
      [disputed('lost', { amountMinor: 498n })],
      'paid',
    ],
    [
      'an order is paid again when its lost dispute is reinstated',
      [disputed('lost'), disputed('reinstated')],
      'paid',
    ],
    [
      'an order is refunded by a partial refund and a lost dispute that add up to the price',
      [part, settled(part, 'done'), disputed('lost', { amountMinor: 299n })],
      'refunded',
    ],
    [
      'an order with a pending refund and a reinstated dispute is refunding',
      [whole, disputed('lost'), disputed('reinstated')],
      'refunding',
    ],
  ])('refunds and disputes of a paid order change its state: %s', (_what, more, state) => {
    expect(stateOf(...paid, ...more)).toBe(state);
    // The result does not depend on the order in which the facts arrive.
    expect(stateOf(...more, ...paid.toReversed())).toBe(state);
    const isStopped = state === 'refunded' || state === 'refunding';
    expect(stateOf(...paid, ...more, delivered)).toBe(isStopped ? state : 'arrived');
    expect(stateOf(...paid, ...more, stuck())).toBe(isStopped ? state : 'stuck');
    expect(reviewOf(...paid, ...more)).toBeNull();
  });

  test('an order is disputed from the opening of a dispute until the dispute is decided', () => {
    const isDisputed = (...facts: Fact[]) => project(due, [...paid, ...facts]).money.isDisputed;
    expect(isDisputed()).toBe(false);
    expect(isDisputed(disputed('warning'))).toBe(false);
    expect(isDisputed(disputed('warning'), disputed('open'))).toBe(true);
    for (const stage of ['won', 'lost', 'reinstated'] as const) {
      expect(isDisputed(disputed(stage), disputed('open'))).toBe(false);
    }
    const another = disputed('open', { disputeId: 'dp_2', amountMinor: 1n });
    expect(isDisputed(disputed('open'), disputed('won'), another)).toBe(true);
  });

  test('refunds and disputes about an unknown capture or in another currency do not change the state of an order', () => {
    for (const about of [{ captureId: 'pi_unheard' }, { currency: 'EUR' }] as const) {
      expect(stateOf(...paid, elsewhere(about))).toBe('paid');
      expect(stateOf(...paid, disputed('lost', about))).toBe('paid');
      expect(stateOf(...paid, asked(1, about))).toBe('paid');
    }
  });

  test('refunds and lost disputes do not change the state of an unpaid order', () => {
    for (const more of [[whole], [elsewhere()], [disputed('lost')]]) {
      expect(stateOf(...more)).toBe('created');
      expect(stateOf(opened(first), ...more)).toBe('paying');
      expect(stateOf(opened(first), closed(first), expired, ...more)).toBe('closed');
    }
  });
});

test('an order stays marked as delivered after its money was refunded', () => {
  expect(project(due, paid).isDelivered).toBe(false);
  expect(project(due, [...paid, delivered]).isDelivered).toBe(true);
  expect(project(due, [...paid, delivered, elsewhere()]).isDelivered).toBe(true);
});

test('two events of an order that differ in an identifying field have different keys', () => {
  const different: Fact[] = [
    opened(first),
    opened(second),
    declined(first),
    closed(first),
    captured(first),
    captured(second),
    captured(first, { captureId: 'pi_2' }),
    captured(second, { captureId: 'pi_1' }),
    captured(first, { amountMinor: 1n }),
    captured(first, { currency: 'EUR' }),
    expired,
    delivered,
    deliveryFailed(1),
    deliveryFailed(2),
    stuck(1),
    stuck(2),
    resumed(1),
    resumed(2),
    asked(1),
    asked(2),
    settled(asked(1), 'done'),
    settled(asked(1), 'failed'),
    settled(asked(2), 'done'),
    settled(asked(1, { captureId: 'pi_2' }), 'done'),
    settled(asked(1, { amountMinor: 1n }), 'done'),
    settled(asked(1, { currency: 'EUR' }), 'done'),
    disputed('open'),
    disputed('won'),
    disputed('open', { disputeId: 'dp_2' }),
    disputed('open', { captureId: 'pi_2' }),
    disputed('open', { amountMinor: 1n }),
    disputed('open', { currency: 'EUR' }),
    { type: 'revoked', result: 'revoked' },
    { type: 'revoked', result: 'not_found' },
  ];
  expect(new Set(different.map(factKey)).size).toBe(different.length);
});

test('two reports of the same order event have the same key even if their details differ', () => {
  const same: [Fact, Fact][] = [
    [declined(first), { type: 'attempt_declined', attemptId: first, code: 'other words' }],
    [deliveryFailed(1), deliveryFailed(1, '2026-01-01T00:00:00.000Z')],
    [stuck(1), { type: 'delivery_stuck', round: 1, reason: 'declined' }],
    [resumed(1), { type: 'delivery_resumed', round: 1, by: 'somebody else' }],
    // The shop's own id identifies a refund: of two requests under one id, the first counts.
    [asked(1), asked(1, { amountMinor: 1n, reason: 'fraud', by: 'somebody else' })],
  ];
  for (const [fact, other] of same) expect(factKey(other)).toBe(factKey(fact));
});

test("the function factsOf returns the events of one type from an order's history in their original sequence", () => {
  const facts = [opened(first), captured(first), opened(second)];
  expect(factsOf(facts, 'attempt_opened')).toEqual([opened(first), opened(second)]);
});

test('an order that is paid or closed never changes back to an unpaid state', () => {
  const unpaid: OrderState[] = ['created', 'paying', 'closed'];
  for (const from of orderStates) {
    if (unpaid.includes(from)) continue;
    expect(legalMoves[from].filter((to) => unpaid.includes(to))).toEqual([]);
  }
  expect(legalMoves.closed.filter((to) => unpaid.includes(to))).toEqual([]);
});
