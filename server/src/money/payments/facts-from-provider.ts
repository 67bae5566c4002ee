import { type Fact, factsOf } from '../orders/order-fact.ts';
import type { PaymentTruth } from '../psp/psp.ts';

/** The facts in a provider's answer. */
export function factsFromProvider(
  truth: PaymentTruth & { outcome: 'ok' },
  attemptId: string,
  known: readonly Fact[],
): Fact[] {
  const facts: Fact[] = truth.captures.map(({ captureId, money }) => ({
    type: 'captured',
    attemptId,
    captureId,
    ...money,
  }));
  if (truth.status === 'closed') facts.push({ type: 'attempt_closed', attemptId });
  for (const { refundId, isOurs, captureId, money, state } of truth.refunds) {
    // A failed refund made at the provider may still succeed and is recorded only then.
    if (state === 'pending' || (state === 'failed' && !isOurs)) continue;
    facts.push({ type: 'refund_settled', refundId, captureId, ...money, outcome: state });
  }
  const lost = new Set(
    factsOf(known, 'disputed')
      .filter(({ stage }) => stage === 'lost')
      .map(({ disputeId }) => disputeId),
  );
  for (const { disputeId, captureId, money, stage } of truth.disputes) {
    const isReinstated = stage === 'won' && lost.has(disputeId);
    facts.push({
      type: 'disputed',
      disputeId,
      captureId,
      ...money,
      stage: isReinstated ? 'reinstated' : stage,
    });
  }
  return facts;
}
