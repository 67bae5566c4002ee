import { toSafeNumber } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { OrderEffects } from '../money/orders/order-effects.ts';
import { promisedAt } from '../money/orders/order-view.ts';
import { keyOf, type Order, recordFacts, takersOf } from '../money/orders/orders.ts';
import type { Db, Tx } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import type { Jobs } from '../platform/jobs.ts';
import type { Games, Recharge } from '../publisher/games/games.ts';
import {
  insertDelivery,
  selectDelivery,
  updateCancelled,
  updateResumed,
} from './delivery.queries.ts';
import { insertRevocation } from './revocations.queries.ts';

export interface DeliveryContext {
  db: Db;
  jobs: Jobs;
  games: Games;
  catalogue: Catalogue;
  effects: OrderEffects;
  /** Whether payments by one of these contracts, or by points, may be test money. */
  isTestMoney(takers: readonly string[]): Promise<boolean>;
}

/** The payment facts that are sent to the game. */
export async function paidOf(
  { db, isTestMoney }: Pick<DeliveryContext, 'db' | 'isTestMoney'>,
  key: OrderKey,
): Promise<{ isSandbox: boolean }> {
  return { isSandbox: await isTestMoney(await takersOf(db, key)) };
}

export const OrderKey = z.object({ accountId: z.uuid(), paymentId: z.uuid() });
export type OrderKey = z.output<typeof OrderKey>;

/**
 * Delivers a paid order to its game. The concurrency is high, because waiting for a game costs little, and
 * limited per game server, so that a dead server cannot occupy all of it.
 */
export const deliverOrderJob = {
  name: 'deliver_order',
  payload: OrderKey,
  concurrency: 200,
  perGroup: 16,
};

/** Asks a game to revoke the grant of a refunded order. */
export const revokeOrderJob = {
  name: 'revoke_order',
  payload: OrderKey,
  concurrency: 50,
  perGroup: 8,
};

/**
 * Runs in the transaction that makes an order paid, so that no paid order is lost. An order that becomes
 * paid again, after a failed refund or by an operator, continues where it stopped.
 */
export async function queueDelivery(
  tx: Tx,
  jobs: Jobs,
  order: Order,
  { isLate }: { isLate: boolean },
): Promise<void> {
  const key = keyOf(order);
  const lane = laneOf(order);
  const promiseAt = promisedAt(order);
  if (promiseAt === undefined) throw new Error(`order ${key.paymentId} has no game delivery`);
  const isNew = await insertDelivery(tx, { ...key, lane, promiseAt, isLate });
  if (isNew) {
    await jobs.enqueue(tx, deliverOrderJob, key, { id: order.payment_id, group: lane });
    return;
  }
  const delivery = await selectDelivery(tx, key);
  if (delivery?.state === 'queued') await enqueueDelivery(tx, jobs, { key, lane });
}

export async function enqueueDelivery(
  tx: Tx,
  jobs: Jobs,
  { key, lane, startAfter }: { key: OrderKey; lane: string; startAfter?: Date },
): Promise<void> {
  await jobs.enqueue(tx, deliverOrderJob, key, {
    id: newId(),
    group: lane,
    ...(startAfter === undefined ? {} : { startAfter }),
  });
}

/** Runs in the transaction that makes an order refunded: cancels the delivery and revokes the grant. */
export async function queueRevocation(tx: Tx, jobs: Jobs, order: Order): Promise<void> {
  const key = keyOf(order);
  // An order without a delivery has no grant to revoke.
  const delivery = await selectDelivery(tx, key);
  if (delivery === undefined) return;
  await updateCancelled(tx, key);
  await insertRevocation(tx, key);
  await jobs.enqueue(tx, revokeOrderJob, key, { id: newId(), group: delivery.lane });
}

/**
 * Resumes a stopped delivery for an operator. Returns false if the delivery had not stopped, or the order
 * was refunded meanwhile.
 */
export async function resumeDelivery(
  tx: Tx,
  effects: DeliveryContext['effects'],
  key: OrderKey,
  by: string,
): Promise<boolean> {
  const delivery = await selectDelivery(tx, key);
  if (delivery === undefined) return false;
  const isResumed = await updateResumed(tx, key);
  if (!isResumed) return false;
  const { round } = delivery;
  const order = await recordFacts(tx, effects, key, [{ type: 'delivery_resumed', round, by }]);
  return order.state === 'paid';
}

/** The recharge that is sent to the game, for validation and for delivery. */
export function toRecharge(order: {
  payment_id: string;
  server_id: string | null;
  role_id: string | null;
  game_account_id: string | null;
  pack_count: number;
  snapshot: { sku: string | null; quantity: string; giftQuantity: string };
}): Recharge {
  const { server_id, role_id, game_account_id } = order;
  const { sku, quantity, giftQuantity } = order.snapshot;
  if (server_id === null || role_id === null || game_account_id === null || sku === null) {
    throw new Error(`order ${order.payment_id} has no game role`);
  }
  const total = (BigInt(quantity) + BigInt(giftQuantity)) * BigInt(order.pack_count);
  return {
    paymentId: order.payment_id,
    serverId: server_id,
    roleId: role_id,
    gameAccountId: game_account_id,
    items: [{ sku, quantity: toSafeNumber(total) }],
  };
}

/** The job group of a game server. */
function laneOf(order: Order): string {
  return `${order.game_id}/${order.server_id}`;
}
