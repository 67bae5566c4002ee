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

describe('the timeline tells each step that the player lived through, once', () => {
  const lives: Story[] = [
    ['a new order', [], []],
    ['a payment page', [opened(first)], ['payment_opened']],
    [
      'a declined payment and another one',
      [opened(first), declined(first), opened(second)],
      ['payment_opened', 'payment_declined', 'payment_opened'],
    ],
    ['a page that was closed', [opened(first), closed(first)], ['payment_opened']],
    [
      'money that does not fit',
      [opened(first), captured(first, { amountMinor: 1n })],
      ['payment_opened'],
    ],
    ['money', paid, ['payment_opened', 'paid', 'accepted']],
    [
      'deliveries that fail until one arrives',
      [...paid, deliveryFailed(1), deliveryFailed(2), delivered],
      ['payment_opened', 'paid', 'accepted', 'delivery_retry', 'delivery_retry', 'arrived'],
    ],
    [
      'a delivery that was stuck and taken up again',
      [...paid, stuck(), resumed(), delivered],
      ['payment_opened', 'paid', 'accepted', 'delivery_delayed', 'arrived'],
    ],
    ['the end of an order that nobody paid', [expired], ['expired']],
    [
      'an end before its page was closed',
      [opened(first), expired, closed(first)],
      ['payment_opened', 'expired'],
    ],
    [
      'an end after its page was closed',
      [opened(first), closed(first), expired],
      ['payment_opened', 'expired'],
    ],
    [
      'no end of an order that was paid meanwhile',
      [...paid, expired],
      ['payment_opened', 'paid', 'accepted'],
    ],
    [
      'late money',
      [opened(first), closed(first), expired, captured(first)],
      ['payment_opened', 'expired', 'paid', 'accepted'],
    ],
  ];
  test.each(lives)('%s', (_what, facts, steps) => {
    expect(stepsOf(facts)).toEqual(['created', ...steps]);
  });

  const beginning = ['created', 'payment_opened', 'paid', 'accepted'];
  const moneyBack: Story[] = [
    ['a refund', [whole, settled(whole, 'done')], ['refunding', 'refunded']],
    ['a refund that failed', [whole, settled(whole, 'failed')], ['refunding', 'refund_failed']],
    [
      'a refund that failed and was paid out after all',
      [whole, settled(whole, 'failed'), settled(whole, 'done')],
      ['refunding', 'refund_failed', 'refunded'],
    ],
    [
      'a failure that comes after the refund was done',
      [whole, settled(whole, 'done'), settled(whole, 'failed')],
      ['refunding', 'refunded'],
    ],
    ['a part that goes back', [part, settled(part, 'done')], ['partly_refunded']],
    ['a part that could not go back', [part, settled(part, 'failed')], ['refund_failed']],
    [
      'all of it in parts',
      [part, settled(part, 'done'), rest, settled(rest, 'done')],
      ['partly_refunded', 'refunding', 'refunded'],
    ],
    ['a refund made at the provider', [elsewhere()], ['refunded']],
    [
      'a part that was refunded at the provider',
      [elsewhere({ amountMinor: 1n })],
      ['partly_refunded'],
    ],
    ['a warning of a bank', [disputed('warning')], []],
    ['a dispute that is won', [disputed('open'), disputed('won')], ['disputed']],
    ['a dispute that is lost', [disputed('open'), disputed('lost')], ['disputed', 'refunded']],
    [
      'a dispute that is lost in part',
      [disputed('lost', { amountMinor: 1n })],
      ['partly_refunded'],
    ],
    [
      'a dispute that is won after it was lost',
      [disputed('open'), disputed('lost'), disputed('reinstated')],
      ['disputed', 'refunded'],
    ],
    ['a bank that takes what was refunded already', [elsewhere(), disputed('lost')], ['refunded']],
    [
      'goods that were taken back',
      [elsewhere(), { type: 'revoked', result: 'revoked' }],
      ['refunded'],
    ],
    [
      'a second payment that goes back, without a word about the order',
      [opened(second), captured(second), again, settled(again, 'done')],
      ['payment_opened'],
    ],
    [
      'a second payment that could not go back, without a word about the order',
      [opened(second), captured(second), again, settled(again, 'failed')],
      ['payment_opened'],
    ],
    [
      'a bank that takes both payments',
      [opened(second), captured(second), again, settled(again, 'done'), disputed('lost')],
      ['payment_opened', 'refunded'],
    ],
  ];
  test.each(moneyBack)('of a paid order: %s', (_what, facts, steps) => {
    expect(stepsOf([...paid, ...facts])).toEqual([...beginning, ...steps]);
  });

  test('paying from the balance opens no page', () => {
    expect(stepsOf(paid, { method: 'epoint' })).toEqual(['created', 'paid', 'accepted']);
  });

  test('points go to no game that would have to accept them', () => {
    const steps = stepsOf([...paid, delivered], { kind: 'points' });
    expect(steps).toEqual(['created', 'payment_opened', 'paid', 'arrived']);
  });

  test('no step is without its story', () => {
    const told = new Set([...lives, ...moneyBack].flatMap(([, , steps]) => steps)).add('created');
    expect([...told].sort()).toEqual([...TimelineStep.shape.step.options].sort());
  });
});

test('each step is told with the moment it became known, the first with that of the order', () => {
  const order = orderRow();
  expect(timelineOf(order, historyOf([...paid, delivered]))).toEqual([
    { step: 'created', at: order.created_at.toISOString() },
    { step: 'payment_opened', at: momentOf(1) },
    { step: 'paid', at: momentOf(2) },
    { step: 'accepted', at: momentOf(2) },
    { step: 'arrived', at: momentOf(3) },
  ]);
});
