import { deriveExpectedOrder, type ExpectedOrder, type Refund } from './expected-order.ts';
import type { Fact } from './facts.ts';
import type { Violation } from './invariant.ts';
import type { AttemptRow, OrderRow } from './order-rows.ts';
import type { ReplayedOrder } from './replayed-order.ts';

const legalMoves: Readonly<Record<string, readonly string[]>> = {
  created: ['paying', 'paid', 'closed', 'refunding', 'refunded'],
  paying: ['created', 'paid', 'closed', 'refunding', 'refunded'],
  paid: ['stuck', 'arrived', 'refunding', 'refunded'],
  stuck: ['paid', 'arrived', 'refunding', 'refunded'],
  arrived: ['refunding', 'refunded'],
  closed: ['paid', 'refunding', 'refunded'],
  refunding: ['paid', 'stuck', 'arrived', 'refunded'],
  refunded: ['paid', 'stuck', 'arrived', 'refunding'],
};

const paidStates = ['paid', 'stuck', 'arrived', 'refunding', 'refunded'];

/**
 * Checks that the history is complete, and that the order, its attempts and refunds match its end.
 */
export function checkHistory(replayed: ReplayedOrder): Violation[] {
  return [
    ...checkTransitions(replayed),
    ...checkFinalState(replayed),
    ...checkMoneyState(replayed),
    ...checkAttempts(replayed),
    ...checkRefunds(replayed),
  ];
}

/**
 * Each event starts in the state in which the previous one ended, and ends in the state that all
 * facts so far lead to.
 */
function checkTransitions({ rows, order, facts }: ReplayedOrder): Violation[] {
  const { paymentId, events } = rows;
  const violations: Violation[] = [];
  let state = 'created';
  for (const [index, { seq, before, after }] of events.entries()) {
    const isLegal = before === after || (legalMoves[before]?.includes(after) ?? false);
    if (seq !== index + 1 || before !== state || !isLegal) {
      violations.push({
        id: 'I8',
        text: `order ${paymentId}, event ${seq}: from ${before} to ${after}`,
      });
    }
    const derived = deriveExpectedOrder(order, facts.slice(0, index + 1));
    if (derived.state !== after) {
      violations.push({
        id: 'I8',
        text: `order ${paymentId}, event ${seq} ends in ${after}, but leads to ${derived.state}`,
      });
    }
    if (facts[index]?.type === 'delivered' && !derived.isPaid) {
      violations.push({ id: 'I5', text: `order ${paymentId} was delivered unpaid` });
    }
    state = after;
  }
  return violations;
}

function checkFinalState({ rows, order, expectedOrder }: ReplayedOrder): Violation[] {
  const { paymentId, events } = rows;
  const ended = events.at(-1)?.after ?? 'created';
  const wrong: string[] = [];
  if (order.state !== ended || order.version !== events.length) {
    wrong.push(
      `is ${order.state} at ${order.version}, its history ends with ${ended} at ${events.length}`,
    );
  }
  if ((order.state === 'closed') !== (order.closedReason !== '')) {
    wrong.push(`is ${order.state} and closed for '${order.closedReason}'`);
  }
  const hasArrived = expectedOrder.isPaid && expectedOrder.isDelivered;
  if (order.wasPaid !== expectedOrder.isPaid || order.hasArrived !== hasArrived) {
    wrong.push('knows another time of payment or arrival than its history');
  }
  return wrong.map((text) => ({ id: 'I8', text: `order ${paymentId} ${text}` }));
}

function checkMoneyState({ rows, order, expectedOrder }: ReplayedOrder): Violation[] {
  const { paymentId } = rows;
  const wrong: string[] = [];
  const costs = `costs ${order.amountMinor} ${order.currency} and captured ${capturedMinor(order, expectedOrder)}`;
  if (order.reviewReason !== expectedOrder.review) {
    const [is, expected] = [order.reviewReason || 'none', expectedOrder.review || 'none'];
    wrong.push(`${costs}: its review is ${is}, expected ${expected}`);
  }
  if (paidStates.includes(order.state) !== expectedOrder.isPaid)
    wrong.push(`${costs}, but is ${order.state}`);
  const isAllGone = expectedOrder.lossMinor >= order.amountMinor;
  const refunded = expectedOrder.isPaid
    ? isAllGone
      ? order.amountMinor
      : expectedOrder.lossMinor
    : 0n;
  if (order.refundedMinor !== refunded) {
    wrong.push(`says that ${order.refundedMinor} went back, its history ${refunded}`);
  }
  if (order.isDisputed !== expectedOrder.isDisputed) {
    wrong.push(`is ${order.isDisputed ? '' : 'not '}called disputed, against its history`);
  }
  for (const { captureId, amountMinor, goneMinor, takenMinor } of expectedOrder.captures) {
    // A bank may take money that was refunded already; then a case must exist.
    if (goneMinor - takenMinor > amountMinor) {
      wrong.push(`lost ${goneMinor} of capture ${captureId}, which was ${amountMinor}`);
    }
  }
  return [
    ...wrong.map((text) => ({ id: 'I7', text: `order ${paymentId} ${text}` })),
    ...checkCases({ rows, order, expectedOrder }),
  ];
}

/** Whatever the shop cannot decide by itself has a case. */
function checkCases({
  rows,
  order,
  expectedOrder,
}: Pick<ReplayedOrder, 'rows' | 'order' | 'expectedOrder'>): Violation[] {
  const { paymentId } = rows;
  const opened = new Set(rows.cases.map(({ kind, subject }) => `${kind} ${subject}`));
  const needed = [
    ...expectedOrder.captures
      .filter(({ misfit, amountMinor }) => misfit !== '' || amountMinor > order.amountMinor)
      .filter(({ amountMinor, goneMinor }) => goneMinor < amountMinor)
      .map(({ captureId }) => `misfit_money ${paymentId}:${captureId}`),
    ...expectedOrder.captures
      .filter(({ amountMinor, goneMinor }) => goneMinor > amountMinor)
      .map(({ captureId }) => `lost_twice ${paymentId}:${captureId}`),
    ...expectedOrder.refunds
      .filter(({ state, reason, cameBack }) => state === 'failed' && (reason !== '' || cameBack))
      .map(({ refundId, cameBack }) => `refund_${cameBack ? 'returned' : 'failed'} ${refundId}`),
    ...expectedOrder.disputes
      .filter(({ stage }) => stage === 'open' || stage === 'warning')
      .map(({ disputeId, stage }) => `dispute ${disputeId}:${stage}`),
  ];
  return needed
    .filter((name) => !opened.has(name))
    .map((name) => ({ id: 'I7', text: `order ${paymentId} has no case for ${name}` }));
}

/** A capture counts for an order if its attempt is ours and its currency is that of the order. */
function capturedMinor(order: OrderRow, { captures }: ExpectedOrder): bigint {
  return captures
    .filter(({ misfit, currency }) => misfit !== 'unknown_attempt' && currency === order.currency)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** A capture decides the state of an attempt: it overrules closed and declined. */
function checkAttempts({ rows, order, facts }: ReplayedOrder): Violation[] {
  const { paymentId, attempts } = rows;
  const violations: Violation[] = [];
  const attemptRows = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
  const named = facts.filter(({ attemptId }) => attemptId !== '').map((fact) => fact.attemptId);
  for (const attemptId of new Set([...attemptRows.keys(), ...named])) {
    const attemptFacts = facts.filter((fact) => fact.attemptId === attemptId);
    const attempt = attemptRows.get(attemptId);
    if (matchesFacts(attempt, attemptFacts)) continue;
    const types = attemptFacts.map(({ type }) => type.replace('attempt_', ''));
    const history = types.includes('opened') ? types : ['never opened', ...types];
    const is = attempt?.state ?? 'missing';
    const text = `order ${paymentId}: attempt ${attemptId} is ${is}, its history says: ${history.join(', ')}`;
    violations.push({ id: 'I8', text });
  }
  for (const { attemptId, amountMinor, currency } of attempts) {
    if (amountMinor === order.amountMinor && currency === order.currency) continue;
    const asked = `its attempt ${attemptId} asks for ${amountMinor} ${currency}`;
    const text = `order ${paymentId} costs ${order.amountMinor} ${order.currency}, ${asked}`;
    violations.push({ id: 'I7', text });
  }
  const open = attempts.filter(({ state }) => state === 'opening' || state === 'open').length;
  if (open > 1) {
    const text = `order ${paymentId} has ${open} attempts under way at once`;
    violations.push({ id: 'I8', text });
  }
  return violations;
}

function matchesFacts(attempt: AttemptRow | undefined, attemptFacts: readonly Fact[]): boolean {
  const has = (type: string) => attemptFacts.some((fact) => fact.type === type);
  // An attempt that was never ours has no row; its order is under review.
  if (attempt === undefined) return !has('attempt_opened');
  const captures = attemptFacts.filter(({ type }) => type === 'captured');
  const { state, captureId } = attempt;
  if (!has('attempt_opened')) return false;
  if ((state === 'captured') !== captures.length > 0) return false;
  if (captureId !== '' && !captures.some((fact) => fact.captureId === captureId)) return false;
  if (state === 'closed') return has('attempt_closed');
  if (state === 'declined') return has('attempt_declined');
  return state === 'captured' || !(has('attempt_closed') || has('attempt_declined'));
}

/** Every requested refund is followed until the provider decides it. */
function checkRefunds({ rows, expectedOrder }: ReplayedOrder): Violation[] {
  const { paymentId } = rows;
  const asked = expectedOrder.refunds.filter(
    ({ reason, currency }) => reason !== '' && currency !== 'EPOINT',
  );
  const refundRows = new Map(rows.refunds.map((refund) => [refund.refundId, refund]));
  const violations: Violation[] = [];
  for (const refund of asked) {
    const row = refundRows.get(refund.refundId);
    refundRows.delete(refund.refundId);
    const isSame =
      row !== undefined &&
      row.captureId === refund.captureId &&
      row.currency === refund.currency &&
      row.amountMinor === refund.amountMinor &&
      expectedOrder.captures.some(
        ({ captureId, attemptId }) => captureId === row.captureId && attemptId === row.attemptId,
      ) &&
      isInState(row.state, refund);
    if (isSame) continue;
    const is =
      row === undefined ? 'missing' : `${row.state} over ${row.amountMinor} ${row.currency}`;
    const says = `${refund.state} over ${refund.amountMinor} ${refund.currency}`;
    const text = `order ${paymentId}: refund ${refund.refundId} is ${is}, its history says ${says}`;
    violations.push({ id: 'I8', text });
  }
  for (const refundId of refundRows.keys()) {
    const text = `order ${paymentId}: refund ${refundId} is in no history`;
    violations.push({ id: 'I8', text });
  }
  return violations;
}

function isInState(state: string, refund: Refund): boolean {
  return refund.state === 'pending'
    ? state === 'requested' || state === 'pending'
    : state === refund.state;
}
