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
  /** A refund that the payer's bank returned counts as failed. */
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
  /** Why the capture does not match the order; null if it does. */
  misfit: ReviewReason | null;
  /** The amount refunded or lost in disputes. */
  goneMinor: bigint;
  /** The amount that is neither refunded, nor lost, nor pending refund, nor in dispute. */
  refundableMinor: bigint;
}

/** All money of an order, computed from its facts independently of their order. */
export interface OrderMoney {
  captures: Capture[];
  refunds: Refund[];
  disputes: Dispute[];
  isPaid: boolean;
  /** The parts of the price that were refunded or lost, and that are pending refund. */
  lossMinor: bigint;
  pendingLossMinor: bigint;
  /** The amount of duplicate payments whose refund was not requested yet. */
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

/** Whether a refund is about the price of the order and not about additional payments. */
function isOfOrder(reason: RefundReason): boolean {
  return reason !== 'duplicate' && reason !== 'misfit';
}

/**
 * A second payment is refunded in full and leaves the order unchanged. Lost disputes and refunds
 * made at the provider are deducted from additional payments first. What exceeds these is deducted
 * from the price of the order, whatever the reason given.
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
    // A failed refund has a case for an operator; an automatic retry would fail again.
    surplusMinor: atLeastZero(
      paidTwiceMinor - sum(refunds.filter(({ reason }) => reason === 'duplicate')) - takenMinor,
    ),
  };
}

/** One entry per capture, attempt and currency, with the largest of its reported amounts. */
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

/** Only the exact price pays. Once the exact price was reported, later reports do not undo it. */
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
  // A refund made at the provider is ignored unless it was reported as done at least once.
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

/** The state of a refund after all its reported outcomes, and the report that decided it. */
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
      if (stage === undefined) throw new Error('a group has no members');
      // The last stage has the right amount: less may be lost than was disputed.
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

/** The most severe review reason of the captures that are not fully refunded. */
function worstMisfit(captures: readonly Capture[], due: Price): ReviewReason | null {
  const reasons = new Set<ReviewReason>();
  for (const { misfit, amountMinor, goneMinor } of captures) {
    if (misfit !== null && goneMinor < amountMinor) reasons.add(misfit);
    // The provider reported two amounts for one capture, and the larger one exceeds the price.
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

/** The report with the largest amount, chosen independently of the order of the reports. */
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
