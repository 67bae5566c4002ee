import { openCase } from '../money/cases/cases.ts';
import { factsOf } from '../money/orders/order-fact.ts';
import { findOrder, lockOrder, orderEvents, recordFacts } from '../money/orders/orders.ts';
import type { Tx } from '../platform/db.ts';
import { type JobWork, jobWork, type Settle } from '../platform/jobs.ts';
import { addLogFields } from '../platform/log.ts';
import { firstSweptId, type SweptMonths } from '../platform/partitions.ts';
import { selectDelivery } from './delivery.queries.ts';
import { type DeliveryContext, type OrderKey, paidOf, revokeOrderJob } from './delivery.ts';
import { waitAfterTries } from './retry-schedule.ts';
import {
  selectRevocation,
  takeForgottenRevocations,
  updateAnswered,
  updateUnanswered,
} from './revocations.queries.ts';

export function revocationWorks(context: DeliveryContext): JobWork[] {
  return [jobWork(revokeOrderJob, (key) => revoke(context, key))];
}

const overdueMinutes = 120;
const sweepRowsMax = 200;

export async function sweepRevocations(
  { db, jobs }: DeliveryContext,
  months: SweptMonths = 'recent',
): Promise<void> {
  await db.transaction(async (tx) => {
    const limits = { overdueMinutes, rowsMax: sweepRowsMax, fromId: firstSweptId(months) };
    for (const row of await takeForgottenRevocations(tx, limits)) {
      const key = { accountId: row.account_id, paymentId: row.payment_id };
      await jobs.enqueue(tx, revokeOrderJob, key, { group: await laneOf(tx, key) });
    }
  });
}

/** Retried until the game answers, because it may have granted without the shop knowing. */
async function revoke(context: DeliveryContext, key: OrderKey): Promise<Settle> {
  addLogFields(key);
  const order = await findOrder(context.db, key);
  const revocation = await selectRevocation(context.db, key);
  if (order === undefined || revocation === undefined)
    throw new Error('the order or its revocation does not exist');
  if (revocation.state !== 'queued') return async () => {};
  const game = order.game_id === null ? undefined : await context.catalogue.game(order.game_id);
  if (game === undefined) throw new Error(`game ${order.game_id} does not exist`);

  const reason = (await isChargedBack(context, key)) ? 'dispute' : 'refund';
  const revocationOf = { paymentId: key.paymentId, reason };
  const answer = await context.games.revoke(game, revocationOf, await paidOf(context, key));
  if (answer.result === 'unknown') {
    return askAgain(context, key, { tries: revocation.tries + 1, cause: answer.cause });
  }
  const { result } = answer;
  return async (tx) => {
    await recordFacts(tx, context.effects, key, [{ type: 'revoked', result }]);
    await updateAnswered(tx, key, result);
  };
}

/** Whether a dispute of the order was lost; then the reason of the revocation is `dispute`. */
async function isChargedBack({ db }: DeliveryContext, key: OrderKey): Promise<boolean> {
  const facts = (await orderEvents(db, key)).map(({ fact }) => fact);
  return factsOf(facts, 'disputed').some(({ stage }) => stage === 'lost');
}

function askAgain(
  context: DeliveryContext,
  key: OrderKey,
  { tries, cause }: { tries: number; cause: string },
): Settle {
  const waitMs = waitAfterTries(tries, Math.random());
  const nextTryAt = waitMs === undefined ? null : new Date(Date.now() + waitMs);
  return async (tx) => {
    await lockOrder(tx, key);
    const isCounted = await updateUnanswered(tx, key, { tries, nextTryAt });
    if (!isCounted) return;
    if (nextTryAt !== null) {
      const group = await laneOf(tx, key);
      await context.jobs.enqueue(tx, revokeOrderJob, key, { startAfter: nextTryAt, group });
      return;
    }
    const details = { cause, tries };
    const subject = key.paymentId;
    await openCase(tx, { kind: 'revoke_failed', subject, order: key, details });
  };
}

/** The revocation uses the job group of its delivery. */
async function laneOf(tx: Tx, key: OrderKey): Promise<string> {
  return (await selectDelivery(tx, key))?.lane ?? '';
}
