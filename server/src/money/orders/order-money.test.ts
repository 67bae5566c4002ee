import { describe, expect, test } from 'vitest';
import {
  asked,
  captured,
  disputed,
  due,
  elsewhere,
  first,
  opened,
  refundIdOf,
  second,
  settled,
  stranger,
} from '../../../test/facts.ts';
import type { Fact } from './order-fact.ts';
import { moneyOf } from './order-money.ts';

const paid = [opened(first), captured(first)];
const paidTwice = [...paid, opened(second), captured(second)];
const paidThrice = [...paidTwice, captured(second, { captureId: 'pi_3' })];

const part = asked(2, { amountMinor: 200n });
const again = asked(4, { reason: 'duplicate', captureId: 'pi_2' });

/** The amounts lost, pending refund, and paid twice without a refund request. */
const tallyOf = (...facts: Fact[]) => {
  const { lossMinor, pendingLossMinor, surplusMinor } = moneyOf(due, facts);
  return [lossMinor, pendingLossMinor, surplusMinor];
};

/** The refundable amount of each capture. */
const leftOf = (...facts: Fact[]) =>
  Object.fromEntries(
    moneyOf(due, facts).captures.map(({ captureId, refundableMinor }) => [
      captureId,
      refundableMinor,
    ]),
  );

describe('refunded and pending amounts', () => {
  test.each<[string, Fact[], [bigint, bigint, bigint]]>([
    ['a paid order without refunds has lost nothing', paid, [0n, 0n, 0n]],
    ['a requested refund counts as pending', [...paid, asked(1)], [0n, 499n, 0n]],
    [
      'a completed refund counts as lost',
      [...paid, asked(1), settled(asked(1), 'done')],
      [499n, 0n, 0n],
    ],
    [
      'a failed refund counts as nothing',
      [...paid, asked(1), settled(asked(1), 'failed')],
      [0n, 0n, 0n],
    ],
    ['a refund requested twice counts once', [...paid, part, part], [0n, 200n, 0n]],
    [
      'partial refunds add up, separately for completed and pending ones',
      [...paid, part, settled(part, 'done'), asked(3, { amountMinor: 100n })],
      [200n, 100n, 0n],
    ],
    [
      'a refund counts with its requested amount, whatever the provider reports',
      [...paid, part, settled(asked(2, { amountMinor: 499n, captureId: 'pi_2' }), 'done')],
      [200n, 0n, 0n],
    ],
    [
      'a refund made at the provider counts as lost',
      [...paid, elsewhere({ amountMinor: 7n })],
      [7n, 0n, 0n],
    ],
    [
      'a failed refund made at the provider counts as nothing',
      [...paid, elsewhere({ outcome: 'failed' })],
      [0n, 0n, 0n],
    ],
    ['an open dispute counts as nothing', [...paid, disputed('open')], [0n, 0n, 0n]],
    [
      'a lost dispute counts as lost',
      [...paid, disputed('lost', { amountMinor: 7n })],
      [7n, 0n, 0n],
    ],
    [
      'a dispute counts only with the amount that was lost',
      [...paid, disputed('open'), disputed('lost', { amountMinor: 7n })],
      [7n, 0n, 0n],
    ],
    [
      'a reinstated dispute counts as nothing',
      [...paid, disputed('lost'), disputed('reinstated', { amountMinor: 1n })],
      [0n, 0n, 0n],
    ],
    [
      'a dispute lost after a refund makes the lost amount exceed the price',
      [...paid, asked(1), settled(asked(1), 'done'), disputed('lost')],
      [998n, 0n, 0n],
    ],
    [
      'a refund of an unpaid order counts as nothing',
      [opened(first), elsewhere(), asked(1)],
      [0n, 0n, 0n],
    ],
    [
      'a refund or lost dispute of a mismatched capture counts as nothing',
      [
        ...paid,
        captured(stranger),
        asked(1, { captureId: 'pi_f' }),
        disputed('lost', { captureId: 'pi_f' }),
      ],
      [0n, 0n, 0n],
    ],
  ])(
    'the refunded, disputed and pending amounts of an order result from its recorded payments, refunds and disputes: %s',
    (_what, facts, tally) => {
      expect(tallyOf(...facts)).toEqual(tally);
      expect(tallyOf(...facts.toReversed())).toEqual(tally);
    },
  );
});

describe('second payments', () => {
  test.each<[string, Fact[], [bigint, bigint, bigint]]>([
    ['a second payment is a surplus to be refunded', paidTwice, [0n, 0n, 499n]],
    ['a second and a third payment are both a surplus to be refunded', paidThrice, [0n, 0n, 998n]],
    [
      'a surplus whose refund was requested is not requested again',
      [...paidTwice, again],
      [0n, 0n, 0n],
    ],
    [
      'a refund request covers only one of two surplus payments',
      [...paidThrice, again],
      [0n, 0n, 499n],
    ],
    [
      'a refunded surplus costs the order nothing',
      [...paidTwice, again, settled(again, 'done')],
      [0n, 0n, 0n],
    ],
    [
      'a surplus whose refund failed is not requested again automatically',
      [...paidTwice, again, settled(again, 'failed')],
      [0n, 0n, 0n],
    ],
    [
      'a surplus already refunded at the provider is not requested again',
      [...paidTwice, elsewhere()],
      [0n, 0n, 0n],
    ],
    [
      'a surplus already lost to a dispute is not requested again',
      [...paidTwice, disputed('lost')],
      [0n, 0n, 0n],
    ],
    [
      'a surplus partly lost to a dispute leaves the rest to be refunded',
      [...paidTwice, disputed('lost', { amountMinor: 200n })],
      [0n, 0n, 299n],
    ],
    [
      'a surplus is still to be refunded after the order itself was refunded',
      [...paidTwice, asked(1), settled(asked(1), 'done')],
      [499n, 0n, 499n],
    ],
    [
      'a surplus absorbs a lost dispute up to its own amount',
      [...paidTwice, disputed('lost', { amountMinor: 700n })],
      [201n, 0n, 0n],
    ],
    [
      'a surplus with a pending refund absorbs a lost dispute',
      [...paidTwice, again, disputed('lost')],
      [0n, 0n, 0n],
    ],
    [
      'a refunded surplus absorbs no lost dispute',
      [...paidTwice, again, settled(again, 'done'), disputed('lost', { amountMinor: 200n })],
      [200n, 0n, 0n],
    ],
    [
      'a capture reported under two payment attempts is no surplus',
      [...paid, opened(second), captured(second, { captureId: 'pi_1' })],
      [0n, 0n, 0n],
    ],
    [
      'a mismatched second capture is no surplus',
      [...paid, opened(second), captured(second, { amountMinor: 498n })],
      [0n, 0n, 0n],
    ],
  ])(
    'a refund of an order that was paid more than once comes first out of the surplus and only then out of the order: %s',
    (_what, facts, tally) => {
      expect(tallyOf(...facts)).toEqual(tally);
      expect(tallyOf(...facts.toReversed())).toEqual(tally);
    },
  );

  test.each(['duplicate', 'misfit'] as const)(
    "a refund with the reason %s of an order's only payment counts as a refund of the order",
    (reason) => {
      const only = asked(5, { reason });
      expect(tallyOf(...paid, only, settled(only, 'done'))).toEqual([499n, 0n, 0n]);
    },
  );

  test('a refund of the amount that a provider reports above the order price does not count as a refund of the order', () => {
    const facts = [...paid, captured(first, { amountMinor: 900n })];
    const difference = asked(5, { reason: 'misfit', amountMinor: 401n });
    expect(tallyOf(...facts, difference, settled(difference, 'done'))).toEqual([0n, 0n, 0n]);
    expect(tallyOf(...facts, disputed('lost', { amountMinor: 500n }))).toEqual([99n, 0n, 0n]);
  });
});

describe('refundable amounts', () => {
  test.each<[string, Fact[], bigint]>([
    ['a capture is fully refundable at first', [], 499n],
    ['a pending refund reduces the refundable amount', [part], 299n],
    ['a completed refund reduces the refundable amount', [part, settled(part, 'done')], 299n],
    ['a failed refund makes its amount refundable again', [part, settled(part, 'failed')], 499n],
    [
      'a refund made at the provider reduces the refundable amount',
      [elsewhere({ amountMinor: 200n })],
      299n,
    ],
    ['a dispute warning leaves the refundable amount unchanged', [disputed('warning')], 499n],
    [
      'an open dispute reduces the refundable amount',
      [disputed('open', { amountMinor: 200n })],
      299n,
    ],
    ['a won dispute makes its amount refundable again', [disputed('open'), disputed('won')], 499n],
    [
      'a lost dispute reduces the refundable amount',
      [disputed('lost', { amountMinor: 200n })],
      299n,
    ],
    [
      'a reinstated dispute makes its amount refundable again',
      [disputed('lost'), disputed('reinstated')],
      499n,
    ],
    ['the refundable amount is never negative', [asked(1), disputed('lost')], 0n],
    [
      'a refund of another capture leaves the refundable amount unchanged',
      [asked(1, { captureId: 'pi_2' })],
      499n,
    ],
    [
      'a refund in another currency leaves the refundable amount unchanged',
      [asked(1, { currency: 'EUR' })],
      499n,
    ],
    [
      'a dispute about another capture leaves the refundable amount unchanged',
      [disputed('lost', { captureId: 'pi_2' })],
      499n,
    ],
  ])(
    'the refundable amount of a capture is the amount that its refunds and disputes leave: %s',
    (_what, more, left) => {
      expect(leftOf(...paid, ...more)).toEqual({ pi_1: left });
    },
  );

  test('the refundable amount of an order is computed for each of its captures, including captures of a wrong amount', () => {
    const facts = [...paidTwice, captured(stranger, { amountMinor: 70n }), part, again];
    expect(leftOf(...facts)).toEqual({ pi_1: 299n, pi_2: 0n, pi_f: 70n });
  });
});

describe('contradictory reports of a capture', () => {
  test('a capture that the provider reports with several amounts counts with the largest of them', () => {
    const amounts = [200n, 900n, 499n].map((amountMinor) => captured(first, { amountMinor }));
    expect(moneyOf(due, [opened(first), ...amounts]).captures).toEqual([
      {
        captureId: 'pi_1',
        attemptId: first,
        currency: 'USD',
        amountMinor: 900n,
        misfit: null,
        goneMinor: 0n,
        refundableMinor: 900n,
      },
    ]);
  });

  test('captures of an order are listed once per currency and payment attempt, sorted independently of the sequence of provider reports', () => {
    const told = [
      captured(second, { captureId: 'pi_1' }),
      captured(first, { currency: 'EUR' }),
      captured(first),
    ];
    const lines = (facts: Fact[]) =>
      moneyOf(due, facts).captures.map(({ attemptId, currency, misfit }) => [
        attemptId,
        currency,
        misfit,
      ]);
    const expected = [
      [first, 'EUR', 'wrong_currency'],
      [first, 'USD', null],
      [second, 'USD', 'unknown_attempt'],
    ];
    expect(lines([opened(first), ...told])).toEqual(expected);
    expect(lines([opened(first), ...told.toReversed()])).toEqual(expected);
  });
});

test('an order with a capture in a wrong amount or currency stays in review until the largest amount reported for it is refunded', () => {
  const reviewOf = (...facts: Fact[]) => moneyOf(due, facts).reviewReason;
  const more = [...paid, captured(first, { amountMinor: 900n })];
  expect(reviewOf(...more)).toBe('overpaid');
  expect(reviewOf(...more, elsewhere({ amountMinor: 899n }))).toBe('overpaid');
  expect(reviewOf(...more, elsewhere({ amountMinor: 900n }))).toBeNull();

  const euros = [opened(first), captured(first, { currency: 'EUR' })];
  expect(reviewOf(...euros, elsewhere())).toBe('wrong_currency');
  expect(reviewOf(...euros, elsewhere({ currency: 'EUR', amountMinor: 498n }))).toBe(
    'wrong_currency',
  );
  expect(reviewOf(...euros, elsewhere({ currency: 'EUR' }))).toBeNull();
  expect(reviewOf(...euros, disputed('lost', { currency: 'EUR' }))).toBeNull();
});

describe('lists of refunds', () => {
  test('refunds by the shop and refunds made at the provider are listed in a fixed order', () => {
    const facts = [
      elsewhere({ amountMinor: 7n }),
      part,
      asked(1, { reason: 'goodwill', amountMinor: 1n }),
      settled(part, 'done'),
    ];
    const usd = { captureId: 'pi_1', currency: 'USD' };
    const expected = [
      { ...usd, refundId: refundIdOf(1), amountMinor: 1n, reason: 'goodwill', state: 'pending' },
      { ...usd, refundId: refundIdOf(2), amountMinor: 200n, reason: 'operator', state: 'done' },
      { ...usd, refundId: 're_elsewhere', amountMinor: 7n, reason: 'elsewhere', state: 'done' },
    ];
    expect(moneyOf(due, [...paid, ...facts]).refunds).toEqual(expected);
    expect(moneyOf(due, [...paid, ...facts.toReversed()]).refunds).toEqual(expected);
  });

  test('a refund made at the provider and reported with several amounts counts with the largest amount reported as completed', () => {
    const told = [
      elsewhere({ amountMinor: 300n, outcome: 'failed' }),
      elsewhere({ amountMinor: 100n }),
      elsewhere({ amountMinor: 200n }),
    ];
    for (const facts of [told, told.toReversed()]) {
      expect(moneyOf(due, facts).refunds).toMatchObject([{ amountMinor: 200n, state: 'done' }]);
    }
    // A refund that was only ever reported as failed is not listed.
    expect(moneyOf(due, told.slice(0, 1)).refunds).toEqual([]);
  });

  test('a refund returned by the bank counts as failed, in whatever sequence the provider reports its states', () => {
    const returned = elsewhere({ outcome: 'returned' });
    for (const facts of [
      [elsewhere(), returned],
      [returned, elsewhere()],
    ]) {
      expect(moneyOf(due, facts).refunds).toMatchObject([{ amountMinor: 499n, state: 'failed' }]);
    }
  });

  test('a refund that the provider reports for several captures is assigned to the same capture in any sequence of the reports', () => {
    const told = [elsewhere({ captureId: 'pi_2' }), elsewhere(), elsewhere({ currency: 'EUR' })];
    for (const facts of [told, told.toReversed(), [told[1], told[2], told[0]] as Fact[]]) {
      expect(moneyOf(due, facts).refunds).toMatchObject([{ captureId: 'pi_1', currency: 'EUR' }]);
    }
  });
});

describe('disputes', () => {
  test('a dispute counts with its latest stage (from warning to reinstated), in whatever sequence the provider reports the stages', () => {
    const heard = ['warning', 'open', 'won', 'lost', 'reinstated'] as const;
    for (const [index, stage] of heard.entries()) {
      const facts = heard.slice(0, index + 1).map((one) => disputed(one));
      for (const told of [facts, facts.toReversed()]) {
        expect(moneyOf(due, told).disputes).toEqual([
          { disputeId: 'dp_1', captureId: 'pi_1', ...due, stage },
        ]);
      }
    }
  });

  test('several disputes of an order are listed by their ids, in whatever sequence the provider reports them', () => {
    const told = [disputed('open', { disputeId: 'dp_2' }), disputed('won')];
    for (const facts of [told, told.toReversed()]) {
      const { disputes } = moneyOf(due, facts);
      expect(disputes.map(({ disputeId }) => disputeId)).toEqual(['dp_1', 'dp_2']);
    }
  });
});
