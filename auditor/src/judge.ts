import type { Violation } from './invariant.ts';
import { judgeGoods } from './judge-goods.ts';
import { judgeHistory } from './judge-history.ts';
import { isLeg, judgeLegs } from './judge-legs.ts';
import { judgeMoney } from './judge-money.ts';
import { judgePoints } from './judge-points.ts';
import type { Papers } from './papers.ts';
import type { ToldOrder } from './told-order.ts';

/** Runs all checks on one order. */
export function judge(told: ToldOrder): Violation[] {
  const { papers, unreadable } = told;
  const { paymentId, intents } = papers;
  const violations = unreadable.map((seq) => ({
    id: 'I8',
    text: `order ${paymentId}, event ${seq} cannot be read`,
  }));
  if (intents !== 1)
    violations.push({ id: 'I10', text: `order ${paymentId} has ${intents} intents` });
  violations.push(...judgeLegs(papers));
  // A history with unreadable events has no end to compare with.
  if (unreadable.length > 0) return violations;
  return [
    ...violations,
    ...judgeHistory(told),
    ...judgeMoney(told),
    ...judgeGoods(told),
    ...judgePoints(told),
  ];
}

/** Rows that reference a missing order, or an order of another account. */
export function judgeNoOrder(papers: Papers): Violation[] {
  const { accountId, paymentId } = papers;
  const whose = `of account ${accountId} is for ${paymentId}, which is no order of theirs`;
  const some = (id: string, what: string, found: readonly unknown[]) =>
    found.length > 0 ? [{ id, text: `${what} ${whose}` }] : [];
  // Expiry and gifts belong to no order.
  const entries = papers.entries.filter(
    ({ kind, posting }) => kind !== 'expiry' && !posting.startsWith('gift'),
  );
  // The wallet's side of point movements is checked against the wallet's statement.
  const transfers = papers.transfers.filter((transfer) => !isLeg(transfer));
  return [
    ...judgeLegs(papers),
    ...transfers.map(({ posting }) => ({ id: 'I1', text: `transfer ${posting} ${whose}` })),
    ...some('I8', 'a history', papers.events),
    ...some('I8', 'an attempt', papers.attempts),
    ...some('I8', 'a delivery', papers.deliveries),
    ...some('I8', 'a refund', papers.refunds),
    ...some('I8', 'a revocation', papers.revocations),
    ...some('I1', 'a movement of points', [...entries, ...papers.steps]),
  ];
}
