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

/** What the order lost, what is on its way back besides, and what was paid twice and not asked for. */
const tallyOf = (...facts: Fact[]) => {
  const { lossMinor, pendingLossMinor, surplusMinor } = moneyOf(due, facts);
  return [lossMinor, pendingLossMinor, surplusMinor];
};

/** What could still be sent back, by capture. */
const leftOf = (...facts: Fact[]) =>
  Object.fromEntries(
    moneyOf(due, facts).captures.map(({ captureId, refundableMinor }) => [
      captureId,
      refundableMinor,
    ]),
  );

describe('what an order lost and is about to lose', () => {
  test.each<[string, Fact[], [bigint, bigint, bigint]]>([
    ['is nothing while nothing happens', paid, [0n, 0n, 0n]],
    ['is on its way while a refund is', [...paid, asked(1)], [0n, 499n, 0n]],
    ['is gone when it is done', [...paid, asked(1), settled(asked(1), 'done')], [499n, 0n, 0n]],
    ['is nothing when it failed', [...paid, asked(1), settled(asked(1), 'failed')], [0n, 0n, 0n]],
    ['counts a refund once that is asked for twice', [...paid, part, part], [0n, 200n, 0n]],
    [
      'adds up over parts',
      [...paid, part, settled(part, 'done'), asked(3, { amountMinor: 100n })],
      [200n, 100n, 0n],
    ],
    [
      'is what we asked for, whatever amount the provider names afterwards',
      [...paid, part, settled(asked(2, { amountMinor: 499n, captureId: 'pi_2' }), 'done')],
      [200n, 0n, 0n],
    ],
    [
      'counts what was sent back elsewhere',
      [...paid, elsewhere({ amountMinor: 7n })],
      [7n, 0n, 0n],
    ],
    [
      'is nothing for a refund elsewhere that failed',
      [...paid, elsewhere({ outcome: 'failed' })],
      [0n, 0n, 0n],
    ],
    ['is nothing while a dispute is open', [...paid, disputed('open')], [0n, 0n, 0n]],
    ['is what a bank took', [...paid, disputed('lost', { amountMinor: 7n })], [7n, 0n, 0n]],
    [
      'is less than was in dispute where the bank took less',
      [...paid, disputed('open'), disputed('lost', { amountMinor: 7n })],
      [7n, 0n, 0n],
    ],
    [
      'is nothing when the bank gave it back',
      [...paid, disputed('lost'), disputed('reinstated', { amountMinor: 1n })],
      [0n, 0n, 0n],
    ],
    [
      'can be more than the price, where a bank took what was refunded already',
      [...paid, asked(1), settled(asked(1), 'done'), disputed('lost')],
      [998n, 0n, 0n],
    ],
    [
      'is nothing of an order that was never paid',
      [opened(first), elsewhere(), asked(1)],
      [0n, 0n, 0n],
    ],
    [
      'is nothing where money goes back that never fitted',
      [
        ...paid,
        captured(stranger),
        asked(1, { captureId: 'pi_f' }),
        disputed('lost', { captureId: 'pi_f' }),
      ],
      [0n, 0n, 0n],
    ],
  ])('%s', (_what, facts, tally) => {
    expect(tallyOf(...facts)).toEqual(tally);
    expect(tallyOf(...facts.toReversed())).toEqual(tally);
  });
});

describe('what was paid twice', () => {
  test.each<[string, Fact[], [bigint, bigint, bigint]]>([
    ['has to go back', paidTwice, [0n, 0n, 499n]],
    ['has to go back, each time', paidThrice, [0n, 0n, 998n]],
    ['is asked for once', [...paidTwice, again], [0n, 0n, 0n]],
    ['is asked for once for each time', [...paidThrice, again], [0n, 0n, 499n]],
    [
      'costs the order nothing when it is back',
      [...paidTwice, again, settled(again, 'done')],
      [0n, 0n, 0n],
    ],
    [
      'is not asked for again by ourselves when that failed',
      [...paidTwice, again, settled(again, 'failed')],
      [0n, 0n, 0n],
    ],
    [
      'is not asked for where it was sent back elsewhere',
      [...paidTwice, elsewhere()],
      [0n, 0n, 0n],
    ],
    ['is not asked for where a bank took it', [...paidTwice, disputed('lost')], [0n, 0n, 0n]],
    [
      'is still to be asked for where a bank took only a part',
      [...paidTwice, disputed('lost', { amountMinor: 200n })],
      [0n, 0n, 299n],
    ],
    [
      'is asked for although the order is refunded too',
      [...paidTwice, asked(1), settled(asked(1), 'done')],
      [499n, 0n, 499n],
    ],
    [
      'covers what a bank takes, and no more',
      [...paidTwice, disputed('lost', { amountMinor: 700n })],
      [201n, 0n, 0n],
    ],
    [
      'covers what a bank takes while it is on its way back',
      [...paidTwice, again, disputed('lost')],
      [0n, 0n, 0n],
    ],
    [
      'covers nothing once it is back',
      [...paidTwice, again, settled(again, 'done'), disputed('lost', { amountMinor: 200n })],
      [200n, 0n, 0n],
    ],
    [
      'is nothing where one capture is told of under two payments',
      [...paid, opened(second), captured(second, { captureId: 'pi_1' })],
      [0n, 0n, 0n],
    ],
    [
      'is nothing where the other money does not fit',
      [...paid, opened(second), captured(second, { amountMinor: 498n })],
      [0n, 0n, 0n],
    ],
  ])('%s', (_what, facts, tally) => {
    expect(tallyOf(...facts)).toEqual(tally);
    expect(tallyOf(...facts.toReversed())).toEqual(tally);
  });

  test.each(['duplicate', 'misfit'] as const)(
    'is not what is only called so: a refund as %s of the only payment takes the order back',
    (reason) => {
      const only = asked(5, { reason });
      expect(tallyOf(...paid, only, settled(only, 'done'))).toEqual([499n, 0n, 0n]);
    },
  );

  test('a provider that names more than the price later can send back the difference', () => {
    const facts = [...paid, captured(first, { amountMinor: 900n })];
    const difference = asked(5, { reason: 'misfit', amountMinor: 401n });
    expect(tallyOf(...facts, difference, settled(difference, 'done'))).toEqual([0n, 0n, 0n]);
    expect(tallyOf(...facts, disputed('lost', { amountMinor: 500n }))).toEqual([99n, 0n, 0n]);
  });
});

describe('what can still be sent back', () => {
  test.each<[string, Fact[], bigint]>([
    ['is all of it at first', [], 499n],
    ['is not what is on its way', [part], 299n],
    ['is not what has gone', [part, settled(part, 'done')], 299n],
    ['is again what could not be sent', [part, settled(part, 'failed')], 499n],
    ['is not what was sent back elsewhere', [elsewhere({ amountMinor: 200n })], 299n],
    ['is all of it while a bank only warns', [disputed('warning')], 499n],
    ['is not what is in dispute', [disputed('open', { amountMinor: 200n })], 299n],
    ['is again what a dispute was about that was won', [disputed('open'), disputed('won')], 499n],
    ['is not what a bank took', [disputed('lost', { amountMinor: 200n })], 299n],
    ['is again what a bank gave back', [disputed('lost'), disputed('reinstated')], 499n],
    ['is never less than nothing', [asked(1), disputed('lost')], 0n],
    ['is not less for what is about another payment', [asked(1, { captureId: 'pi_2' })], 499n],
    ['is not less for what is in another currency', [asked(1, { currency: 'EUR' })], 499n],
    ['is not less for a dispute about another', [disputed('lost', { captureId: 'pi_2' })], 499n],
  ])('%s', (_what, more, left) => {
    expect(leftOf(...paid, ...more)).toEqual({ pi_1: left });
  });

  test('is counted for each payment by itself, whether it fits or not', () => {
    const facts = [...paidTwice, captured(stranger, { amountMinor: 70n }), part, again];
    expect(leftOf(...facts)).toEqual({ pi_1: 299n, pi_2: 0n, pi_f: 70n });
  });
});

describe('a capture that a provider contradicts itself about', () => {
  test('counts with the largest of its amounts', () => {
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

  test('is kept once for each currency and payment, in the same order however it was told', () => {
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

test('money in review stays so until nothing of it is here, also where it was said to be more', () => {
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

describe('refunds as they are told to a player', () => {
  test('are those we asked for with our reason, and those made elsewhere, in a fixed order', () => {
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

  test('made elsewhere count with the largest amount that was done, not with one that failed', () => {
    const told = [
      elsewhere({ amountMinor: 300n, outcome: 'failed' }),
      elsewhere({ amountMinor: 100n }),
      elsewhere({ amountMinor: 200n }),
    ];
    for (const facts of [told, told.toReversed()]) {
      expect(moneyOf(due, facts).refunds).toMatchObject([{ amountMinor: 200n, state: 'done' }]);
    }
    // One that never got there never was.
    expect(moneyOf(due, told.slice(0, 1)).refunds).toEqual([]);
  });

  test('that came back have failed, whoever made them and whatever is heard first', () => {
    const returned = elsewhere({ outcome: 'returned' });
    for (const facts of [
      [elsewhere(), returned],
      [returned, elsewhere()],
    ]) {
      expect(moneyOf(due, facts).refunds).toMatchObject([{ amountMinor: 499n, state: 'failed' }]);
    }
  });

  test('of the same amount about two captures are about the same one, however they were told', () => {
    const told = [elsewhere({ captureId: 'pi_2' }), elsewhere(), elsewhere({ currency: 'EUR' })];
    for (const facts of [told, told.toReversed(), [told[1], told[2], told[0]] as Fact[]]) {
      expect(moneyOf(due, facts).refunds).toMatchObject([{ captureId: 'pi_1', currency: 'EUR' }]);
    }
  });
});

describe('a dispute', () => {
  test('is where its last stage says, however they were heard', () => {
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

  test('is one of several, in a fixed order', () => {
    const told = [disputed('open', { disputeId: 'dp_2' }), disputed('won')];
    for (const facts of [told, told.toReversed()]) {
      const { disputes } = moneyOf(due, facts);
      expect(disputes.map(({ disputeId }) => disputeId)).toEqual(['dp_1', 'dp_2']);
    }
  });
});
