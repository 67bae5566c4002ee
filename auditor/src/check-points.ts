import type { Refund } from './expected-order.ts';
import type { Violation } from './invariant.ts';
import type { EntryRow, OrderRow, StepRow } from './order-rows.ts';
import type { ReplayedOrder } from './replayed-order.ts';

/**
 * Checks that the wallet was moved for an order as its history says: granted, spent, clawed back,
 * returned.
 */
export function checkPoints(replayed: ReplayedOrder): Violation[] {
  const { rows, order } = replayed;
  // Expiry belongs to the lot of a top-up and is not caused by the order.
  const entries = rows.entries.filter(({ kind }) => kind !== 'expiry');
  const wrong =
    order.kind === 'points' ? checkTopUp(replayed, entries) : checkSpend(replayed, entries);
  return wrong.map((text) => ({ id: 'I1', text: `order ${rows.paymentId} ${text}` }));
}

function checkSpend(
  { order, expectedOrder, rows }: ReplayedOrder,
  entries: readonly EntryRow[],
): string[] {
  const isSpent = order.currency === 'EPOINT' && expectedOrder.isPaid;
  const back = expectedOrder.refunds.filter(
    (refund) => isOfPoints(refund) && refund.state === 'done',
  );
  const expected = new Map<string, bigint>([
    ...(isSpent ? [['spend spend', -order.amountMinor] as const] : []),
    ...back.map(({ refundId, amountMinor }) => [`refund refund:${refundId}`, amountMinor] as const),
  ]);
  const wrong = rows.steps.length > 0 ? ['is no top-up and has steps of one'] : [];
  for (const { kind, posting, basic, present } of entries) {
    const name = `${kind} ${posting}`;
    const points = expected.get(name) ?? 0n;
    expected.delete(name);
    if (basic + present !== points) {
      wrong.push(`moved ${basic + present} points as ${name}, expected ${points}`);
    }
  }
  for (const [name, points] of expected) {
    wrong.push(`moved 0 points as ${name}, expected ${points}`);
  }
  return wrong;
}

/** A top-up keeps points in proportion to the money that stays, rounded down to whole points. */
function checkTopUp(
  { order, expectedOrder, rows }: ReplayedOrder,
  entries: readonly EntryRow[],
): string[] {
  const steps = rows.steps.toSorted((one, other) => one.step - other.step);
  const [grant] = steps;
  const last = steps.at(-1);
  if (!expectedOrder.isPaid || !expectedOrder.isDelivered) {
    return steps.length + entries.length > 0 ? ['granted points and was not delivered'] : [];
  }
  if (grant === undefined || last === undefined) return ['granted no points and was delivered'];
  const going = expectedOrder.lossMinor + expectedOrder.pendingMinor;
  const stays = going < order.amountMinor ? order.amountMinor - going : 0n;
  const share = (points: bigint) => (points * stays) / order.amountMinor;
  const wrong: string[] = [];
  if (!isGrant(grant, order) || steps.some((step, index) => step.step !== index + 1)) {
    wrong.push(
      `granted ${grant.basicGranted} and ${grant.presentGranted} points, ` +
        `sold ${order.basic} and ${order.present}`,
    );
  }
  if (last.basicKept !== share(order.basic) || last.presentKept !== share(order.present)) {
    wrong.push(
      `keeps ${last.basicKept} and ${last.presentKept} points, ` +
        `expected ${share(order.basic)} and ${share(order.present)}`,
    );
  }
  return [...wrong, ...checkMoved(last, entries)];
}

function isGrant(step: StepRow, order: OrderRow): boolean {
  return (
    step.basicGranted === order.basic &&
    step.presentGranted === order.present &&
    step.basicKept === order.basic &&
    step.presentKept === order.present &&
    step.presentClaimed + step.presentOwed === 0n
  );
}

/** Present points that were spent already are clawed back as basic points. */
function checkMoved(last: StepRow, entries: readonly EntryRow[]): string[] {
  const known = ['top_up', 'claw_back', 'restore'];
  const other = entries.filter(({ kind }) => !known.includes(kind));
  const grants = entries.filter(({ kind }) => kind === 'top_up').length;
  const basic = entries.reduce((sum, entry) => sum + entry.basic, 0n);
  const present = entries.reduce((sum, entry) => sum + entry.present, 0n);
  const shouldBasic = last.basicKept - last.presentOwed;
  const shouldPresent = last.presentGranted - last.presentClaimed;
  const wrong = other.map(
    ({ kind, posting }) => `is a top-up and moved points as ${kind} ${posting}`,
  );
  if (grants !== 1) wrong.push(`granted its points ${grants} times`);
  if (basic !== shouldBasic || present !== shouldPresent) {
    wrong.push(
      `left ${basic} and ${present} points in the wallet, ` +
        `expected ${shouldBasic} and ${shouldPresent}`,
    );
  }
  return wrong;
}

function isOfPoints({ currency }: Refund): boolean {
  return currency === 'EPOINT';
}
