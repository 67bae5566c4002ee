import { TimelineStep } from '@pointgate/contract/orders.ts';
import { describe, expect, test } from 'vitest';
import {
  asked,
  captured,
  closed,
  declined,
  delivered,
  deliveryFailed,
  disputed,
  elsewhere,
  expired,
  first,
  historyOf,
  momentOf,
  opened,
  orderRow,
  resumed,
  second,
  settled,
  stuck,
} from '../../../test/facts.ts';
import type { Fact } from './order-fact.ts';
import { timelineOf } from './order-timeline.ts';

const paid = [opened(first), captured(first)];
const whole = asked(1);
const part = asked(2, { amountMinor: 200n });
const rest = asked(3, { amountMinor: 299n });
const again = asked(4, { reason: 'duplicate', captureId: 'pi_2' });

type Story = [what: string, facts: Fact[], steps: TimelineStep['step'][]];

const stepsOf = (facts: readonly Fact[], changes: Parameters<typeof orderRow>[0] = {}) =>
  timelineOf(orderRow(changes), historyOf(facts)).map(({ step }) => step);

describe('order timelines', () => {
  const lives: Story[] = [
    ['a new order', [], []],
    ['an order with an open payment page', [opened(first)], ['payment_opened']],
    [
      'an order with a declined payment and a new page',
      [opened(first), declined(first), opened(second)],
      ['payment_opened', 'payment_declined', 'payment_opened'],
    ],
    ['an order whose payment page was closed', [opened(first), closed(first)], ['payment_opened']],
    [
      'an order with a mismatched capture',
      [opened(first), captured(first, { amountMinor: 1n })],
      ['payment_opened'],
    ],
    ['a paid order', paid, ['payment_opened', 'paid', 'accepted']],
    [
      'an order delivered after failed attempts',
      [...paid, deliveryFailed(1), deliveryFailed(2), delivered],
      ['payment_opened', 'paid', 'accepted', 'delivery_retry', 'delivery_retry', 'arrived'],
    ],
    [
      'an order whose stuck delivery was resumed',
      [...paid, stuck(), resumed(), delivered],
      ['payment_opened', 'paid', 'accepted', 'delivery_delayed', 'arrived'],
    ],
    ['an unpaid order that expired', [expired], ['expired']],
    [
      'an order that expired before its page was closed',
      [opened(first), expired, closed(first)],
      ['payment_opened', 'expired'],
    ],
    [
      'an order that expired after its page was closed',
      [opened(first), closed(first), expired],
      ['payment_opened', 'expired'],
    ],
    [
      'an order that expired after its payment',
      [...paid, expired],
      ['payment_opened', 'paid', 'accepted'],
    ],
    [
      'an order paid after it expired',
      [opened(first), closed(first), expired, captured(first)],
      ['payment_opened', 'expired', 'paid', 'accepted'],
    ],
  ];
  test.each(lives)(
    "an order's timeline lists the steps that the player went through: %s",
    (_what, facts, steps) => {
      expect(stepsOf(facts)).toEqual(['created', ...steps]);
    },
  );

  const beginning = ['created', 'payment_opened', 'paid', 'accepted'];
  const moneyBack: Story[] = [
    ['a refund', [whole, settled(whole, 'done')], ['refunding', 'refunded']],
    ['a failed refund', [whole, settled(whole, 'failed')], ['refunding', 'refund_failed']],
    [
      'a refund that failed and was later done',
      [whole, settled(whole, 'failed'), settled(whole, 'done')],
      ['refunding', 'refund_failed', 'refunded'],
    ],
    [
      'a failure reported after the refund was done',
      [whole, settled(whole, 'done'), settled(whole, 'failed')],
      ['refunding', 'refunded'],
    ],
    ['a partial refund', [part, settled(part, 'done')], ['partly_refunded']],
    ['a failed partial refund', [part, settled(part, 'failed')], ['refund_failed']],
    [
      'partial refunds of the whole price',
      [part, settled(part, 'done'), rest, settled(rest, 'done')],
      ['partly_refunded', 'refunding', 'refunded'],
    ],
    ['a refund made at the provider', [elsewhere()], ['refunded']],
    [
      'a partial refund made at the provider',
      [elsewhere({ amountMinor: 1n })],
      ['partly_refunded'],
    ],
    ['a dispute warning', [disputed('warning')], []],
    ['a won dispute', [disputed('open'), disputed('won')], ['disputed']],
    ['a lost dispute', [disputed('open'), disputed('lost')], ['disputed', 'refunded']],
    ['a partly lost dispute', [disputed('lost', { amountMinor: 1n })], ['partly_refunded']],
    [
      'a dispute reinstated after it was lost',
      [disputed('open'), disputed('lost'), disputed('reinstated')],
      ['disputed', 'refunded'],
    ],
    ['a dispute lost after a full refund', [elsewhere(), disputed('lost')], ['refunded']],
    ['revoked goods', [elsewhere(), { type: 'revoked', result: 'revoked' }], ['refunded']],
    [
      'a refunded second payment',
      [opened(second), captured(second), again, settled(again, 'done')],
      ['payment_opened'],
    ],
    [
      'a second payment whose refund failed',
      [opened(second), captured(second), again, settled(again, 'failed')],
      ['payment_opened'],
    ],
    [
      'a refunded second payment and a lost dispute about the first',
      [opened(second), captured(second), again, settled(again, 'done'), disputed('lost')],
      ['payment_opened', 'refunded'],
    ],
  ];
  test.each(moneyBack)(
    'the timeline of a paid order lists the later steps of its refunds and disputes: %s',
    (_what, facts, steps) => {
      expect(stepsOf([...paid, ...facts])).toEqual([...beginning, ...steps]);
    },
  );

  test('the timeline of an order paid with points has no step for a payment page', () => {
    expect(stepsOf(paid, { method: 'epoint' })).toEqual(['created', 'paid', 'accepted']);
  });

  test('the timeline of an order that buys E Points has no step for the acceptance of the order by a game', () => {
    const steps = stepsOf([...paid, delivered], { kind: 'points' });
    expect(steps).toEqual(['created', 'payment_opened', 'paid', 'arrived']);
  });

  test('the tests of the order timeline cover every kind of step that a timeline can have', () => {
    const told = new Set([...lives, ...moneyBack].flatMap(([, , steps]) => steps)).add('created');
    expect([...told].sort()).toEqual([...TimelineStep.shape.step.options].sort());
  });
});

test('each step of an order timeline has the time at which its event was recorded', () => {
  const order = orderRow();
  expect(timelineOf(order, historyOf([...paid, delivered]))).toEqual([
    { step: 'created', at: order.created_at.toISOString() },
    { step: 'payment_opened', at: momentOf(1) },
    { step: 'paid', at: momentOf(2) },
    { step: 'accepted', at: momentOf(2) },
    { step: 'arrived', at: momentOf(3) },
  ]);
});
