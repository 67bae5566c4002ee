import type { Violation } from './invariant.ts';
import type { DeliveryRow } from './order-rows.ts';
import type { ReplayedOrder } from './replayed-order.ts';

/**
 * Checks that paid goods are delivered, refunded goods are revoked, and every unfinished order has
 * work scheduled.
 */
export function checkGoods(replayed: ReplayedOrder): Violation[] {
  return [...checkDelivery(replayed), ...checkRevocation(replayed), ...checkUnfinished(replayed)];
}

/** The delivery row matches the history. */
function checkDelivery({ rows, order, facts, expectedOrder }: ReplayedOrder): Violation[] {
  const { paymentId, deliveries, events } = rows;
  const [delivery] = deliveries;
  const count = (type: string) => facts.filter((fact) => fact.type === type).length;
  if (delivery === undefined) {
    // A payment over a legal limit is refunded and nothing is delivered for it.
    const isUnlawful = facts.some(({ reason }) => reason === 'over_limit');
    const isPaid = ['paid', 'stuck', 'arrived'].includes(order.state);
    const isNeeded = order.kind === 'item' && isPaid && !isUnlawful;
    const text = `order ${paymentId} is ${order.state} but its delivery is missing`;
    return isNeeded ? [{ id: 'I4', text }] : [];
  }
  const wrong: string[] = [];
  const wasRefunded = events.some(({ after }) => after === 'refunded');
  const possible = statesOf(facts, { isDelivered: expectedOrder.isDelivered, wasRefunded });
  if (!expectedOrder.isPaid || order.kind !== 'item' || !possible.includes(delivery.state)) {
    wrong.push(`is ${order.state} but its delivery is ${delivery.state}`);
  }
  const tries = count('delivery_failed') + count('delivery_stuck') + count('delivered');
  const round = 1 + count('delivery_resumed');
  if (delivery.tries !== tries || delivery.round !== round) {
    wrong.push(
      `was tried ${delivery.tries} times in round ${delivery.round}, ` +
        `its history says ${tries} in round ${round}`,
    );
  }
  return wrong.map((text) => ({ id: 'I4', text: `order ${paymentId} ${text}` }));
}

/** A complete refund ends a delivery, unless the goods arrived first. */
function statesOf(
  facts: readonly { type: string; reason: string; round: number }[],
  { isDelivered, wasRefunded }: { isDelivered: boolean; wasRefunded: boolean },
): string[] {
  if (isDelivered) return ['delivered'];
  const resumed = new Set(
    facts.filter(({ type }) => type === 'delivery_resumed').map(({ round }) => round),
  );
  const halt = facts.findLast(
    ({ type, round }) => type === 'delivery_stuck' && !resumed.has(round),
  );
  return [halt?.reason ?? 'queued', ...(wasRefunded ? ['cancelled'] : [])];
}

/** Goods that the game gave, or may have given, are revoked after a complete refund. */
function checkRevocation({ rows, order, facts }: ReplayedOrder): Violation[] {
  const { paymentId, deliveries, revocations, events, cases } = rows;
  const [revocation] = revocations;
  const results = facts.filter(({ type }) => type === 'revoked').map(({ result }) => result);
  if (revocation === undefined) {
    const isNeeded = order.state === 'refunded' && deliveries.length > 0;
    return isNeeded || results.length > 0
      ? [{ id: 'I4', text: `order ${paymentId} is ${order.state} and its revocation is missing` }]
      : [];
  }
  const wrong: { id: string; text: string }[] = [];
  const { state, result, isOverdue } = revocation;
  if (!events.some(({ after }) => after === 'refunded')) {
    wrong.push({ id: 'I8', text: 'was never refunded and has a revocation' });
  }
  if (state === 'answered' && !results.includes(result)) {
    wrong.push({ id: 'I8', text: `was revoked as ${result}, its history does not say so` });
  }
  if (state === 'queued' && isOverdue) {
    wrong.push({ id: 'I4', text: 'is to be revoked and nobody asks the game' });
  }
  const hasCase = cases.some(({ kind }) => kind === 'revoke_failed');
  if (state === 'exhausted' && !hasCase) {
    wrong.push({ id: 'I4', text: 'could not be revoked and nobody was told' });
  }
  return wrong.map(({ id, text }) => ({ id, text: `order ${paymentId} ${text}` }));
}

/** Every order that is not in a final state has scheduled work or an open case. */
function checkUnfinished({ rows, order }: ReplayedOrder): Violation[] {
  const { paymentId, deliveries, refunds, cases } = rows;
  const [delivery] = deliveries;
  const hasOpenCase = cases.some(({ isOpen }) => isOpen);
  const wrong: string[] = [];
  if (delivery !== undefined && (order.state === 'paid' || order.state === 'stuck')) {
    wrong.push(...lateness(order.state, delivery, hasOpenCase));
  }
  const hasCase = cases.some(({ kind }) => kind === 'refund_failed');
  if (delivery === undefined && order.state === 'stuck' && !hasCase) {
    wrong.push('may not be given, its money did not go back, and nobody was told');
  }
  const isFollowed = refunds.some(
    ({ state, isOverdue }) => (state === 'requested' || state === 'pending') && !isOverdue,
  );
  if (order.state === 'refunding' && !isFollowed && !hasOpenCase) {
    wrong.push('is being refunded and nobody asks how that goes');
  }
  return wrong.map((text) => ({ id: 'I4', text: `order ${paymentId} ${text}` }));
}

function lateness(state: string, delivery: DeliveryRow, hasOpenCase: boolean): string[] {
  const { isOverdue, isPromised, isPromiseBroken } = delivery;
  const wrong: string[] = [];
  if (state === 'paid' && isOverdue) wrong.push('is paid and nobody tries to deliver it');
  if (isPromiseBroken) wrong.push('is not delivered in time and was not refunded');
  if (state === 'stuck' && !isPromised && !hasOpenCase) wrong.push('is stuck and nobody was told');
  return wrong;
}
