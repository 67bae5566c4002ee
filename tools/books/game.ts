import { z } from 'zod';
import type { Abroad } from './court.ts';
import {
  allOf,
  pileNumber,
  pileOf,
  pilesOfLines,
  type Records,
  readOurPiles,
  readPiles,
  sumOfOurs,
  unlikePiles,
} from './digest.ts';
import { patienceMs } from './invariant.ts';
import { readAll } from './outside.ts';
import type { Compared } from './provider.ts';
import type { Snapshot } from './snapshot.ts';
import type { Tables } from './tables.ts';

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

const arrived: Records = {
  from: 'orders',
  where: 'goods_crc is not null and arrived_at is not null',
  key: 'payment_id',
  checksum: 'goods_crc',
};

/** I6: the game gave each order that arrived what it bought, to whom it was for, once. */
export async function compareGrants(
  { snapshot, totals }: Tables,
  { game, nowMs }: { game: string; nowMs: number },
): Promise<Compared> {
  const [ours, theirs] = await Promise.all([sumOfOurs(totals, arrived), readPiles(game, 'grants')]);
  const { count: checked, sum } = allOf(theirs);
  if (sum === ours) return { checked, violations: [] };
  const unlike = unlikePiles(theirs, await readOurPiles(snapshot, arrived));
  const grants: Grant[] = [];
  for (const pile of unlike) {
    const url = new URL(`${game}/__sandbox/grants?bucket=${pile}`);
    grants.push(...(await readAll(url, 'grants', Grant)));
  }
  return { checked, violations: judgeGrants(grants, await soldIn(snapshot, unlike), nowMs) };
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

async function soldIn(snapshot: Snapshot, piles: readonly number[]): Promise<Map<string, Sold>> {
  const rows = await snapshot.query(
    `select payment_id, orders.state, paid_at is not null, arrived_at is not null,
            concat_ws(' / ', ${receiver.join(', ')}), sku, ${quantity}, result
     from orders left join revocations using (account_id, payment_id)
     where kind = 'item' and ${pileOf('payment_id')} = any($1)`,
    [piles],
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
  told: Promise<readonly Abroad[]>,
  { game, nowMs }: { game: string; nowMs: number },
): Promise<Compared> {
  const [orders, theirs] = await Promise.all([told, readPiles(game, 'revocations')]);
  const ours = orders
    .filter(({ revoked }) => revoked !== '')
    .map(({ paymentId, revoked }) => ({
      paymentId,
      rest: revoked === 'not_found' ? 'not_found' : 'revoked',
    }));
  const isUnlike = new Set(unlikePiles(theirs, pilesOfLines(ours)));
  const expected = new Set(
    ours
      .filter(({ paymentId }) => isUnlike.has(pileNumber(paymentId)))
      .map(({ paymentId, rest }) => `${paymentId}|${rest}`),
  );
  const violations: string[] = [];
  for (const pile of isUnlike) {
    const url = new URL(`${game}/__sandbox/revocations?bucket=${pile}`);
    for (const { paymentId, result, at } of await readAll(url, 'revocations', Revocation)) {
      const isKnown = expected.delete(`${paymentId}|${result}`);
      const isUnderWay = nowMs - Date.parse(at) < patienceMs;
      if (isKnown || isUnderWay || isAsked(orders, paymentId)) continue;
      violations.push(`order ${paymentId} was revoked by the game as ${result}, not so here`);
    }
  }
  for (const line of expected) {
    const [paymentId, result] = line.split('|');
    violations.push(`order ${paymentId} is ${result} here, the game knows nothing of it`);
  }
  return { checked: allOf(theirs).count, violations };
}

/** The game answered and we have not heard it: it is asked again. */
function isAsked(orders: readonly Abroad[], paymentId: string): boolean {
  return orders.some((order) => order.paymentId === paymentId && order.isBeingRevoked);
}
