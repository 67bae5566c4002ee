import type { Fact } from './facts.ts';
import type { Violation } from './invariant.ts';
import { type Refund, type Story, storyOf } from './order-story.ts';
import type { AttemptPaper, OrderPaper } from './papers.ts';
import type { ToldOrder } from './told-order.ts';

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
export function judgeHistory(told: ToldOrder): Violation[] {
  return [
    ...judgePath(told),
    ...judgeEnd(told),
    ...judgeMoneyOf(told),
    ...judgeAttempts(told),
    ...judgeRefunds(told),
  ];
}

/**
 * Each event starts in the state in which the previous one ended, and ends in the state that all
 * facts so far lead to.
 */
function judgePath({ papers, order, facts }: ToldOrder): Violation[] {
  const { paymentId, events } = papers;
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
    const known = storyOf(order, facts.slice(0, index + 1));
    if (known.state !== after) {
      violations.push({
        id: 'I8',
        text: `order ${paymentId}, event ${seq} ends in ${after}, but leads to ${known.state}`,
      });
    }
    if (facts[index]?.type === 'delivered' && !known.isPaid) {
      violations.push({ id: 'I5', text: `order ${paymentId} was delivered unpaid` });
    }
    state = after;
  }
  return violations;
}

function judgeEnd({ papers, order, story }: ToldOrder): Violation[] {
  const { paymentId, events } = papers;
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
  const hasArrived = story.isPaid && story.isDelivered;
  if (order.wasPaid !== story.isPaid || order.hasArrived !== hasArrived) {
    wrong.push('knows another time of payment or arrival than its history');
  }
  return wrong.map((text) => ({ id: 'I8', text: `order ${paymentId} ${text}` }));
}

function judgeMoneyOf({ papers, order, story }: ToldOrder): Violation[] {
  const { paymentId } = papers;
  const wrong: string[] = [];
  const costs = `costs ${order.amountMinor} ${order.currency} and captured ${capturedMinor(order, story)}`;
  if (order.reviewReason !== story.review) {
    const [is, expected] = [order.reviewReason || 'none', story.review || 'none'];
    wrong.push(`${costs}: its review is ${is}, expected ${expected}`);
  }
  if (paidStates.includes(order.state) !== story.isPaid)
    wrong.push(`${costs}, but is ${order.state}`);
  const isAllGone = story.lossMinor >= order.amountMinor;
  const refunded = story.isPaid ? (isAllGone ? order.amountMinor : story.lossMinor) : 0n;
  if (order.refundedMinor !== refunded) {
    wrong.push(`says that ${order.refundedMinor} went back, its history ${refunded}`);
  }
  if (order.isDisputed !== story.isDisputed) {
    wrong.push(`is ${order.isDisputed ? '' : 'not '}called disputed, against its history`);
  }
  for (const { captureId, amountMinor, goneMinor, takenMinor } of story.captures) {
    // A bank may take money that was refunded already; then a case must exist.
    if (goneMinor - takenMinor > amountMinor) {
      wrong.push(`lost ${goneMinor} of capture ${captureId}, which was ${amountMinor}`);
    }
  }
  return [
    ...wrong.map((text) => ({ id: 'I7', text: `order ${paymentId} ${text}` })),
    ...judgeWhoWasTold({ papers, order, story }),
  ];
}

/** Whatever the shop cannot decide by itself has a case. */
function judgeWhoWasTold({
  papers,
  order,
  story,
}: Pick<ToldOrder, 'papers' | 'order' | 'story'>): Violation[] {
  const { paymentId } = papers;
  const opened = new Set(papers.cases.map(({ kind, subject }) => `${kind} ${subject}`));
  const needed = [
    ...story.captures
      .filter(({ misfit, amountMinor }) => misfit !== '' || amountMinor > order.amountMinor)
      .filter(({ amountMinor, goneMinor }) => goneMinor < amountMinor)
      .map(({ captureId }) => `misfit_money ${paymentId}:${captureId}`),
    ...story.captures
      .filter(({ amountMinor, goneMinor }) => goneMinor > amountMinor)
      .map(({ captureId }) => `lost_twice ${paymentId}:${captureId}`),
    ...story.refunds
      .filter(({ state, reason, cameBack }) => state === 'failed' && (reason !== '' || cameBack))
      .map(({ refundId, cameBack }) => `refund_${cameBack ? 'returned' : 'failed'} ${refundId}`),
    ...story.disputes
      .filter(({ stage }) => stage === 'open' || stage === 'warning')
      .map(({ disputeId, stage }) => `dispute ${disputeId}:${stage}`),
  ];
  return needed
    .filter((name) => !opened.has(name))
    .map((name) => ({ id: 'I7', text: `order ${paymentId} has no case for ${name}` }));
}

/** A capture counts for an order if its attempt is ours and its currency is that of the order. */
function capturedMinor(order: OrderPaper, { captures }: Story): bigint {
  return captures
    .filter(({ misfit, currency }) => misfit !== 'unknown_attempt' && currency === order.currency)
    .reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

/** A capture decides the state of an attempt: it overrules closed and declined. */
function judgeAttempts({ papers, order, facts }: ToldOrder): Violation[] {
  const { paymentId, attempts } = papers;
  const violations: Violation[] = [];
  const kept = new Map(attempts.map((attempt) => [attempt.attemptId, attempt]));
  const named = facts.filter(({ attemptId }) => attemptId !== '').map((fact) => fact.attemptId);
  for (const attemptId of new Set([...kept.keys(), ...named])) {
    const words = facts.filter((fact) => fact.attemptId === attemptId);
    const attempt = kept.get(attemptId);
    if (isAsTold(attempt, words)) continue;
    const heard = words.map(({ type }) => type.replace('attempt_', ''));
    const history = heard.includes('opened') ? heard : ['never opened', ...heard];
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

function isAsTold(attempt: AttemptPaper | undefined, words: readonly Fact[]): boolean {
  const has = (type: string) => words.some((fact) => fact.type === type);
  // An attempt that was never ours has no row; its order is under review.
  if (attempt === undefined) return !has('attempt_opened');
  const captures = words.filter(({ type }) => type === 'captured');
  const { state, captureId } = attempt;
  if (!has('attempt_opened')) return false;
  if ((state === 'captured') !== captures.length > 0) return false;
  if (captureId !== '' && !captures.some((fact) => fact.captureId === captureId)) return false;
  if (state === 'closed') return has('attempt_closed');
  if (state === 'declined') return has('attempt_declined');
  return state === 'captured' || !(has('attempt_closed') || has('attempt_declined'));
}

/** Every requested refund is followed until the provider decides it. */
function judgeRefunds({ papers, story }: ToldOrder): Violation[] {
  const { paymentId } = papers;
  const asked = story.refunds.filter(
    ({ reason, currency }) => reason !== '' && currency !== 'EPOINT',
  );
  const kept = new Map(papers.refunds.map((refund) => [refund.refundId, refund]));
  const violations: Violation[] = [];
  for (const refund of asked) {
    const row = kept.get(refund.refundId);
    kept.delete(refund.refundId);
    const isSame =
      row !== undefined &&
      row.captureId === refund.captureId &&
      row.currency === refund.currency &&
      row.amountMinor === refund.amountMinor &&
      story.captures.some(
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
  for (const refundId of kept.keys()) {
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
