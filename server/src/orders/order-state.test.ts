import type { Money } from '@pointgate/contract/money.ts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Fact, factKey, legalMoves, type OrderState, project } from './order-state.ts';

const due: Money = { amountMinor: 499n, currency: 'USD' };
const first = '0198a000-0000-7000-8000-000000000001';
const second = '0198a000-0000-7000-8000-000000000002';
const stranger = '0198a000-0000-7000-8000-00000000000f';

const opened = (attemptId: string): Fact => ({ type: 'attempt_opened', attemptId });
const declined = (attemptId: string): Fact => ({
  type: 'attempt_declined',
  attemptId,
  code: 'card_declined',
});
const closed = (attemptId: string): Fact => ({ type: 'attempt_closed', attemptId });
const captured = (attemptId: string, changes: Partial<CaptureDetails> = {}): Fact => ({
  type: 'captured',
  attemptId,
  captureId: `pi_${attemptId.slice(-1)}`,
  ...due,
  ...changes,
});
type CaptureDetails = { captureId: string } & Money;
const expired: Fact = { type: 'expired' };
const deliveryFailed = (tries: number): Fact => ({
  type: 'delivery_failed',
  tries,
  cause: 'HTTP 500',
  nextTryAt: '2026-01-01T00:00:00.000Z',
});
const stuck: Fact = { type: 'delivery_stuck', reason: 'exhausted' };
const delivered: Fact = { type: 'delivered' };

const alphabet: readonly Fact[] = [
  opened(first),
  opened(second),
  declined(first),
  closed(first),
  closed(second),
  captured(first),
  captured(first, { captureId: 'pi_twin' }),
  captured(first, { amountMinor: 200n }),
  captured(first, { amountMinor: 900n }),
  captured(first, { currency: 'KRW' }),
  captured(second),
  captured(second, { amountMinor: 1n }),
  captured(stranger),
  expired,
  deliveryFailed(1),
  deliveryFailed(2),
  stuck,
  delivered,
];

describe('what is known of an order decides its state, however it was learnt', () => {
  // Each number is a fact and its place in the shuffled retelling, so one small array drawn by
  // fast-check holds a whole history with repetitions and its reordering.
  const history = fc.array(fc.nat(alphabet.length * 1000 - 1), { maxLength: 12 });

  test('a hundred thousand histories retold in another order, with repetitions, end the same', () => {
    const seen = new Set<OrderState>();
    fc.assert(
      fc.property(history, (draws) => {
        const told = draws.map(factOf);
        const retold = [...draws].sort((a, b) => placeOf(a) - placeOf(b)).map(factOf);
        const stuttered = [...retold, ...told.slice(0, 3), ...retold.toReversed()];
        const expected = project(due, told);
        seen.add(expected.state);
        return (
          isEqual(project(due, retold), expected) && isEqual(project(due, stuttered), expected)
        );
      }),
      { numRuns: 100_000 },
    );
    expect([...seen].sort()).toEqual(['arrived', 'closed', 'created', 'paid', 'paying', 'stuck']);
  });

  test('every order of up to six of the facts of a troubled purchase ends the same', () => {
    const troubled = [
      opened(first),
      declined(first),
      opened(second),
      captured(second),
      captured(first, { amountMinor: 200n }),
      expired,
      deliveryFailed(1),
      delivered,
    ];
    let told = 0;
    for (const facts of subsetsOf(troubled, 6)) {
      const expected = project(due, facts);
      for (const order of permutationsOf(facts)) {
        told += 1;
        if (!isEqual(project(due, order), expected)) expect(order).toEqual('told like the others');
      }
    }
    expect(told).toBeGreaterThan(20_000);
  });

  const factOf = (draw: number): Fact => {
    const fact = alphabet[draw % alphabet.length];
    if (fact === undefined) throw new Error('outside the alphabet');
    return fact;
  };
  const placeOf = (draw: number) => Math.floor(draw / alphabet.length);
});

test('every step of every history the shop can live through is a legal move', () => {
  const moves = new Set<string>();
  fc.assert(
    fc.property(fc.array(fc.nat(alphabet.length - 1), { maxLength: 14 }), (draws) => {
      const facts = [opened(first)];
      let state = project(due, facts).state;
      for (const draw of draws) {
        const fact = alphabet[draw];
        if (fact === undefined || !canHappen(fact, facts, state)) continue;
        facts.push(fact);
        const next = project(due, facts).state;
        if (next !== state) moves.add(`${state} to ${next}`);
        if (next !== state && !legalMoves[state].includes(next)) return false;
        state = next;
      }
      return true;
    }),
    { numRuns: 30_000 },
  );
  expect([...moves].sort()).toEqual([
    'closed to paid',
    'created to closed',
    'created to paid',
    'created to paying',
    'paid to arrived',
    'paid to stuck',
    'paying to closed',
    'paying to created',
    'paying to paid',
    'stuck to arrived',
  ]);
});

describe('only money that fits pays an order', () => {
  test.each<[string, Fact[], string]>([
    ['a cent too little', [captured(first, { amountMinor: 498n })], 'underpaid'],
    [
      'the right number in another currency',
      [captured(first, { currency: 'EUR' })],
      'wrong_currency',
    ],
    ['a payment we never opened', [captured(stranger)], 'unknown_attempt'],
    [
      'a cent too little, said twice',
      [captured(first, { amountMinor: 498n }), captured(first, { amountMinor: 498n })],
      'underpaid',
    ],
    [
      'one capture with two amounts that only together are enough',
      [captured(first, { amountMinor: 300n }), captured(first, { amountMinor: 200n })],
      'underpaid',
    ],
  ])('%s does not, and an operator is told', (_what, captures, reviewReason) => {
    const facts = [opened(first), ...captures];
    expect(project(due, facts)).toEqual({ state: 'paying', reviewReason });
    expect(project(due, [...facts, delivered])).toEqual({ state: 'paying', reviewReason });
    const ended = [...facts, closed(first), expired];
    expect(project(due, ended)).toEqual({ state: 'closed', reviewReason });
  });

  test('two captures of one attempt that together make the price do pay it', () => {
    const halves = [
      captured(first, { captureId: 'pi_a', amountMinor: 300n }),
      captured(first, { captureId: 'pi_b', amountMinor: 199n }),
    ];
    expect(project(due, [opened(first), ...halves])).toEqual({ state: 'paid', reviewReason: null });
  });

  test('without money nothing is ever delivered, whatever else is known', () => {
    const unpaid = alphabet.filter((fact) => fact.type !== 'captured' || !isEnough(fact));
    fc.assert(
      fc.property(fc.subarray([...unpaid, captured(first, { amountMinor: 498n })]), (facts) => {
        const { state } = project(due, facts);
        return state === 'created' || state === 'paying' || state === 'closed';
      }),
      { numRuns: 20_000 },
    );
  });
});

test.each<[string, Fact[]]>([
  ['of the same attempt', [opened(first), captured(first, { captureId: 'pi_twin' })]],
  ['of another attempt', [opened(first), opened(second), captured(second)]],
])('a second capture %s leaves the order paid once and tells an operator', (_what, facts) => {
  expect(project(due, [...facts, captured(first)])).toEqual({
    state: 'paid',
    reviewReason: 'overpaid',
  });
});

test('money that comes after the order was closed still pays it', () => {
  const facts = [opened(first), closed(first), expired];
  expect(project(due, facts).state).toBe('closed');
  expect(project(due, [...facts, captured(first)])).toEqual({ state: 'paid', reviewReason: null });
});

test('an order past its time stays open as long as somebody can still pay for it', () => {
  expect(project(due, [opened(first), expired]).state).toBe('paying');
});

test('facts that differ in what matters are different facts, and the rest are the same', () => {
  const keys = alphabet.map(factKey);
  expect(new Set(keys).size).toBe(alphabet.length);
  const retold: Fact = { type: 'attempt_declined', attemptId: first, code: 'other words' };
  expect(factKey(retold)).toBe(factKey(declined(first)));
  expect(factKey({ type: 'delivery_stuck', reason: 'declined' })).toBe(factKey(stuck));
});

/** What the shop itself makes sure of: see openPayment, settleTruth and the delivery job. */
function canHappen(fact: Fact, known: readonly Fact[], state: OrderState): boolean {
  switch (fact.type) {
    case 'attempt_opened':
      return state === 'created' && !known.includes(fact);
    case 'attempt_declined':
    case 'attempt_closed':
      return known.some((earlier) => isOpening(earlier, fact.attemptId));
    case 'delivery_failed':
    case 'delivery_stuck':
    case 'delivered':
      return state === 'paid' || state === 'stuck' || state === 'arrived';
    case 'captured':
    case 'expired':
      return true;
  }
}

function isOpening(fact: Fact, attemptId: string): boolean {
  return fact.type === 'attempt_opened' && fact.attemptId === attemptId;
}

function isEnough(fact: Extract<Fact, { type: 'captured' }>): boolean {
  const isOurs = fact.attemptId === first || fact.attemptId === second;
  return isOurs && fact.currency === due.currency;
}

function isEqual(left: ReturnType<typeof project>, right: ReturnType<typeof project>): boolean {
  return left.state === right.state && left.reviewReason === right.reviewReason;
}

function* subsetsOf<T>(all: readonly T[], sizeMax: number): Generator<T[]> {
  for (let mask = 0; mask < 2 ** all.length; mask += 1) {
    const subset = all.filter((_, index) => (mask & (1 << index)) !== 0);
    if (subset.length <= sizeMax) yield subset;
  }
}

function* permutationsOf<T>(items: readonly T[]): Generator<T[]> {
  if (items.length <= 1) yield [...items];
  for (const [index, item] of items.entries()) {
    if (items.length <= 1) return;
    for (const rest of permutationsOf(items.toSpliced(index, 1))) yield [item, ...rest];
  }
}
