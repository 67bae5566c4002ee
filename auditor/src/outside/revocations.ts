import type { Abroad } from '../court.ts';
import { patienceMs } from '../invariant.ts';

/** What a game says that it took back, or that it had nothing to take back. */
export interface Revocation {
  paymentId: string;
  result: string;
  at: string;
}

/** What orders say that a game answered last, as `revoked` or `not_found`, by payment id. */
export function revocationsOf(orders: readonly Abroad[]): Map<string, string> {
  return new Map(
    orders
      .filter(({ revoked }) => revoked !== '')
      .map(({ paymentId, revoked }) => [
        paymentId,
        revoked === 'not_found' ? 'not_found' : 'revoked',
      ]),
  );
}

/** I6: what the game took back is taken back here. Whatever is found is struck off what was expected. */
export function judgeRevocations(
  theirs: readonly Revocation[],
  { expected, orders, nowMs }: Expectation,
): string[] {
  const violations: string[] = [];
  for (const { paymentId, result, at } of theirs) {
    const isKnown = expected.get(paymentId) === result && expected.delete(paymentId);
    const isUnderWay = nowMs - Date.parse(at) < patienceMs;
    if (isKnown || isUnderWay || isAsked(orders, paymentId)) continue;
    violations.push(`order ${paymentId} was revoked by the game as ${result}, not so here`);
  }
  return violations;
}

interface Expectation {
  expected: Map<string, string>;
  orders: readonly Abroad[];
  nowMs: number;
}

/** I6: what is taken back here was taken back by the game. */
export function judgeUnrevoked(expected: ReadonlyMap<string, string>): string[] {
  return [...expected].map(
    ([paymentId, result]) => `order ${paymentId} is ${result} here, the game knows nothing of it`,
  );
}

/** The game answered and we have not heard it: it is asked again. */
function isAsked(orders: readonly Abroad[], paymentId: string): boolean {
  return orders.some((order) => order.paymentId === paymentId && order.isBeingRevoked);
}
