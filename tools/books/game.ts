import { z } from 'zod';
import type { Abroad } from '../../auditor/src/court.ts';
import type { Query } from '../../auditor/src/database.ts';
import { patienceMs } from '../../auditor/src/invariant.ts';
import { type IdRange, idsIn } from '../../auditor/src/ranges.ts';
import { readRange } from './outside.ts';
import type { Compared } from './provider.ts';

const Grant = z.object({
  paymentId: z.string(),
  gameId: z.string(),
  serverId: z.string(),
  roleId: z.string(),
  gameAccountId: z.string(),
  sku: z.string(),
  quantity: z.int(),
  times: z.int(),
  at: z.iso.datetime(),
  revoked: z.boolean(),
});
type Grant = z.output<typeof Grant>;

const quantity = '(pack_quantity + gift_quantity) * pack_count';
const receiver = ['game_id', 'server_id', 'role_id', 'game_account_id'];

/** I6: the game gave each order that arrived what it bought, to whom it was for, once. */
export async function compareGrants(
  query: Query,
  range: IdRange,
  { game, nowMs }: { game: string; nowMs: number },
): Promise<Compared> {
  const [sold, grants] = await Promise.all([
    soldIn(query, range),
    readRange(game, { kind: 'grants', record: Grant, range }),
  ]);
  return { checked: grants.length, violations: judgeGrants(grants, sold, nowMs) };
}

interface Sold {
  state: string;
  wasPaid: boolean;
  hasArrived: boolean;
  receiver: string;
  sku: string;
  quantity: string;
  /** How the game answered when it was asked to take the goods back; empty before that. */
  revoked: string;
}

async function soldIn(query: Query, range: IdRange): Promise<Map<string, Sold>> {
  const rows = await query(
    `select payment_id, orders.state, paid_at is not null, arrived_at is not null,
            concat_ws(' / ', ${receiver.join(', ')}), sku, ${quantity}, result
     from orders left join revocations using (account_id, payment_id)
     where kind = 'item' and ${idsIn('payment_id', range)}`,
  );
  return new Map(
    rows.map(([paymentId = '', state = '', paid, arrived, buyer = '', sku = '', ...rest]) => {
      const [sold = '', revoked = ''] = rest;
      const is = { wasPaid: paid === 't', hasArrived: arrived === 't' };
      return [paymentId, { ...is, state, receiver: buyer, sku, quantity: sold, revoked }];
    }),
  );
}

function judgeGrants(
  grants: readonly Grant[],
  orders: ReadonlyMap<string, Sold>,
  nowMs: number,
): string[] {
  const violations: string[] = [];
  const byOrder = Map.groupBy(grants, ({ paymentId }) => paymentId);
  for (const [paymentId, given] of byOrder) {
    // The game is asked after the tables were read, and answers before an order can arrive.
    const isUnderWay = given.every(({ at }) => nowMs - Date.parse(at) < patienceMs);
    const wrong = judgeGiven(given, orders.get(paymentId));
    if (wrong === undefined || (isUnderWay && wrong.mayPass)) continue;
    violations.push(`order ${paymentId} ${wrong.text}`);
  }
  for (const [paymentId, { hasArrived }] of orders) {
    if (hasArrived && !byOrder.has(paymentId)) {
      violations.push(`order ${paymentId} is shown as arrived, the game gave nothing`);
    }
  }
  return violations;
}

function judgeGiven(
  given: readonly Grant[],
  order: Sold | undefined,
): { text: string; mayPass: boolean } | undefined {
  const [grant] = given;
  if (grant === undefined) return undefined;
  const times = given.reduce((sum, one) => sum + one.times, 0);
  if (times > 1) return { text: `was given ${times} times`, mayPass: false };
  if (order === undefined) return { text: 'is no order and was given for', mayPass: true };
  if (grant.sku !== order.sku || String(grant.quantity) !== order.quantity) {
    return { text: `sold ${order.quantity} and gave ${grant.quantity}`, mayPass: false };
  }
  if (receiverOf(grant) !== order.receiver) {
    const text = `was for ${order.receiver}, the game gave to ${receiverOf(grant)}`;
    return { text, mayPass: false };
  }
  // What was paid for may have been given and we were not told yet: it is tried again, or taken back.
  if (!order.wasPaid) return { text: `was given and is ${order.state}`, mayPass: true };
  const isLost = !order.hasArrived && order.revoked === 'not_found';
  return isLost ? { text: 'was given, and not found to be taken back', mayPass: false } : undefined;
}

function receiverOf({ gameId, serverId, roleId, gameAccountId }: Grant): string {
  return [gameId, serverId, roleId, gameAccountId].join(' / ');
}

const Revocation = z.object({ paymentId: z.string(), result: z.string(), at: z.iso.datetime() });

/** I6: what was refunded was taken back by the game too, if we say so. */
export async function compareRevocations(
  orders: readonly Abroad[],
  range: IdRange,
  { game, nowMs }: { game: string; nowMs: number },
): Promise<Compared> {
  const theirs = await readRange(game, { kind: 'revocations', record: Revocation, range });
  const expected = new Set(
    orders
      .filter(({ revoked }) => revoked !== '')
      .map(
        ({ paymentId, revoked }) =>
          `${paymentId}|${revoked === 'not_found' ? 'not_found' : 'revoked'}`,
      ),
  );
  const violations: string[] = [];
  for (const { paymentId, result, at } of theirs) {
    const isKnown = expected.delete(`${paymentId}|${result}`);
    const isUnderWay = nowMs - Date.parse(at) < patienceMs;
    if (isKnown || isUnderWay || isAsked(orders, paymentId)) continue;
    violations.push(`order ${paymentId} was revoked by the game as ${result}, not so here`);
  }
  for (const line of expected) {
    const [paymentId, result] = line.split('|');
    violations.push(`order ${paymentId} is ${result} here, the game knows nothing of it`);
  }
  return { checked: theirs.length, violations };
}

/** The game answered and we have not heard it: it is asked again. */
function isAsked(orders: readonly Abroad[], paymentId: string): boolean {
  return orders.some((order) => order.paymentId === paymentId && order.isBeingRevoked);
}
