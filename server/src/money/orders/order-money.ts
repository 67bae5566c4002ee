import type { Price } from '@pointgate/contract/money.ts';
import type { RefundReason } from '@pointgate/contract/orders.ts';
import {
  type DisputeStage,
  disputeStages,
  type Fact,
  type FactOf,
  factsOf,
  refundOutcomes,
} from './order-fact.ts';

export type ReviewReason = 'unknown_attempt' | 'wrong_currency' | 'underpaid' | 'overpaid';

export interface Refund extends Price {
  refundId: string;
  captureId: string;
  reason: RefundReason;
  /** One that came back from the payer's bank has failed. */
  state: 'pending' | 'done' | 'failed';
}

export interface Dispute extends Price {
  disputeId: string;
  captureId: string;
  stage: DisputeStage;
}

/** One capture at a provider, with everything that happened to it since. */
export interface Capture extends Price {
  captureId: string;
  attemptId: string;
  /** Why it does not fit the order; nothing where it pays for it. */
  misfit: ReviewReason | null;
  /** What has gone back or was lost. */
  goneMinor: bigint;
  /** What could still be sent back: neither gone, nor on its way, nor in dispute. */
  refundableMinor: bigint;
}

/** All money of an order, as it follows from the facts in whatever order they came. */
export interface OrderMoney {
  captures: Capture[];
  refunds: Refund[];
  disputes: Dispute[];
  isPaid: boolean;
  /** Of the order's price: what went back or was lost, and what is on its way back besides. */
  lossMinor: bigint;
  pendingLossMinor: bigint;
  /** Paid a second time, and nobody has asked yet for it to go back. */
  surplusMinor: bigint;
  reviewReason: ReviewReason | null;
  isDisputed: boolean;
}

export function moneyOf(due: Price, facts: readonly Fact[]): OrderMoney {
  const refunds = refundsOf(facts);
  const disputes = disputesOf(facts);
  const captures = capturesOf(due, facts).map((capture) =>
    withOutcome(
      capture,
      refunds.filter((refund) => isAbout(refund, capture)),
      disputes.filter((dispute) => isAbout(dispute, capture)),
    ),
  );
  const fitting = captures.filter(({ misfit }) => misfit === null);
  return {
    captures,
    refunds,
    disputes,
    isPaid: fitting.length > 0,
    ...lossOf(due, fitting, { refunds, disputes }),
    reviewReason: worstMisfit(captures, due),
    isDisputed: disputes.some(({ stage }) => stage === 'open'),
  };
}

/** Whether a refund takes back the order itself, and not money that came beside it. */
function isOfOrder(reason: RefundReason): boolean {
  return reason !== 'duplicate' && reason !== 'misfit';
}

/**
 * A second payment goes back whole and leaves the order as it is. What was taken from us without
 * our asking, by a bank or at the provider, is taken from what was paid beside the price first. What
 * goes beyond that was the order's money, whatever it was called when it went.
 */
function lossOf(
  due: Price,
  fitting: readonly Capture[],
  outcome: { refunds: readonly Refund[]; disputes: readonly Dispute[] },
): Pick<OrderMoney, 'lossMinor' | 'pendingLossMinor' | 'surplusMinor'> {
  const touches = (some: Price & { captureId: string }) =>
    fitting.some((capture) => isAbout(some, capture));
  const refunds = outcome.refunds.filter(touches);
  const done = refunds.filter(({ state }) => state === 'done');
  const ours = refunds.filter(({ reason }) => isOfOrder(reason) && reason !== 'elsewhere');
  const takenMinor =
    sum(done.filter(({ reason }) => reason === 'elsewhere')) +
    sum(outcome.disputes.filter((dispute) => touches(dispute) && dispute.stage === 'lost'));
  const besideMinor = sum(done.filter(({ reason }) => !isOfOrder(reason)));
  const payments = [...Map.groupBy(fitting, ({ captureId }) => captureId).values()].map(largestOf);
  const spareMinor = atLeastZero(sum(payments) - due.amountMinor);
  const paidTwiceMinor = due.amountMinor * BigInt(Math.max(0, payments.length - 1));
  return {
    lossMinor:
      sum(ours.filter(({ state }) => state === 'done')) +
      atLeastZero(takenMinor + besideMinor - spareMinor),
    pendingLossMinor: sum(ours.filter(({ state }) => state === 'pending')),
    // One that failed has an operator's attention; asking again by ourselves would fail again.
    surplusMinor: atLeastZero(
      paidTwiceMinor - sum(refunds.filter(({ reason }) => reason === 'duplicate')) - takenMinor,
    ),
  };
}

/** One entry for each capture; of several amounts that a provider gives for it the largest counts. */
function capturesOf(due: Price, facts: readonly Fact[]) {
  const opened = new Set(factsOf(facts, 'attempt_opened').map(({ attemptId }) => attemptId));
  const captures = Map.groupBy(
    factsOf(facts, 'captured'),
    ({ captureId, attemptId, currency }) => `${captureId}:${attemptId}:${currency}`,
  );
  return [...captures.entries()]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([, said]) => {
      const { captureId, attemptId, currency, amountMinor } = largestOf(said);
      const misfit = misfitOf(due, {
        isOurs: opened.has(attemptId),
        isExact: said.some((fact) => fact.amountMinor === due.amountMinor),
        amountMinor,
        currency,
      });
      return { captureId, attemptId, currency, amountMinor, misfit };
    });
}

/** Only the exact price pays; a provider that once said the exact price cannot take that back. */
function misfitOf(
  due: Price,
  capture: Price & { isOurs: boolean; isExact: boolean },
): ReviewReason | null {
  if (!capture.isOurs) return 'unknown_attempt';
  if (capture.currency !== due.currency) return 'wrong_currency';
  if (capture.isExact) return null;
  return capture.amountMinor < due.amountMinor ? 'underpaid' : 'overpaid';
}

function refundsOf(facts: readonly Fact[]): Refund[] {
  const requested = new Map(
    factsOf(facts, 'refund_requested').map((fact) => [fact.refundId as string, fact]),
  );
  const settled = Map.groupBy(factsOf(facts, 'refund_settled'), ({ refundId }) => refundId);
  const asked = [...requested.values()].map((fact): Refund => {
    const { refundId, captureId, amountMinor, currency, reason } = fact;
    const outcomes = settled.get(refundId);
    const state = outcomes === undefined ? 'pending' : endOf(outcomes).state;
    return { refundId, captureId, amountMinor, currency, reason, state };
  });
  // One that nobody here asked for and that never was done never was.
  const elsewhere = [...settled.entries()]
    .filter(([refundId]) => !requested.has(refundId))
    .filter(([, outcomes]) => outcomes.some(({ outcome }) => outcome === 'done'))
    .map(([refundId, outcomes]): Refund => {
      const { state, said } = endOf(outcomes);
      const { captureId, amountMinor, currency } = said;
      return { refundId, captureId, amountMinor, currency, reason: 'elsewhere', state };
    });
  return [...asked, ...elsewhere].toSorted((left, right) =>
    left.refundId < right.refundId ? -1 : 1,
  );
}

/** How a refund stands after all that was said of it, and what was said of that outcome. */
function endOf(outcomes: readonly FactOf<'refund_settled'>[]): {
  state: 'done' | 'failed';
  said: FactOf<'refund_settled'>;
} {
  const last = refundOutcomes.findLast((known) =>
    outcomes.some(({ outcome }) => outcome === known),
  );
  const said = largestOf(outcomes.filter(({ outcome }) => outcome === last));
  return { state: last === 'done' ? 'done' : 'failed', said };
}

function disputesOf(facts: readonly Fact[]): Dispute[] {
  const stages = Map.groupBy(factsOf(facts, 'disputed'), ({ disputeId }) => disputeId);
  return [...stages.entries()]
    .toSorted(([left], [right]) => (left < right ? -1 : 1))
    .map(([disputeId, heard]) => {
      const stage = disputeStages.findLast((known) => heard.some((one) => one.stage === known));
      if (stage === undefined) throw new Error('a group without a member');
      // What counts is what was said of the last stage: a bank may take less than was in dispute.
      const { captureId, amountMinor, currency } = largestOf(
        heard.filter((one) => one.stage === stage),
      );
      return { disputeId, captureId, amountMinor, currency, stage };
    });
}

function withOutcome(
  capture: Omit<Capture, 'goneMinor' | 'refundableMinor'>,
  refunds: readonly Refund[],
  disputes: readonly Dispute[],
): Capture {
  const goneMinor =
    sum(refunds.filter(({ state }) => state === 'done')) +
    sum(disputes.filter(({ stage }) => stage === 'lost'));
  const boundMinor =
    sum(refunds.filter(({ state }) => state === 'pending')) +
    sum(disputes.filter(({ stage }) => stage === 'open'));
  return {
    ...capture,
    goneMinor,
    refundableMinor: atLeastZero(capture.amountMinor - goneMinor - boundMinor),
  };
}

/** Money that does not fit is an operator's until all of it has gone back. */
function worstMisfit(captures: readonly Capture[], due: Price): ReviewReason | null {
  const reasons = new Set<ReviewReason>();
  for (const { misfit, amountMinor, goneMinor } of captures) {
    if (misfit !== null && goneMinor < amountMinor) reasons.add(misfit);
    // The provider gave two amounts for one capture, and the larger one is not the price.
    if (misfit === null && amountMinor > due.amountMinor && goneMinor < amountMinor) {
      reasons.add('overpaid');
    }
  }
  const byWeight = ['unknown_attempt', 'wrong_currency', 'underpaid', 'overpaid'] as const;
  return byWeight.find((reason) => reasons.has(reason)) ?? null;
}

function isAbout(
  some: { captureId: string; currency: string },
  capture: { captureId: string; currency: string },
): boolean {
  return some.captureId === capture.captureId && some.currency === capture.currency;
}

/** Of what a provider says about one thing; the same one in whatever order it was said. */
function largestOf<Said extends Price & { captureId: string }>(said: readonly Said[]): Said {
  const name = ({ captureId, currency }: Said) => `${captureId}:${currency}`;
  return said.reduce((known, other) => {
    if (other.amountMinor !== known.amountMinor) {
      return other.amountMinor > known.amountMinor ? other : known;
    }
    return name(other) < name(known) ? other : known;
  });
}

function sum(prices: readonly { amountMinor: bigint }[]): bigint {
  return prices.reduce((total, { amountMinor }) => total + amountMinor, 0n);
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n;
}
