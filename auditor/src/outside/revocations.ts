import type { ExternalHistory } from '../check-cache.ts';
import { gracePeriodMs } from '../invariant.ts';

/** A revocation as the game lists it; `not_found` if it had nothing to revoke. */
export interface Revocation {
  paymentId: string;
  result: string;
  at: string;
}

/** The last answer of the game to each revocation, `revoked` or `not_found`, by payment id. */
export function revocationsOf(orders: readonly ExternalHistory[]): Map<string, string> {
  return new Map(
    orders
      .filter(({ revoked }) => revoked !== '')
      .map(({ paymentId, revoked }) => [
        paymentId,
        revoked === 'not_found' ? 'not_found' : 'revoked',
      ]),
  );
}

/**
 * I6: goods that the game revoked are revoked in our tables. Matches are removed from `expected`.
 */
export function checkRevocations(
  theirs: readonly Revocation[],
  { expected, orders, nowMs }: Expectation,
): string[] {
  const violations: string[] = [];
  for (const { paymentId, result, at } of theirs) {
    const isKnown = expected.get(paymentId) === result && expected.delete(paymentId);
    const isUnderWay = nowMs - Date.parse(at) < gracePeriodMs;
    if (isKnown || isUnderWay || isAsked(orders, paymentId)) continue;
    violations.push(`order ${paymentId} was revoked by the game as ${result}, not so here`);
  }
  return violations;
}

interface Expectation {
  expected: Map<string, string>;
  orders: readonly ExternalHistory[];
  nowMs: number;
}

/** I6: goods that are revoked in our tables were revoked by the game. */
export function checkMissingRevocations(expected: ReadonlyMap<string, string>): string[] {
  return [...expected].map(
    ([paymentId, result]) => `order ${paymentId} is ${result} here, the game knows nothing of it`,
  );
}

/** Whether the revocation is still queued: the game may have answered without our knowledge. */
function isAsked(orders: readonly ExternalHistory[], paymentId: string): boolean {
  return orders.some((order) => order.paymentId === paymentId && order.isBeingRevoked);
}
