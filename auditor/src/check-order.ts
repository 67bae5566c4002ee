import { checkGoods } from './check-goods.ts';
import { checkHistory } from './check-history.ts';
import { checkLegs, isLeg } from './check-legs.ts';
import { checkMoney } from './check-money.ts';
import { checkPoints } from './check-points.ts';
import type { Violation } from './invariant.ts';
import type { OrderRows } from './order-rows.ts';
import type { ReplayedOrder } from './replayed-order.ts';

/** Runs all checks on one order. */
export function checkOrder(replayed: ReplayedOrder): Violation[] {
  const { rows, unreadable } = replayed;
  const { paymentId, intents } = rows;
  const violations = unreadable.map((seq) => ({
    id: 'I8',
    text: `order ${paymentId}, event ${seq} cannot be read`,
  }));
  if (intents !== 1)
    violations.push({ id: 'I10', text: `order ${paymentId} has ${intents} intents` });
  violations.push(...checkLegs(rows));
  // A history with unreadable events has no end to compare with.
  if (unreadable.length > 0) return violations;
  return [
    ...violations,
    ...checkHistory(replayed),
    ...checkMoney(replayed),
    ...checkGoods(replayed),
    ...checkPoints(replayed),
  ];
}

/** Rows that reference a missing order, or an order of another account. */
export function checkRowsWithoutOrder(rows: OrderRows): Violation[] {
  const { accountId, paymentId } = rows;
  const whose = `of account ${accountId} is for ${paymentId}, which is no order of theirs`;
  const some = (id: string, what: string, found: readonly unknown[]) =>
    found.length > 0 ? [{ id, text: `${what} ${whose}` }] : [];
  // Expiry and gifts belong to no order.
  const entries = rows.entries.filter(
    ({ kind, posting }) => kind !== 'expiry' && !posting.startsWith('gift'),
  );
  // The wallet's side of point movements is checked against the wallet's statement.
  const transfers = rows.transfers.filter((transfer) => !isLeg(transfer));
  return [
    ...checkLegs(rows),
    ...transfers.map(({ posting }) => ({ id: 'I1', text: `transfer ${posting} ${whose}` })),
    ...some('I8', 'a history', rows.events),
    ...some('I8', 'an attempt', rows.attempts),
    ...some('I8', 'a delivery', rows.deliveries),
    ...some('I8', 'a refund', rows.refunds),
    ...some('I8', 'a revocation', rows.revocations),
    ...some('I1', 'a movement of points', [...entries, ...rows.steps]),
  ];
}
