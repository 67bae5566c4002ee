import type { Violation } from './invariant.ts';
import { judgeGoods } from './judge-goods.ts';
import { judgeHistory } from './judge-history.ts';
import { judgeMoney } from './judge-money.ts';
import { judgePoints } from './judge-points.ts';
import type { Papers } from './papers.ts';
import type { ToldOrder } from './told-order.ts';

/** Goes through everything there is of one order. */
export function judge(told: ToldOrder): Violation[] {
  const { papers, unreadable } = told;
  const { paymentId, intents } = papers;
  const violations = unreadable.map((seq) => ({
    id: 'I8',
    text: `order ${paymentId}, event ${seq} cannot be read`,
  }));
  if (intents !== 1)
    violations.push({ id: 'I10', text: `order ${paymentId} has ${intents} intents` });
  // A history that cannot be read in full has no end to be compared with.
  if (unreadable.length > 0) return violations;
  return [
    ...violations,
    ...judgeHistory(told),
    ...judgeMoney(told),
    ...judgeGoods(told),
    ...judgePoints(told),
  ];
}

/** Papers that name an order which is not there, or is somebody else's. */
export function judgeNoOrder(papers: Papers): Violation[] {
  const { accountId, paymentId } = papers;
  const whose = `of account ${accountId} is for ${paymentId}, which is no order of theirs`;
  const some = (id: string, what: string, found: readonly unknown[]) =>
    found.length > 0 ? [{ id, text: `${what} ${whose}` }] : [];
  return [
    ...papers.transfers.map(({ posting }) => ({ id: 'I1', text: `transfer ${posting} ${whose}` })),
    ...some('I8', 'a history', papers.events),
    ...some('I8', 'an attempt', papers.attempts),
    ...some('I8', 'a delivery', papers.deliveries),
    ...some('I8', 'a refund', papers.refunds),
    ...some('I8', 'a revocation', papers.revocations),
    ...some('I1', 'a movement of points', [...papers.entries, ...papers.steps]),
    ...(papers.intents > 0 ? [{ id: 'I10', text: `an intent ${whose}` }] : []),
  ];
}
