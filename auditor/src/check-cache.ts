import { checkLegs } from './check-legs.ts';
import { checkOrder, checkRowsWithoutOrder } from './check-order.ts';
import type { Dispute, Refund } from './expected-order.ts';
import type { Violation } from './invariant.ts';
import { type OrderToCheck, readOrderRows } from './order-rows.ts';
import { replayOrder } from './replayed-order.ts';

/** The part of an order's history that external parties know about. */
export interface ExternalHistory {
  accountId: string;
  paymentId: string;
  refunds: readonly Refund[];
  disputes: readonly Dispute[];
  /** The last answer of the game to a revocation; empty without an answer. */
  revoked: string;
  isBeingRevoked: boolean;
  /** The cases opened for this order, as kind and subject. */
  cases: readonly string[];
}

interface CheckResult {
  violations: Violation[];
  externalHistory: ExternalHistory | undefined;
  /** The number of rows of each kind. */
  counts: ReadonlyMap<string, number>;
}

type CheckOne = (order: OrderToCheck) => CheckResult;

/**
 * Checks one order after the other. Orders whose rows differ only in ids are checked once, because
 * most orders are alike. Of an archived order only the point movements are complete.
 */
export function openCheckCache({ isArchived }: { isArchived: boolean }): { check: CheckOne } {
  const checkOne = isArchived ? checkArchived : checkWhole;
  const known = new Map<string, CheckResult>();
  return {
    check: (order) => {
      const { text, names } = withNumberedIds(order);
      if (names === undefined) return checkOne(order);
      const name = `${order.count} ${text}`;
      const before = known.get(name);
      if (before !== undefined) return withOriginalIds(before, names);
      const result = checkOne({ ...order, text, accountId: '#0', paymentId: '#1' });
      if (known.size < cachedMax) known.set(name, result);
      return withOriginalIds(result, names);
    },
  };
}

const cachedMax = 10_000;

function checkWhole(order: OrderToCheck): CheckResult {
  const { accountId, paymentId } = order;
  const key = { accountId, paymentId };
  const rows = readOrderRows(order);
  if (rows === undefined) return unreadable(order);
  const counts = countsOf(order);
  if (rows.order === undefined) {
    return { violations: checkRowsWithoutOrder(rows), externalHistory: undefined, counts };
  }
  const replayed = replayOrder(rows, rows.order);
  const { refunds, disputes } = replayed.expectedOrder;
  const answered = rows.revocations.find(({ state }) => state === 'answered');
  const cases = rows.cases.map(({ kind, subject }) => `${kind} ${subject}`);
  const revoked = answered?.result ?? '';
  const isBeingRevoked = rows.revocations.some(({ state }) => state === 'queued');
  return {
    violations: checkOrder(replayed),
    externalHistory: { ...key, refunds, disputes, revoked, isBeingRevoked, cases },
    counts,
  };
}

function checkArchived(order: OrderToCheck): CheckResult {
  const rows = readOrderRows(order);
  if (rows === undefined) return unreadable(order);
  return { violations: checkLegs(rows), externalHistory: undefined, counts: countsOf(order) };
}

function unreadable({ paymentId }: OrderToCheck): CheckResult {
  const text = `order ${paymentId} has rows that cannot be read`;
  return { violations: [{ id: 'I8', text }], externalHistory: undefined, counts: new Map() };
}

function countsOf({ text }: OrderToCheck): Map<string, number> {
  const kinds = Map.groupBy(text.split('\n'), (line) => line.split('\t', 1)[0] ?? '');
  return new Map([...kinds].map(([kind, lines]) => [kind, lines.length]));
}

const idPattern = /\b(?:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[a-z]{2,4}_[A-Za-z0-9]{12,})/g;

/**
 * The rows with a number in place of each id, except where an id could be confused with a number.
 */
function withNumberedIds({ accountId, paymentId, text }: OrderToCheck): {
  text: string;
  names: string[] | undefined;
} {
  if (text.includes('#')) return { text, names: undefined };
  const numbers = new Map([
    [accountId, '#0'],
    [paymentId, '#1'],
  ]);
  const numbered = text.replace(idPattern, (found) => {
    const number = numbers.get(found) ?? `#${numbers.size}`;
    numbers.set(found, number);
    return number;
  });
  return { text: numbered, names: [...numbers.keys()] };
}

function withOriginalIds(
  { violations, externalHistory, counts }: CheckResult,
  names: readonly string[],
): CheckResult {
  const withId = (text: string) =>
    text.replace(/#(\d+)/g, (number, index) => names[Number(index)] ?? number);
  return {
    counts,
    violations: violations.map(({ id, text }) => ({ id, text: withId(text) })),
    externalHistory: externalHistory && {
      ...externalHistory,
      accountId: withId(externalHistory.accountId),
      paymentId: withId(externalHistory.paymentId),
      refunds: externalHistory.refunds.map((refund) => ({
        ...refund,
        refundId: withId(refund.refundId),
        captureId: withId(refund.captureId),
      })),
      disputes: externalHistory.disputes.map((dispute) => ({
        ...dispute,
        disputeId: withId(dispute.disputeId),
        captureId: withId(dispute.captureId),
      })),
      cases: externalHistory.cases.map(withId),
    },
  };
}
