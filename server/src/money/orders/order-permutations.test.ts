import { describe, expect, test } from 'vitest';
import {
  asked,
  canBeRecorded,
  captured,
  closed,
  declined,
  delivered,
  disputed,
  due,
  elsewhere,
  expired,
  first,
  opened,
  resumed,
  revoked,
  second,
  settled,
  stuck,
} from '../../../test/facts.ts';
import type { Fact } from './order-fact.ts';
import { legalMoves, orderStates, type Projection, project } from './order-state.ts';

const whole = asked(1);
const anew = asked(4);
const part = asked(2, { amountMinor: 200n });

describe('permutations of provider messages', () => {
  test.each<[string, Fact[]]>([
    [
      'two payments, a refund and a dispute',
      [
        opened(first),
        opened(second),
        closed(first),
        captured(first),
        captured(second),
        expired,
        whole,
        settled(whole, 'done'),
        settled(whole, 'failed'),
        disputed('open'),
        disputed('won'),
        disputed('lost'),
      ],
    ],
    [
      'a returned refund, its replacement and a dispute',
      [
        opened(first),
        captured(first),
        whole,
        settled(whole, 'done'),
        settled(whole, 'returned'),
        revoked,
        anew,
        settled(anew, 'done'),
        disputed('open'),
        disputed('won'),
      ],
    ],
    [
      'a late payment, partial refunds and a reinstated dispute',
      [
        opened(first),
        declined(first),
        captured(first),
        captured(first, { amountMinor: 900n }),
        delivered,
        part,
        elsewhere({ amountMinor: 299n }),
        disputed('lost', { amountMinor: 200n }),
        disputed('reinstated', { amountMinor: 200n }),
      ],
    ],
  ])(
    'up to six provider messages about %s leave an order in the same state, in whatever sequence they arrive',
    (_what, messages) => {
      const ends = new Map<number, string>();
      let tellings = 0;
      const tell = (told: readonly Fact[], mask: number) => {
        const end = textOf(project(due, told));
        const known = ends.get(mask) ?? end;
        ends.set(mask, known);
        tellings += 1;
        if (end !== known) expect({ told, end }).toEqual({ told, end: known });
        if (told.length === 6) return;
        for (const [index, message] of messages.entries()) {
          const bit = 1 << index;
          if ((mask & bit) === 0) tell([...told, message], mask | bit);
        }
      };
      tell([], 0);
      console.info(`${tellings} tellings of ${ends.size} sets of messages`);
      expect(tellings).toBe(arrangements(messages.length, 6));
      expect(tellings).toBeGreaterThan(79_000);
    },
  );

  /** The number of sequences of up to `upTo` of `count` messages. */
  const arrangements = (count: number, upTo: number): number =>
    upTo === 0 ? 1 : 1 + count * arrangements(count - 1, upTo - 1);

  const textOf = ({ state, isDelivered, money }: Projection) =>
    [
      state,
      isDelivered,
      money.isPaid,
      money.lossMinor,
      money.pendingLossMinor,
      money.surplusMinor,
      money.reviewReason,
      money.isDisputed,
      ...money.captures.flatMap((one) => [one.captureId, one.misfit, one.refundableMinor]),
      ...money.refunds.flatMap((one) => [one.refundId, one.state, one.amountMinor]),
      ...money.disputes.flatMap((one) => [one.disputeId, one.stage, one.amountMinor]),
    ].join();
});

// The state depends on the set of facts and not on their order, so each set is visited once.
test('the table of legal order state transitions contains exactly the transitions that payment and delivery events can cause', () => {
  const strange = asked(3, { amountMinor: 900n });
  const facts: readonly Fact[] = [
    opened(first),
    opened(second),
    closed(first),
    captured(first),
    captured(second),
    captured(first, { amountMinor: 900n }),
    expired,
    stuck(),
    resumed(),
    delivered,
    whole,
    settled(whole, 'done'),
    settled(whole, 'failed'),
    settled(whole, 'returned'),
    revoked,
    strange,
    elsewhere(),
    disputed('open'),
    disputed('lost'),
    disputed('reinstated'),
  ];
  const reached = new Set<string>();
  const seen = new Set<number>();
  const live = (known: readonly Fact[], mask: number, now: Projection) => {
    seen.add(mask);
    for (const [index, fact] of facts.entries()) {
      const bit = 1 << index;
      if ((mask & bit) !== 0 || !canBeRecorded(fact, known, now)) continue;
      const next = project(due, [...known, fact]);
      if (next.state !== now.state) reached.add(`${now.state} to ${next.state}`);
      if (!seen.has(mask | bit)) live([...known, fact], mask | bit, next);
    }
  };
  live([], 0, project(due, []));
  console.info(`${seen.size} sets of facts`);

  const legal = orderStates.flatMap((from) => legalMoves[from].map((to) => `${from} to ${to}`));
  expect([...reached].filter((move) => !legal.includes(move))).toEqual([]);
  expect(legal.filter((move) => !reached.has(move))).toEqual([]);
  expect(seen.size).toBeGreaterThan(10_000);
});
