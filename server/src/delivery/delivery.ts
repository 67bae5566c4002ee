import { toSafeNumber } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { Catalogue } from '../catalogue/catalogue.ts';
import type { Games, Recharge } from '../games/games.ts';
import {
  findOrder,
  holdOrder,
  keyOf,
  type Order,
  type OrderEffects,
  recordFacts,
} from '../orders/orders.ts';
import type { Db, Tx } from '../platform/db.ts';
import { newId } from '../platform/ids.ts';
import { type Jobs, type JobWork, jobWork, type Settle } from '../platform/jobs.ts';
import { addLogFields, log } from '../platform/log.ts';
import {
  insertDelivery,
  selectDelivery,
  takeForgotten,
  updateDelivered,
  updateFailed,
  updatePostponed,
} from './delivery.queries.ts';
import { waitAfterTries } from './retry-schedule.ts';

export interface DeliveryContext {
  db: Db;
  jobs: Jobs;
  games: Games;
  catalogue: Catalogue;
  effects: OrderEffects;
}

const OrderKey = z.object({ accountId: z.uuid(), paymentId: z.uuid() });
type OrderKey = z.output<typeof OrderKey>;

/** Takes a paid order to its game. */
export const deliverOrderJob = { name: 'deliver_order', payload: OrderKey, concurrency: 20 };

const maintenanceWaitMs = 60_000;

/** Part of the commit that makes an order paid, so that no paid order is ever forgotten. */
export async function queueDelivery(tx: Tx, jobs: Jobs, order: Order): Promise<void> {
  const key = keyOf(order);
  const isNew = await insertDelivery(tx, key);
  if (isNew) await jobs.enqueue(tx, deliverOrderJob, key, { id: order.payment_id });
}

export function deliveryWorks(context: DeliveryContext): JobWork[] {
  return [jobWork(deliverOrderJob, (key) => deliver(context, key))];
}

// Longer than the job engine goes on trying by itself.
const overdueMinutes = 120;
const sweepRowsMax = 200;

/**
 * Queues deliveries whose job was given up, because of a missing secret for example: what broke them
 * has been mended or will be, and the money is there.
 */
export async function sweepDeliveries({ db, jobs }: DeliveryContext): Promise<void> {
  await db.transaction(async (tx) => {
    for (const row of await takeForgotten(tx, { overdueMinutes, rowsMax: sweepRowsMax })) {
      const key = { accountId: row.account_id, paymentId: row.payment_id };
      log.error(key, 'a delivery was forgotten');
      await jobs.enqueue(tx, deliverOrderJob, key);
    }
  });
}

/** What the game is told, before money moves and when it has. */
export function toRecharge(order: {
  payment_id: string;
  server_id: string;
  role_id: string;
  game_account_id: string;
  pack_count: number;
  snapshot: { sku: string; quantity: string; giftQuantity: string };
}): Recharge {
  const { sku, quantity, giftQuantity } = order.snapshot;
  const total = (BigInt(quantity) + BigInt(giftQuantity)) * BigInt(order.pack_count);
  return {
    paymentId: order.payment_id,
    serverId: order.server_id,
    roleId: order.role_id,
    gameAccountId: order.game_account_id,
    items: [{ sku, quantity: toSafeNumber(total) }],
  };
}

async function deliver(context: DeliveryContext, key: OrderKey): Promise<Settle> {
  addLogFields(key);
  const order = await findOrder(context.db, key);
  const delivery = await selectDelivery(context.db, key);
  if (order === undefined || delivery === undefined) throw new Error('there is nothing to deliver');
  // Twice is once: somebody else has been here.
  if (order.state !== 'paid' || delivery.state !== 'queued') return async () => {};

  const game = await context.catalogue.game(order.game_id);
  if (game === undefined) throw new Error(`game ${order.game_id} is gone`);
  const server = await context.catalogue.server({
    gameId: order.game_id,
    serverId: order.server_id,
  });
  if (server?.status === 1) return postpone(context, key);

  const answer = await context.games.deliver(game, toRecharge(order));
  switch (answer.result) {
    case 'delivered':
      return async (tx) => {
        await recordFacts(tx, context.effects, key, [{ type: 'delivered' }]);
        await updateDelivered(tx, key);
      };
    case 'declined':
      log.error({ reason: answer.reason }, 'the game declined a paid order');
      return stuck(context, key, { tries: delivery.tries + 1, reason: 'declined' });
    case 'unknown':
      return retryLater(context, key, { tries: delivery.tries + 1, cause: answer.cause });
  }
}

/** A server in maintenance is waited for; that is not a failed try. */
function postpone(context: DeliveryContext, key: OrderKey): Settle {
  const nextTryAt = new Date(Date.now() + maintenanceWaitMs);
  return async (tx) => {
    await updatePostponed(tx, key, { nextTryAt });
    await context.jobs.enqueue(tx, deliverOrderJob, key, { id: newId(), startAfter: nextTryAt });
  };
}

function retryLater(
  context: DeliveryContext,
  key: OrderKey,
  { tries, cause }: { tries: number; cause: string },
): Settle {
  const waitMs = waitAfterTries(tries, Math.random());
  if (waitMs === undefined) {
    log.error({ tries }, 'a paid order could not be delivered');
    return stuck(context, key, { tries, reason: 'exhausted' });
  }
  const nextTryAt = new Date(Date.now() + waitMs);
  return async (tx) => {
    await holdOrder(tx, key);
    const isCounted = await updateFailed(tx, key, { tries, state: 'queued', nextTryAt });
    if (!isCounted) return;
    await recordFacts(tx, context.effects, key, [
      { type: 'delivery_failed', tries, cause, nextTryAt: nextTryAt.toISOString() },
    ]);
    await context.jobs.enqueue(tx, deliverOrderJob, key, { id: newId(), startAfter: nextTryAt });
  };
}

function stuck(
  context: DeliveryContext,
  key: OrderKey,
  { tries, reason }: { tries: number; reason: 'declined' | 'exhausted' },
): Settle {
  return async (tx) => {
    await holdOrder(tx, key);
    const isCounted = await updateFailed(tx, key, { tries, state: reason, nextTryAt: null });
    if (!isCounted) return;
    await recordFacts(tx, context.effects, key, [{ type: 'delivery_stuck', reason }]);
  };
}
