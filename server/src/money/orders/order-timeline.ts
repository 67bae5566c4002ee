import type { TimelineStep } from '@pointgate/contract/orders.ts';
import { moneyOf } from './order-money.ts';
import { dueOf, type Order, type OrderEvent } from './orders.ts';

type Step = TimelineStep['step'];

/** The steps of an order for its player; facts that do not concern the player are left out. */
export function timelineOf(order: Order, events: readonly OrderEvent[]): TimelineStep[] {
  const steps: TimelineStep[] = [{ step: 'created', at: order.created_at.toISOString() }];
  for (const [index, event] of events.entries()) {
    const at = event.at.toISOString();
    for (const step of stepsOf(order, events.slice(0, index + 1), event)) {
      if (step === 'accepted' && isOverLimit(events[index + 1])) continue;
      steps.push({ step, at });
    }
  }
  return steps;
}

/** A payment over a limit is refunded in the same transaction, so it was never accepted. */
function isOverLimit(event: OrderEvent | undefined): boolean {
  return event?.fact.type === 'refund_requested' && event.fact.reason === 'over_limit';
}

function stepsOf(order: Order, known: readonly OrderEvent[], event: OrderEvent): Step[] {
  const { fact, state_before, state_after } = event;
  const hasMoved = state_before !== state_after;
  switch (fact.type) {
    case 'attempt_opened':
      // A payment from the balance is opened and captured in one transaction.
      return order.method === 'epoint' ? [] : ['payment_opened'];
    case 'attempt_declined':
      return ['payment_declined'];
    case 'captured':
      if (!hasMoved || state_after !== 'paid') return [];
      return order.kind === 'item' ? ['paid', 'accepted'] : ['paid'];
    case 'delivery_failed':
      return ['delivery_retry'];
    case 'delivery_stuck':
      // A delivery that the game declines is refunded at once and therefore not delayed.
      return fact.reason === 'declined' ? [] : ['delivery_delayed'];
    case 'delivered':
      return ['arrived'];
    case 'attempt_closed':
    case 'expired':
      // An order can expire before its page is closed, or while it is being paid.
      return hasMoved && state_after === 'closed' ? ['expired'] : [];
    case 'refund_requested':
      return hasMoved && state_after === 'refunding' ? ['refunding'] : [];
    case 'refund_settled':
      return refundSteps(order, known, hasMoved);
    case 'disputed':
      if (fact.stage === 'open') return ['disputed'];
      return fact.stage === 'lost' ? refundSteps(order, known, hasMoved) : [];
    case 'delivery_resumed':
    case 'revoked':
      return [];
  }
}

/** Refunds of additional payments add no step, because they do not affect the order. */
function refundSteps(order: Order, known: readonly OrderEvent[], hasMoved: boolean): Step[] {
  const moneyAfter = (events: readonly OrderEvent[]) =>
    moneyOf(
      dueOf(order),
      events.map(({ fact }) => fact),
    );
  const before = moneyAfter(known.slice(0, -1));
  const after = moneyAfter(known);
  if (after.lossMinor < before.lossMinor) return ['refund_failed'];
  if (after.lossMinor === before.lossMinor) {
    return after.pendingLossMinor < before.pendingLossMinor ? ['refund_failed'] : [];
  }
  if (hasMoved && known.at(-1)?.state_after === 'refunded') return ['refunded'];
  return after.lossMinor >= order.amount_minor ? [] : ['partly_refunded'];
}
