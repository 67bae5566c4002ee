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

describe('an order without trouble', () => {
  test.each<[string, Fact[], OrderState]>([
    ['is created while nothing is known of it', [], 'created'],
    ['is being paid while a payment page is open', [opened(first)], 'paying'],
    ['can be paid again when the provider declined', [opened(first), declined(first)], 'created'],
    ['can be paid again when its page was closed', [opened(first), closed(first)], 'created'],
    [
      'is being paid on a second page after the first one was closed',
      [opened(first), closed(first), opened(second)],
      'paying',
    ],
    ['is closed when its time is over', [expired], 'closed'],
    [
      'is closed when its time is over and its page too',
      [opened(first), closed(first), expired],
      'closed',
    ],
    ['stays open as long as somebody can still pay for it', [opened(first), expired], 'paying'],
    ['is paid when its money is there', paid, 'paid'],
    ['has arrived when the game gave it', [...paid, delivered], 'arrived'],
    ['stays paid while the game keeps failing', [...paid, deliveryFailed(1)], 'paid'],
    ['is stuck when nobody tries any more', [...paid, stuck()], 'stuck'],
    ['is on its way again when an operator resumes it', [...paid, stuck(), resumed()], 'paid'],
    [
      'is stuck again when the tries of the next round are used up too',
      [...paid, stuck(1), resumed(1), stuck(2)],
      'stuck',
    ],
    ['has arrived although it was stuck', [...paid, stuck(), delivered], 'arrived'],
    [
      'is paid by money that comes after its end',
      [opened(first), closed(first), expired, captured(first)],
      'paid',
    ],
    [
      'is on its way back where the law does not let us keep it',
      [...paid, asked(1, { reason: 'over_limit' })],
      'refunding',
    ],
    [
      'is given nothing where it could not go back',
      [
        ...paid,
        asked(1, { reason: 'over_limit' }),
        settled(asked(1, { reason: 'over_limit' }), 'failed'),
      ],
      'stuck',
    ],
    [
      'is paid by money that comes although the provider had declined',
      [opened(first), declined(first), captured(first)],
      'paid',
    ],
  ])('%s', (_what, facts, state) => {
    expect(stateOf(...facts)).toBe(state);
    expect(reviewOf(...facts)).toBeNull();
  });
});

describe('only money that fits pays an order', () => {
  test.each<[string, Fact[], string]>([
    ['a cent too little', [captured(first, { amountMinor: 498n })], 'underpaid'],
    ['a cent too much', [captured(first, { amountMinor: 500n })], 'overpaid'],
    [
      'the right number in another currency',
      [captured(first, { currency: 'EUR' })],
      'wrong_currency',
    ],
    ['a payment we never opened', [captured(stranger)], 'unknown_attempt'],
    [
      'one capture with two amounts that only together are enough',
      [captured(first, { amountMinor: 300n }), captured(first, { amountMinor: 199n })],
      'underpaid',
    ],
    [
      'two captures that only together are enough',
      [
        captured(first, { captureId: 'pi_a', amountMinor: 300n }),
        captured(first, { captureId: 'pi_b', amountMinor: 199n }),
      ],
      'underpaid',
    ],
  ])(
    '%s does not: nothing is delivered, and an operator has to look',
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

  test('money that does not fit blocks the order until all of it has gone back', () => {
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

  test('an order that was underpaid is paid by the right amount on another page', () => {
    const facts = [opened(first), captured(first, { amountMinor: 1n }), opened(second)];
    expect(stateOf(...facts)).toBe('paying');
    expect(stateOf(...facts, captured(second))).toBe('paid');
    expect(reviewOf(...facts, captured(second))).toBe('underpaid');
  });

  test('a provider that once said the exact price cannot take that back, and is looked at', () => {
    for (const amountMinor of [200n, 900n]) {
      const facts = [...paid, captured(first, { amountMinor })];
      expect(stateOf(...facts)).toBe('paid');
      expect(reviewOf(...facts)).toBe(amountMinor > 499n ? 'overpaid' : null);
    }
  });

  test('of several things that do not fit the worst is told', () => {
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

  test('a payment page that brought money is no open page any more', () => {
    const half = captured(first, { amountMinor: 1n });
    const back = asked(1, { amountMinor: 1n, reason: 'misfit' });
    expect(stateOf(opened(first), half, back, settled(back, 'done'), expired)).toBe('closed');
  });
});

describe('a second payment leaves the order as it is', () => {
  const again = asked(4, { reason: 'duplicate', captureId: 'pi_2' });
  test.each<[string, Fact[]]>([
    ['on another page', paidTwice],
    ['on the same page', [...paid, captured(first, { captureId: 'pi_twin' })]],
    ['and its way back', [...paidTwice, again]],
    ['that has gone back', [...paidTwice, again, settled(again, 'done')]],
    ['that could not be sent back', [...paidTwice, again, settled(again, 'failed')]],
    ['that was sent back elsewhere', [...paidTwice, elsewhere({ captureId: 'pi_2' })]],
    ['that its bank took back', [...paidTwice, disputed('lost', { captureId: 'pi_2' })]],
  ])('%s', (_what, facts) => {
    expect(stateOf(...facts)).toBe('paid');
    expect(stateOf(...facts, delivered)).toBe('arrived');
    expect(reviewOf(...facts)).toBeNull();
  });

  test('until more is gone than was paid beside the price', () => {
    const gone = [...paidTwice, again, settled(again, 'done')];
    expect(stateOf(...gone, disputed('lost'))).toBe('refunded');
    expect(stateOf(...paidTwice, disputed('lost'), elsewhere({ captureId: 'pi_2' }))).toBe(
      'refunded',
    );
  });

  test('and pays it again after a bank took the first one', () => {
    const lost = [...paid, disputed('lost')];
    expect(stateOf(...lost)).toBe('refunded');
    expect(stateOf(...lost, opened(second), captured(second))).toBe('paid');
  });
});

describe('an order whose money goes back', () => {
  const whole = asked(1);
  const part = asked(2, { amountMinor: 200n });
  const rest = asked(3, { amountMinor: 299n });
  test.each<[string, Fact[], OrderState]>([
    ['is being refunded from the moment it is asked for', [whole], 'refunding'],
    ['is refunded when it is done', [whole, settled(whole, 'done')], 'refunded'],
    ['is as it was when the refund failed', [whole, settled(whole, 'failed')], 'paid'],
    [
      'is refunded when a refund that failed was paid out after all',
      [whole, settled(whole, 'failed'), settled(whole, 'done')],
      'refunded',
    ],
    ['goes on while a part is on its way', [part], 'paid'],
    ['goes on when a part has gone back', [part, settled(part, 'done')], 'paid'],
    ['is being refunded when the parts on their way are all of it', [part, rest], 'refunding'],
    [
      'is being refunded when the rest is on its way',
      [part, settled(part, 'done'), rest],
      'refunding',
    ],
    [
      'goes on when one of two parts failed',
      [part, settled(part, 'done'), rest, settled(rest, 'failed')],
      'paid',
    ],
    [
      'is refunded when all its parts are',
      [part, settled(part, 'done'), rest, settled(rest, 'done')],
      'refunded',
    ],
    ['is refunded by a refund made at the provider', [elsewhere()], 'refunded'],
    [
      'goes on after a part was refunded at the provider',
      [elsewhere({ amountMinor: 498n })],
      'paid',
    ],
    [
      'is as it was when a refund made at the provider failed',
      [elsewhere({ outcome: 'failed' })],
      'paid',
    ],
    ['goes on while a bank only warns', [disputed('warning')], 'paid'],
    ['goes on while a bank asks', [disputed('warning'), disputed('open')], 'paid'],
    ['goes on when the dispute is won', [disputed('open'), disputed('won')], 'paid'],
    ['is refunded when the dispute is lost', [disputed('open'), disputed('lost')], 'refunded'],
    ['goes on when only a part is lost', [disputed('lost', { amountMinor: 498n })], 'paid'],
    [
      'is back when a lost dispute is won after all',
      [disputed('lost'), disputed('reinstated')],
      'paid',
    ],
    [
      'is refunded by a part that went back and a part that was lost',
      [part, settled(part, 'done'), disputed('lost', { amountMinor: 299n })],
      'refunded',
    ],
    [
      'is being refunded when what a bank gave back was asked for as well',
      [whole, disputed('lost'), disputed('reinstated')],
      'refunding',
    ],
  ])('%s', (_what, more, state) => {
    expect(stateOf(...paid, ...more)).toBe(state);
    // Heard before its payment, it makes no difference.
    expect(stateOf(...more, ...paid.toReversed())).toBe(state);
    const isStopped = state === 'refunded' || state === 'refunding';
    expect(stateOf(...paid, ...more, delivered)).toBe(isStopped ? state : 'arrived');
    expect(stateOf(...paid, ...more, stuck())).toBe(isStopped ? state : 'stuck');
    expect(reviewOf(...paid, ...more)).toBeNull();
  });

  test('is in dispute from the bank asking to the dispute being decided', () => {
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

  test('is not touched by money that goes back of another payment or in another currency', () => {
    for (const about of [{ captureId: 'pi_unheard' }, { currency: 'EUR' }] as const) {
      expect(stateOf(...paid, elsewhere(about))).toBe('paid');
      expect(stateOf(...paid, disputed('lost', about))).toBe('paid');
      expect(stateOf(...paid, asked(1, about))).toBe('paid');
    }
  });

  test('without money there is nothing to send back', () => {
    for (const more of [[whole], [elsewhere()], [disputed('lost')]]) {
      expect(stateOf(...more)).toBe('created');
      expect(stateOf(opened(first), ...more)).toBe('paying');
      expect(stateOf(opened(first), closed(first), expired, ...more)).toBe('closed');
    }
  });
});

test('an order knows whether its goods were given, whatever became of its money', () => {
  expect(project(due, paid).isDelivered).toBe(false);
  expect(project(due, [...paid, delivered]).isDelivered).toBe(true);
  expect(project(due, [...paid, delivered, elsewhere()]).isDelivered).toBe(true);
});

test('facts that differ in what matters are different facts', () => {
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

test('the same thing in other words is the same fact', () => {
  const same: [Fact, Fact][] = [
    [declined(first), { type: 'attempt_declined', attemptId: first, code: 'other words' }],
    [deliveryFailed(1), deliveryFailed(1, '2026-01-01T00:00:00.000Z')],
    [stuck(1), { type: 'delivery_stuck', round: 1, reason: 'declined' }],
    [resumed(1), { type: 'delivery_resumed', round: 1, by: 'somebody else' }],
    // Our own id names a refund: asked again, it is the first request that counts.
    [asked(1), asked(1, { amountMinor: 1n, reason: 'fraud', by: 'somebody else' })],
  ];
  for (const [fact, other] of same) expect(factKey(other)).toBe(factKey(fact));
});

test('facts can be told apart by what they are about', () => {
  const facts = [opened(first), captured(first), opened(second)];
  expect(factsOf(facts, 'attempt_opened')).toEqual([opened(first), opened(second)]);
});

test('money never leads back to an unpaid order, and nothing opens a closed one but money', () => {
  const unpaid: OrderState[] = ['created', 'paying', 'closed'];
  for (const from of orderStates) {
    if (unpaid.includes(from)) continue;
    expect(legalMoves[from].filter((to) => unpaid.includes(to))).toEqual([]);
  }
  expect(legalMoves.closed.filter((to) => unpaid.includes(to))).toEqual([]);
});
