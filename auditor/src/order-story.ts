import type { Fact } from './facts.ts';

// Written from what the shop promises and not from its code: whoever audits the books must not share
// the bookkeeper's mistakes.

/** What an order costs. */
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
  /** Why it does not pay for the order; empty where it does. */
  misfit: string;
  /** What has gone back of it or was lost. */
  goneMinor: bigint;
  /** Of that, what a bank took. */
  takenMinor: bigint;
}

export interface Refund extends Sum {
  refundId: string;
  /** Empty for one that nobody here asked for. */
  reason: string;
  state: 'pending' | 'done' | 'failed';
  /** It failed after the shop had heard that it was done. */
  cameBack: boolean;
}

export interface Dispute extends Sum {
  disputeId: string;
  stage: string;
}

/** How an order has to stand after everything that is known of it. */
export interface Story {
  state: string;
  captures: Capture[];
  refunds: Refund[];
  disputes: Dispute[];
  isPaid: boolean;
  isDelivered: boolean;
  /** The game was told that the money has gone back, and gives nothing for it any more. */
  isTakenBack: boolean;
  isDisputed: boolean;
  /** Why an operator has to look; empty where nobody has to. */
  review: string;
  /** Of the price: what went back or was lost, and what we have asked to go back besides. */
  lossMinor: bigint;
  pendingMinor: bigint;
}

export function storyOf(due: Due, facts: readonly Fact[]): Story {
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

/** Only the exact price in the right currency, of a payment that we opened, pays for an order. */
function capturesIn(due: Due, facts: readonly Fact[]): Omit<Capture, 'goneMinor' | 'takenMinor'>[] {
  const opened = new Set(of(facts, 'attempt_opened').map(({ attemptId }) => attemptId));
  const heard = Map.groupBy(of(facts, 'captured'), (fact) =>
    [fact.captureId, fact.attemptId, fact.currency].join(' '),
  );
  return [...heard.values()].map((same) => {
    const { captureId, attemptId, currency, amountMinor } = largest(same);
    const isExact = same.some((fact) => fact.amountMinor === due.amountMinor);
    let misfit = '';
    if (!opened.has(attemptId)) misfit = 'unknown_attempt';
    else if (currency !== due.currency) misfit = 'wrong_currency';
    else if (!isExact) misfit = amountMinor < due.amountMinor ? 'underpaid' : 'overpaid';
    return { captureId, attemptId, currency, amountMinor, misfit };
  });
}

/** A refund is as large as we asked for; one made elsewhere as large as the provider says. */
function refundsIn(facts: readonly Fact[]): Refund[] {
  const asked = new Map(of(facts, 'refund_requested').map((fact) => [fact.refundId, fact]));
  const settled = Map.groupBy(of(facts, 'refund_settled'), ({ refundId }) => refundId);
  return [...new Set([...asked.keys(), ...settled.keys()])].map((refundId) => {
    const ends = settled.get(refundId) ?? [];
    // A bank that refused at first may have paid out after all, and what it sent back stays back.
    const heard = ends.map(({ outcome }) => outcome);
    const last = ['returned', 'done', 'failed'].find((outcome) => heard.includes(outcome));
    const state = last === undefined ? 'pending' : last === 'done' ? 'done' : 'failed';
    const cameBack = heard.includes('done') && heard.indexOf('done') < heard.indexOf('returned');
    const request = asked.get(refundId);
    const { captureId, currency, amountMinor } =
      request ?? largest(ends.filter(({ outcome }) => outcome === last));
    const reason = request?.reason ?? '';
    return { refundId, captureId, currency, amountMinor, reason, state, cameBack };
  });
}

const stages = ['warning', 'open', 'won', 'lost', 'reinstated'];

/** Of what is heard of a dispute the furthest stage counts, whatever the order of hearing. */
function disputesIn(facts: readonly Fact[]): Dispute[] {
  const heard = Map.groupBy(of(facts, 'disputed'), ({ disputeId }) => disputeId);
  return [...heard].map(([disputeId, told]) => {
    const rank = Math.max(...told.map(({ stage }) => stages.indexOf(stage)));
    const last = told.filter(({ stage }) => stages.indexOf(stage) === rank);
    const { captureId, currency, amountMinor } = largest(last);
    return { disputeId, captureId, currency, amountMinor, stage: stages[rank] ?? '' };
  });
}

/**
 * Refunds of the order itself take from its price. What was taken without our asking, and what was
 * sent back as money beside the price, takes from what was paid beside the price first.
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
  }: Omit<Story, 'state' | 'isDisputed' | 'review'>,
): string {
  if (lossMinor >= due.amountMinor) return 'refunded';
  if (pendingMinor > 0n && lossMinor + pendingMinor >= due.amountMinor) return 'refunding';
  // Neither the goods nor the money are with the player, so the money is owed.
  if (isTakenBack) return 'refunding';
  if (isDelivered) return 'arrived';
  // What the law does not let the shop sell is not given, even where the money could not go back.
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
  // Money that does not fit and is still here stands in the way of paying again.
  return captures.some((capture) => !isGone(capture)) ? 'paying' : 'created';
}

/** The worst of what is wrong with money that has not gone back. */
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

/** Of equals the first by name, so that the order of hearing does not matter. */
function largest<Some extends Sum>(sums: readonly Some[]): Some {
  const name = ({ captureId, currency }: Some) => `${captureId}:${currency}`;
  const [first] = sums.toSorted((one, other) => {
    if (one.amountMinor !== other.amountMinor) return one.amountMinor > other.amountMinor ? -1 : 1;
    return name(one) < name(other) ? -1 : 1;
  });
  if (first === undefined) throw new Error('nothing was said');
  return first;
}

function total(sums: readonly { amountMinor: bigint }[]): bigint {
  return sums.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
}

function positive(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
