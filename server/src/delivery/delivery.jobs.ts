import { serverStatus } from '@pointgate/contract/named-numbers.ts';
import type { CatalogueServer, Game } from '../catalogue/catalogue.ts';
import { openCase } from '../money/cases/cases.ts';
import {
  findOrder,
  lockOrder,
  type Order,
  recordFacts,
  requestRefund,
} from '../money/orders/orders.ts';
import type { Tx } from '../platform/db.ts';
import { AppError } from '../platform/errors.ts';
import { derivedId } from '../platform/ids.ts';
import { type JobWork, jobWork, type Settle } from '../platform/jobs.ts';
import { addLogFields, log } from '../platform/log.ts';
import { firstSweptId, type SweptMonths } from '../platform/partitions.ts';
import {
  type DeliveryRow,
  markAccepted,
  selectBrokenPromises,
  selectDelivery,
  takeForgotten,
  updateCalling,
  updateDelivered,
  updateFailed,
  updatePostponed,
  updatePromise,
} from './delivery.queries.ts';
import {
  type DeliveryContext,
  deliverOrderJob,
  enqueueDelivery,
  type OrderKey,
  paidOf,
  toRecharge,
} from './delivery.ts';
import { waitAfterTries } from './retry-schedule.ts';

export function deliveryWorks(context: DeliveryContext): JobWork[] {
  return [jobWork(deliverOrderJob, (key) => deliver(context, key))];
}

// Longer than the job engine retries by itself.
const overdueMinutes = 120;
const sweepRowsMax = 200;

/**
 * Queues deliveries again whose job the engine abandoned, for example because of a missing secret. The
 * order is paid, so the delivery must not be lost.
 */
export async function sweepDeliveries(
  { db, jobs }: DeliveryContext,
  months: SweptMonths = 'recent',
): Promise<void> {
  const limits = { overdueMinutes, rowsMax: sweepRowsMax, fromId: firstSweptId(months) };
  await db.transaction(async (tx) => {
    for (const row of await takeForgotten(tx, limits)) {
      const key = { accountId: row.account_id, paymentId: row.payment_id };
      log.error(key, 'an abandoned delivery is queued again');
      await enqueueDelivery(tx, jobs, { key, lane: row.lane });
    }
  });
}

const askAgainMs = 60 * 60_000;

/**
 * Refunds orders that were not delivered by their promised time, each in its own transaction, so that one
 * failure does not block the others.
 */
export async function sweepPromises(
  context: DeliveryContext,
  months: SweptMonths = 'recent',
): Promise<void> {
  const limits = { rowsMax: sweepRowsMax, fromId: firstSweptId(months) };
  const failures: unknown[] = [];
  for (const row of await selectBrokenPromises(context.db, limits)) {
    const key = { accountId: row.account_id, paymentId: row.payment_id };
    try {
      await context.db.transaction((tx) => refundOverdue(tx, context, key));
    } catch (error) {
      failures.push(error);
      await context.db.transaction((tx) => askAgainLater(tx, key));
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, 'some expired delivery promises could not be refunded');
}

async function refundOverdue(tx: Tx, { effects }: DeliveryContext, key: OrderKey): Promise<void> {
  const order = await lockOrder(tx, key);
  if (order?.state !== 'paid' && order?.state !== 'stuck') {
    await updatePromise(tx, key, { promiseAt: null });
    return;
  }
  // A disputed payment cannot be refunded.
  if (order.is_disputed) return await askAgainLater(tx, key);
  await updatePromise(tx, key, { promiseAt: null });
  await requestRefund(tx, effects, key, {
    refundId: derivedId('not_delivered_in_time', key.paymentId),
    amountMinor: null,
    captureId: null,
    reason: 'not_delivered_in_time',
    by: 'shop',
  });
}

/** Postpones the promise, so that the order does not block others in the sweep. */
async function askAgainLater(tx: Tx, key: OrderKey): Promise<void> {
  await updatePromise(tx, key, { promiseAt: new Date(Date.now() + askAgainMs) });
}

// Neither wait counts as a failed try.
const maintenanceWaitMs = 60_000;
const disputeWaitMs = 10 * 60_000;
const maintenanceWaitMaxMs = 5 * 60_000;

/** Until the known end of the maintenance; looks in between, because it may be ended earlier. */
export function waitForServerMs(
  { maintenanceUntil }: Pick<CatalogueServer, 'maintenanceUntil'>,
  nowMs: number,
): number {
  if (maintenanceUntil === null) return maintenanceWaitMs;
  return Math.min(Math.max(maintenanceUntil.getTime() - nowMs, 0), maintenanceWaitMaxMs);
}

async function deliver(context: DeliveryContext, key: OrderKey): Promise<Settle> {
  addLogFields(key);
  const order = await findOrder(context.db, key);
  const delivery = await selectDelivery(context.db, key);
  if (order === undefined || delivery === undefined)
    throw new Error('the order or its delivery does not exist');
  // Idempotent: another worker has finished the delivery, or the order is being refunded.
  if (order.state !== 'paid' || delivery.state !== 'queued') return async () => {};
  if (order.is_disputed) return postpone(context, key, delivery, disputeWaitMs);
  const { game, server } = await destinationOf(context, order);
  if (server?.status === serverStatus.maintenance)
    return postpone(context, key, delivery, waitForServerMs(server, Date.now()));

  if (delivery.is_late) {
    const paid = await paidOf(context, key);
    const answer = await context.games.validate(game, toRecharge(order), paid);
    if (answer.result === 'refused') return refundInstead(context, key, 'late_and_gone');
    if (answer.result === 'unknown') return retryLater(context, key, delivery, answer.cause);
    // Stored before the delivery call, because a game may refuse to validate what it has already granted.
    await context.db.transaction((tx) => markAccepted(tx, key));
  }
  return await callGame(context, key, { order, delivery, game });
}

async function callGame(
  context: DeliveryContext,
  key: OrderKey,
  { order, delivery, game }: { order: Order; delivery: DeliveryRow; game: Game },
): Promise<Settle> {
  if (!game.givesOnce) {
    const mayCall = await context.db.transaction((tx) => updateCalling(tx, key));
    // An earlier call has no recorded answer: the game may have granted, and another call would grant again.
    if (!mayCall) return stuck(context, key, delivery, 'ambiguous');
  }
  const paid = await paidOf(context, key);
  const answer = await context.games.deliver(game, toRecharge(order), paid);
  switch (answer.result) {
    case 'delivered':
      return async (tx) => {
        await recordFacts(tx, context.effects, key, [{ type: 'delivered' }]);
        await updateDelivered(tx, key);
      };
    case 'declined':
      log.warn({ reason: answer.reason }, 'the game declined a paid order');
      return declined(context, key, delivery);
    case 'unknown':
      return !game.givesOnce && answer.mayHaveActed
        ? stuck(context, key, delivery, 'ambiguous')
        : retryLater(context, key, delivery, answer.cause);
  }
}

async function destinationOf(
  { catalogue }: DeliveryContext,
  order: Order,
): Promise<{ game: Game; server: CatalogueServer | undefined }> {
  const { game_id: gameId, server_id: serverId } = order;
  const game = gameId === null ? undefined : await catalogue.game(gameId);
  if (game === undefined || serverId === null) throw new Error(`game ${gameId} does not exist`);
  return { game, server: await catalogue.server({ gameId: game.gameId, serverId }) };
}

/** Postpones the delivery without counting a try. */
function postpone(
  context: DeliveryContext,
  key: OrderKey,
  { lane }: DeliveryRow,
  waitMs: number,
): Settle {
  const nextTryAt = new Date(Date.now() + waitMs);
  return async (tx) => {
    await updatePostponed(tx, key, { nextTryAt });
    await enqueueDelivery(tx, context.jobs, { key, lane, startAfter: nextTryAt });
  };
}

function retryLater(
  context: DeliveryContext,
  key: OrderKey,
  delivery: DeliveryRow,
  cause: string,
): Settle {
  const tries = delivery.tries + 1;
  const waitMs = waitAfterTries(tries - delivery.tries_before_round, Math.random());
  if (waitMs === undefined) return stuck(context, key, delivery, 'exhausted');
  const nextTryAt = new Date(Date.now() + waitMs);
  return async (tx) => {
    await lockOrder(tx, key);
    const isCounted = await updateFailed(tx, key, { tries, state: 'queued', nextTryAt });
    if (!isCounted) return;
    await recordFacts(tx, context.effects, key, [
      { type: 'delivery_failed', tries, cause, nextTryAt: nextTryAt.toISOString() },
    ]);
    const { lane } = delivery;
    await enqueueDelivery(tx, context.jobs, { key, lane, startAfter: nextTryAt });
  };
}

/** Stops the tries until an operator resumes the delivery; the promise still holds. */
function stuck(
  context: DeliveryContext,
  key: OrderKey,
  { tries, round }: DeliveryRow,
  reason: 'exhausted' | 'ambiguous',
): Settle {
  return async (tx) => {
    await lockOrder(tx, key);
    const isCounted = await updateFailed(tx, key, {
      tries: tries + 1,
      state: reason,
      nextTryAt: null,
    });
    if (!isCounted) return;
    await recordFacts(tx, context.effects, key, [{ type: 'delivery_stuck', round, reason }]);
    await openCase(tx, {
      kind: 'delivery_stuck',
      subject: `${key.paymentId}:${round}`,
      order: key,
      details: { reason, tries: tries + 1 },
    });
  };
}

/** A refusal by the game is final, so the order is refunded automatically. */
function declined(context: DeliveryContext, key: OrderKey, { tries, round }: DeliveryRow): Settle {
  return async (tx) => {
    await lockOrder(tx, key);
    const isCounted = await updateFailed(tx, key, {
      tries: tries + 1,
      state: 'declined',
      nextTryAt: null,
    });
    if (!isCounted) return;
    const fact = { type: 'delivery_stuck', round, reason: 'declined' } as const;
    await recordFacts(tx, context.effects, key, [fact]);
    await refundInstead(context, key, 'declined_by_game')(tx);
  };
}

function refundInstead(
  { effects }: DeliveryContext,
  key: OrderKey,
  reason: 'declined_by_game' | 'late_and_gone',
): Settle {
  return async (tx) => {
    const order = await lockOrder(tx, key);
    if (order?.state !== 'paid' && order?.state !== 'stuck') return;
    try {
      await requestRefund(tx, effects, key, {
        refundId: derivedId(reason, key.paymentId),
        amountMinor: null,
        captureId: null,
        reason,
        by: 'shop',
      });
    } catch (error) {
      // The payment is disputed; the promise sweep retries the refund later.
      if (!(error instanceof AppError)) throw error;
      log.warn('the order cannot be refunded at the moment');
    }
  };
}
