import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';

interface OrderKey {
  accountId: string;
  paymentId: string;
}

const DeliveryRow = z.object({
  state: z.enum(['queued', 'delivered', 'declined', 'exhausted', 'ambiguous', 'cancelled']),
  tries: z.int(),
  tries_before_round: z.int(),
  round: z.int(),
  is_late: z.boolean(),
  lane: z.string(),
  calling_since: z.date().nullable(),
});
export type DeliveryRow = z.output<typeof DeliveryRow>;

const KeyRow = z.object({ account_id: z.uuid(), payment_id: z.uuid(), lane: z.string() });
type KeyRow = z.output<typeof KeyRow>;

const isDelivery = ({ accountId, paymentId }: OrderKey) =>
  sql`account_id = ${accountId} and payment_id = ${paymentId}`;

/** False if the order already has a delivery. */
export async function insertDelivery(
  tx: Tx,
  delivery: OrderKey & { lane: string; promiseAt: Date; isLate: boolean },
): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into deliveries (account_id, payment_id, lane, promise_at, is_late, next_try_at)
    values (${delivery.accountId}, ${delivery.paymentId}, ${delivery.lane}, ${delivery.promiseAt},
            ${delivery.isLate}, now())
    on conflict do nothing`);
  return inserted === 1;
}

export function selectDelivery(db: Db | Tx, key: OrderKey): Promise<DeliveryRow | undefined> {
  return db.maybeOne(DeliveryRow, sql`select * from deliveries where ${isDelivery(key)}`);
}

export async function updateDelivered(tx: Tx, key: OrderKey): Promise<void> {
  await tx.run(sql`
    update deliveries
    set state = 'delivered', tries = tries + 1, next_try_at = null, promise_at = null,
        calling_since = null, delivered_at = now()
    where ${isDelivery(key)} and state <> 'delivered'`);
}

/** False if another worker counted this try, or the delivery has ended. */
export async function updateFailed(
  tx: Tx,
  key: OrderKey,
  failed: {
    tries: number;
    state: 'queued' | 'declined' | 'exhausted' | 'ambiguous';
    nextTryAt: Date | null;
  },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update deliveries
    set state = ${failed.state}, tries = ${failed.tries}, next_try_at = ${failed.nextTryAt},
        calling_since = null
    where ${isDelivery(key)} and state = 'queued' and tries = ${failed.tries - 1}`);
  return updated === 1;
}

/** Records that the game accepted the order despite its late payment. */
export async function markAccepted(tx: Tx, key: OrderKey): Promise<void> {
  await tx.run(sql`update deliveries set is_late = false where ${isDelivery(key)}`);
}

/** False if a call is open, or was open when its worker died. */
export async function updateCalling(tx: Tx, key: OrderKey): Promise<boolean> {
  const updated = await tx.run(sql`
    update deliveries set calling_since = now()
    where ${isDelivery(key)} and state = 'queued' and calling_since is null`);
  return updated === 1;
}

/** False unless the tries had stopped. */
export async function updateResumed(tx: Tx, key: OrderKey): Promise<boolean> {
  const updated = await tx.run(sql`
    update deliveries
    set state = 'queued', round = round + 1, tries_before_round = tries, next_try_at = now(),
        calling_since = null
    where ${isDelivery(key)} and state in ('declined', 'exhausted', 'ambiguous')`);
  return updated === 1;
}

/** The order was refunded. A finished delivery keeps its state and is revoked. */
export async function updateCancelled(tx: Tx, key: OrderKey): Promise<void> {
  await tx.run(sql`
    update deliveries set state = 'cancelled', next_try_at = null, promise_at = null
    where ${isDelivery(key)} and state <> 'delivered'`);
}

/** Takes overdue deliveries that no worker tried, and postpones them so that others get a turn. */
export function takeForgotten(
  tx: Tx,
  limits: { overdueMinutes: number; rowsMax: number; fromId: string },
): Promise<KeyRow[]> {
  return tx.many(
    KeyRow,
    sql`
      with forgotten as (
        select account_id, payment_id from deliveries
        where state = 'queued' and next_try_at < now() - make_interval(mins => ${limits.overdueMinutes})
          and payment_id >= ${limits.fromId}
        order by next_try_at limit ${limits.rowsMax} for update skip locked
      )
      update deliveries set next_try_at = now()
      from forgotten
      where deliveries.payment_id >= ${limits.fromId}
        and deliveries.account_id = forgotten.account_id
        and deliveries.payment_id = forgotten.payment_id
      returning deliveries.account_id, deliveries.payment_id, lane`,
  );
}

/** Deliveries whose promised time has passed. */
export function selectBrokenPromises(
  db: Db,
  limits: { rowsMax: number; fromId: string },
): Promise<KeyRow[]> {
  return db.many(
    KeyRow,
    sql`
      select account_id, payment_id, lane from deliveries
      where promise_at <= now() and state <> 'delivered' and payment_id >= ${limits.fromId}
      order by promise_at limit ${limits.rowsMax}`,
  );
}

export async function updatePromise(
  tx: Tx,
  key: OrderKey,
  { promiseAt }: { promiseAt: Date | null },
): Promise<void> {
  await tx.run(sql`update deliveries set promise_at = ${promiseAt} where ${isDelivery(key)}`);
}

export async function updatePostponed(
  tx: Tx,
  key: OrderKey,
  { nextTryAt }: { nextTryAt: Date },
): Promise<void> {
  await tx.run(sql`
    update deliveries set next_try_at = ${nextTryAt} where ${isDelivery(key)} and state = 'queued'`);
}
