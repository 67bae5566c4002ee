import type { PriceUnit } from '@pointgate/contract/money.ts';
import type { Tx } from '../../platform/db.ts';
import { openCase } from '../cases/cases.ts';
import { type Fact, factsOf } from './order-fact.ts';
import type { Projection } from './order-state.ts';
import type { OrderKey, OrderRow } from './orders.queries.ts';

/** An order before and after new facts. */
export interface Moved {
  key: OrderKey;
  before: Projection;
  after: Projection;
  order: OrderRow;
  learnt: readonly Fact[];
}

/** Opens the cases that only an operator can decide. */
export async function openCases(
  tx: Tx,
  { key, before, after, order, learnt }: Moved,
): Promise<void> {
  for (const capture of after.money.captures) {
    const { captureId, misfit, amountMinor, goneMinor } = capture;
    const subject = `${key.paymentId}:${captureId}`;
    const known = before.money.captures.find(
      (one) => one.captureId === captureId && one.amountMinor === amountMinor,
    );
    if (goneMinor > amountMinor && (known === undefined || known.goneMinor <= amountMinor)) {
      const details = { ...readable(capture), goneMinor: goneMinor.toString() };
      await openCase(tx, { kind: 'lost_twice', subject, order: key, details });
    }
    const reviewReason = misfit ?? (amountMinor > order.amount_minor ? 'overpaid' : null);
    if (reviewReason === null || known !== undefined) continue;
    const details = { reviewReason, ...readable(capture) };
    await openCase(tx, { kind: 'misfit_money', subject, order: key, details });
  }
  for (const fact of factsOf(learnt, 'refund_settled')) {
    const refundIn = ({ money }: Projection) =>
      money.refunds.find(({ refundId }) => refundId === fact.refundId);
    if (fact.outcome === 'done' || refundIn(after) === undefined) continue;
    const wasDone = refundIn(before)?.state === 'done';
    const kind = wasDone && fact.outcome === 'returned' ? 'refund_returned' : 'refund_failed';
    await openCase(tx, { kind, subject: fact.refundId, order: key, details: readable(fact) });
  }
  for (const fact of factsOf(learnt, 'disputed')) {
    if (fact.stage !== 'open' && fact.stage !== 'warning') continue;
    const subject = `${fact.disputeId}:${fact.stage}`;
    await openCase(tx, { kind: 'dispute', subject, order: key, details: readable(fact) });
  }
  const isReinstated = factsOf(learnt, 'disputed').some(({ stage }) => stage === 'reinstated');
  if (isReinstated && before.state === 'refunded' && after.state !== 'refunded') {
    const subject = `${key.paymentId}:${order.version}`;
    const details = { state: after.state };
    await openCase(tx, { kind: 'reinstated', subject, order: key, details });
  }
}

function readable(fact: { captureId: string; amountMinor: bigint; currency: PriceUnit }) {
  const { captureId, amountMinor, currency } = fact;
  return { captureId, amountMinor: amountMinor.toString(), currency };
}
