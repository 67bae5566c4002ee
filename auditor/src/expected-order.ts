import type { Fact } from './facts.ts';

// Written from the specification and not from the shop's code, so that the auditor does not repeat
// the shop's mistakes.

/** The price of an order. */
export interface Due {
  amountMinor: bigint;
  currency: string;
}

interface Sum {
  captureId: string;
  currency: string;
  amountMinor: bigint;
}

interface Capture extends Sum {
  attemptId: string;
  /** Why the capture does not pay for the order; empty if it does. */
  misfit: string;
  /** The amount that was refunded or lost. */
  goneMinor: bigint;
  /** The part of it that a bank took. */
  takenMinor: bigint;
}

export interface Refund extends Sum {
  refundId: string;
  /** Empty for a refund that the shop did not request. */
  reason: string;
  state: 'pending' | 'done' | 'failed';
  /** The refund failed after the provider had reported it as done. */
  cameBack: boolean;
}

export interface Dispute extends Sum {
  disputeId: string;
  stage: string;
}

/** The state that an order must have after all facts of its history. */
export interface ExpectedOrder {
  state: string;
  captures: Capture[];
  refunds: Refund[];
  disputes: Dispute[];
  isPaid: boolean;
  isDelivered: boolean;
  /** The game was asked to revoke the goods because of a refund, and delivers no more. */
  isTakenBack: boolean;
  isDisputed: boolean;
  /** Why an operator has to review the order; empty if nobody has to. */
  review: string;
  /** The part of the price that was refunded, lost or requested to be refunded. */
  lossMinor: bigint;
  pendingMinor: bigint;
}

export function deriveExpectedOrder(due: Due, facts: readonly Fact[]): ExpectedOrder {
  const refunds = refundsIn(facts);
  const disputes = disputesIn(facts);
  const lost = disputes.filter(({ stage }) => stage === 'lost');
  const gone = [...refunds.filter(({ state }) => state === 'done'), ...lost];
  const captures = capturesIn(due, facts).map((capture) => ({
    ...capture,
    goneMinor: total(gone.filter((sum) => isOf(sum, capture))),
    takenMinor: total(lost.filter((sum) => isOf(sum, capture))),
  }));
  const paying = captures.filter(({ misfit }) => misfit === '');
  const isDelivered = facts.some(({ type }) => type === 'delivered');
  const losses = { ...lossOf(due, paying, { refunds, disputes }) };
  const isTakenBack = facts.some(({ type }) => type === 'revoked');
  const goods = { isDelivered, isTakenBack };
  const known = { captures, refunds, disputes, isPaid: paying.length > 0, ...goods, ...losses };
  return {
    ...known,
    state: known.isPaid ? paidState(due, facts, known) : unpaidState(facts, captures),
    isDisputed: disputes.some(({ stage }) => stage === 'open'),
    review: reviewOf(due, captures),
  };
}

/** Only the exact price in the right currency, from an attempt of ours, pays for an order. */
function capturesIn(due: Due, facts: readonly Fact[]): Omit<Capture, 'goneMinor' | 'takenMinor'>[] {
  const opened = new Set(of(facts, 'attempt_opened').map(({ attemptId }) => attemptId));
  const reports = Map.groupBy(of(facts, 'captured'), (fact) =>
    [fact.captureId, fact.attemptId, fact.currency].join(' '),
  );
  return [...reports.values()].map((same) => {
    const { captureId, attemptId, currency, amountMinor } = largest(same);
    const isExact = same.some((fact) => fact.amountMinor === due.amountMinor);
    let misfit = '';
    if (!opened.has(attemptId)) misfit = 'unknown_attempt';
    else if (currency !== due.currency) misfit = 'wrong_currency';
    else if (!isExact) misfit = amountMinor < due.amountMinor ? 'underpaid' : 'overpaid';
    return { captureId, attemptId, currency, amountMinor, misfit };
  });
}

/**
 * A refund has the amount that we requested; a refund made elsewhere has the provider's amount.
 */
function refundsIn(facts: readonly Fact[]): Refund[] {
  const asked = new Map(of(facts, 'refund_requested').map((fact) => [fact.refundId, fact]));
  const settled = Map.groupBy(of(facts, 'refund_settled'), ({ refundId }) => refundId);
  return [...new Set([...asked.keys(), ...settled.keys()])].map((refundId) => {
    const ends = settled.get(refundId) ?? [];
    // A refund that failed at first may still succeed, and a refund that was returned stays
    // returned.
    const outcomes = ends.map(({ outcome }) => outcome);
    const last = ['returned', 'done', 'failed'].find((outcome) => outcomes.includes(outcome));
    const state = last === undefined ? 'pending' : last === 'done' ? 'done' : 'failed';
    const cameBack =
      outcomes.includes('done') && outcomes.indexOf('done') < outcomes.indexOf('returned');
    const request = asked.get(refundId);
    const { captureId, currency, amountMinor } =
      request ?? largest(ends.filter(({ outcome }) => outcome === last));
    const reason = request?.reason ?? '';
    return { refundId, captureId, currency, amountMinor, reason, state, cameBack };
  });
}

const stages = ['warning', 'open', 'won', 'lost', 'reinstated'];

/** The most advanced stage of a dispute counts, whatever the order of the reports. */
function disputesIn(facts: readonly Fact[]): Dispute[] {
  const byDispute = Map.groupBy(of(facts, 'disputed'), ({ disputeId }) => disputeId);
  return [...byDispute].map(([disputeId, reports]) => {
    const rank = Math.max(...reports.map(({ stage }) => stages.indexOf(stage)));
    const last = reports.filter(({ stage }) => stages.indexOf(stage) === rank);
    const { captureId, currency, amountMinor } = largest(last);
    return { disputeId, captureId, currency, amountMinor, stage: stages[rank] ?? '' };
  });
}

/**
 * Refunds of the order itself reduce its price. Money taken without our request, and refunds of
 * surplus, first reduce what was paid besides the price.
 */
function lossOf(
  due: Due,
  paying: readonly Capture[],
  { refunds, disputes }: { refunds: readonly Refund[]; disputes: readonly Dispute[] },
): { lossMinor: bigint; pendingMinor: bigint } {
  const touches = (sum: Sum) => paying.some((capture) => isOf(sum, capture));
  const touching = refunds.filter(touches);
  const isPrice = ({ reason }: Refund) =>
    !['', 'elsewhere', 'duplicate', 'misfit'].includes(reason);
  const done = touching.filter(({ state }) => state === 'done');
  const aside =
    total(done.filter((refund) => !isPrice(refund))) +
    total(disputes.filter((dispute) => touches(dispute) && dispute.stage === 'lost'));
  const payments = Map.groupBy(paying, ({ captureId }) => captureId);
  const spare = total([...payments.values()].map(largest)) - due.amountMinor;
  return {
    lossMinor: total(done.filter(isPrice)) + positive(aside - positive(spare)),
    pendingMinor: total(touching.filter((refund) => isPrice(refund) && refund.state === 'pending')),
  };
}

function paidState(
  due: Due,
  facts: readonly Fact[],
  {
    lossMinor,
    pendingMinor,
    isDelivered,
    isTakenBack,
  }: Omit<ExpectedOrder, 'state' | 'isDisputed' | 'review'>,
): string {
  if (lossMinor >= due.amountMinor) return 'refunded';
  if (pendingMinor > 0n && lossMinor + pendingMinor >= due.amountMinor) return 'refunding';
  // The player has neither the goods nor the money, so the money has to be refunded.
  if (isTakenBack) return 'refunding';
  if (isDelivered) return 'arrived';
  // Goods that may not be sold by law are not delivered, even if the refund failed.
  if (of(facts, 'refund_requested').some(({ reason }) => reason === 'over_limit')) return 'stuck';
  const resumed = new Set(of(facts, 'delivery_resumed').map(({ round }) => round));
  return of(facts, 'delivery_stuck').some(({ round }) => !resumed.has(round)) ? 'stuck' : 'paid';
}

function unpaidState(facts: readonly Fact[], captures: readonly Capture[]): string {
  const over = new Set(captures.map(({ attemptId }) => attemptId));
  for (const { type, attemptId } of facts) {
    if (type === 'attempt_declined' || type === 'attempt_closed') over.add(attemptId);
  }
  if (of(facts, 'attempt_opened').some(({ attemptId }) => !over.has(attemptId))) return 'paying';
  if (facts.some(({ type }) => type === 'expired')) return 'closed';
  // Money that does not match the order and was not refunded blocks another payment.
  return captures.some((capture) => !isGone(capture)) ? 'paying' : 'created';
}

/** The most severe problem of money that has not been refunded. */
function reviewOf(due: Due, captures: readonly Capture[]): string {
  const wrong = captures
    .filter((capture) => !isGone(capture))
    .map(({ misfit, amountMinor }) =>
      misfit === '' && amountMinor > due.amountMinor ? 'overpaid' : misfit,
    );
  const worst = ['unknown_attempt', 'wrong_currency', 'underpaid', 'overpaid'];
  return worst.find((reason) => wrong.includes(reason)) ?? '';
}

function isGone({ goneMinor, amountMinor }: Capture): boolean {
  return goneMinor >= amountMinor;
}

function of(facts: readonly Fact[], type: string): Fact[] {
  return facts.filter((fact) => fact.type === type);
}

function isOf(sum: Sum, capture: Sum): boolean {
  return sum.captureId === capture.captureId && sum.currency === capture.currency;
}

/** Among equal amounts the first by name, so that the order of reports does not matter. */
function largest<Some extends Sum>(sums: readonly Some[]): Some {
  const name = ({ captureId, currency }: Some) => `${captureId}:${currency}`;
  const [first] = sums.toSorted((one, other) => {
    if (one.amountMinor !== other.amountMinor) return one.amountMinor > other.amountMinor ? -1 : 1;
    return name(one) < name(other) ? -1 : 1;
  });
  if (first === undefined) throw new Error('expected at least one amount');
  return first;
}

function total(sums: readonly { amountMinor: bigint }[]): bigint {
  return sums.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
