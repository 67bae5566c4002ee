import fc from 'fast-check';
import { expect, test } from 'vitest';
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
} from '../../server/test/facts.ts';
import { modelOf } from '../../server/test/order-model.ts';
import { deriveExpectedOrder } from './expected-order.ts';
import { type Fact, readFact } from './facts.ts';

const refunds = [
  asked(1),
  asked(2, { amountMinor: 200n }),
  asked(3, { amountMinor: 299n, reason: 'goodwill' }),
  asked(4, { reason: 'duplicate', captureId: 'pi_2' }),
  asked(5, { reason: 'misfit', amountMinor: 401n }),
  asked(6, { currency: 'EUR', reason: 'fraud' }),
  asked(7, { captureId: 'pi_unheard' }),
  asked(8, { reason: 'over_limit' }),
];
const stages = ['warning', 'open', 'won', 'lost', 'reinstated'] as const;

/** Facts that may be reported about an order, many of which contradict each other. */
const knownFacts = [
  ...[opened(first), opened(first), opened(second), declined(first), closed(first), closed(second)],
  ...[captured(first), captured(first), captured(first, { amountMinor: 200n })],
  ...[captured(first, { amountMinor: 900n }), captured(first, { currency: 'EUR' })],
  ...[captured(first, { captureId: 'pi_twin' }), captured(second), captured(second)],
  ...[captured(second, { captureId: 'pi_1' }), captured(stranger), expired, delivered, delivered],
  ...[deliveryFailed(1), stuck(1), stuck(2), resumed(1)],
  ...refunds,
  ...refunds.flatMap((refund) => [settled(refund, 'done'), settled(refund, 'failed')]),
  ...[elsewhere(), elsewhere({ amountMinor: 200n }), elsewhere({ captureId: 'pi_2' })],
  elsewhere({ refundId: 're_other', amountMinor: 600n, currency: 'EUR' }),
  ...stages.map((stage) => disputed(stage)),
  ...stages.map((stage) => disputed(stage, { amountMinor: 200n })),
  disputed('open', { captureId: 'pi_2' }),
  disputed('lost', { disputeId: 'dp_2', captureId: 'pi_2' }),
];

test('for any history of order facts, the auditor derives the same order state as an independent model of orders', () => {
  fc.assert(
    fc.property(fc.shuffledSubarray(knownFacts, { maxLength: 14 }), (facts) => {
      const expected = deriveExpectedOrder(due, facts.map(parseFact));
      const model = modelOf(due, facts);
      expect({
        state: expected.state,
        review: expected.review === '' ? null : expected.review,
        isDisputed: expected.isDisputed,
        lossMinor: expected.isPaid ? expected.lossMinor : 0n,
        pendingMinor: expected.isPaid ? expected.pendingMinor : 0n,
      }).toEqual({
        state: model.state,
        review: model.reviewReason,
        isDisputed: model.isDisputed,
        lossMinor: model.lossMinor,
        pendingMinor: model.pendingLossMinor,
      });
    }),
    { numRuns: 3_000 },
  );
});

test.each([
  '{}',
  '"captured"',
  '{"type": "promised"}',
  '{"type": "captured", "attemptId": "a", "captureId": "c", "currency": "USD"}',
  '{"type": "captured", "attemptId": "a", "captureId": "c", "currency": "USD", "amountMinor": 499}',
  '{"type": "captured", "attemptId": "a", "captureId": "c", "currency": "USD", "amountMinor": "-1"}',
  '{"type": "delivery_stuck", "round": "1", "reason": "declined"}',
  '{"type": "toString"}',
])('the auditor does not accept a malformed order fact: %s', (text) => {
  expect(readFact(text)).toBeUndefined();
});

/** Facts in the table's form, with amounts as text. */
function parseFact(fields: object): Fact {
  const text = JSON.stringify(fields, (_name, value) =>
    typeof value === 'bigint' ? value.toString() : value,
  );
  const fact = readFact(text);
  if (fact === undefined) throw new Error(`not a fact: ${text}`);
  return fact;
}
