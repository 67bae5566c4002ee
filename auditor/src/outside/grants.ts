import type { Query } from '../database.ts';
import { gracePeriodMs } from '../invariant.ts';
import { type IdRange, idsIn } from '../ranges.ts';

/** A grant as the game lists it. */
export interface Grant {
  paymentId: string;
  gameId: string;
  serverId: string;
  roleId: string;
  gameAccountId: string;
  sku: string;
  quantity: number;
  times: number;
  at: string;
}

/** An order for goods of a game. */
export interface Sold {
  gameId: string;
  state: string;
  wasPaid: boolean;
  hasArrived: boolean;
  /** Empty if the account was erased, because the receiver is no longer known. */
  receiver: string;
  sku: string;
  quantity: string;
  /** The game's answer to the revocation; empty before it. */
  revoked: string;
}

const quantity = '(pack_quantity + gift_quantity) * pack_count';
const receiver = ['game_id', 'server_id', 'role_id', 'game_account_id'];

// An erased account has a placeholder role and no game account.
const isErased = `role_id like 'erased-%' and not exists (
  select from game_accounts where game_accounts.account_id = orders.account_id)`;

export async function soldIn(query: Query, range: IdRange): Promise<Map<string, Sold>> {
  const rows = await query(
    `select payment_id, game_id, orders.state, paid_at is not null, arrived_at is not null,
            case when not (${isErased}) then concat_ws(' / ', ${receiver.join(', ')}) end,
            sku, ${quantity}, result
     from orders left join revocations using (account_id, payment_id)
     where kind = 'item' and ${idsIn('payment_id', range)}`,
  );
  return new Map(
    rows.map(([paymentId = '', gameId = '', state = '', paid, arrived, buyer = '', ...rest]) => {
      const [sku = '', sold = '', revoked = ''] = rest;
      const is = { wasPaid: paid === 't', hasArrived: arrived === 't' };
      return [paymentId, { ...is, gameId, state, receiver: buyer, sku, quantity: sold, revoked }];
    }),
  );
}

/** I6: goods were granted once, for a paid order, to its receiver. */
export function checkGrants(
  grants: readonly Grant[],
  orders: ReadonlyMap<string, Sold>,
  nowMs: number,
): string[] {
  const violations: string[] = [];
  for (const [paymentId, given] of Map.groupBy(grants, (grant) => grant.paymentId)) {
    // The game is asked after the tables were read, and grants goods before the order is marked as
    // arrived.
    const isUnderWay = given.every(({ at }) => nowMs - Date.parse(at) < gracePeriodMs);
    const wrong = checkGrant(given, orders.get(paymentId));
    if (wrong === undefined || (isUnderWay && wrong.isTransient)) continue;
    violations.push(`order ${paymentId} ${wrong.text}`);
  }
  return violations;
}

/** I6: an arrived order was granted by the game. */
export function checkMissingGrants(
  orders: ReadonlyMap<string, Sold>,
  given: ReadonlySet<string>,
): string[] {
  return [...orders]
    .filter(([paymentId, { hasArrived }]) => hasArrived && !given.has(paymentId))
    .map(([paymentId]) => `order ${paymentId} is shown as arrived, the game gave nothing`);
}

function checkGrant(
  given: readonly Grant[],
  order: Sold | undefined,
): { text: string; isTransient: boolean } | undefined {
  const [grant] = given;
  if (grant === undefined) return undefined;
  const times = given.reduce((sum, one) => sum + one.times, 0);
  if (times > 1) return { text: `was given ${times} times`, isTransient: false };
  if (order === undefined) return { text: 'is no order and was given for', isTransient: true };
  if (grant.sku !== order.sku || String(grant.quantity) !== order.quantity) {
    return { text: `sold ${order.quantity} and gave ${grant.quantity}`, isTransient: false };
  }
  if (order.receiver !== '' && receiverOf(grant) !== order.receiver) {
    const text = `was for ${order.receiver}, the game gave to ${receiverOf(grant)}`;
    return { text, isTransient: false };
  }
  // A paid order may have been granted without our knowledge: it is retried or revoked.
  if (!order.wasPaid) return { text: `was given and is ${order.state}`, isTransient: true };
  const isLost = !order.hasArrived && order.revoked === 'not_found';
  return isLost
    ? { text: 'was given, and not found to be taken back', isTransient: false }
    : undefined;
}

function receiverOf({ gameId, serverId, roleId, gameAccountId }: Grant): string {
  return [gameId, serverId, roleId, gameAccountId].join(' / ');
}
