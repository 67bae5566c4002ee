import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';

interface OrderKey {
  accountId: string;
  paymentId: string;
}

const DeliveryRow = z.object({
  state: z.enum(['queued', 'delivered', 'declined', 'exhausted']),
  tries: z.int(),
});

const isDelivery = ({ accountId, paymentId }: OrderKey) =>
  sql`account_id = ${accountId} and payment_id = ${paymentId}`;

/** False when the order has a delivery already. */
export async function insertDelivery(tx: Tx, key: OrderKey): Promise<boolean> {
  const inserted = await tx.run(sql`
    insert into deliveries (account_id, payment_id, next_try_at)
    values (${key.accountId}, ${key.paymentId}, now())
    on conflict do nothing`);
  return inserted === 1;
}

export function selectDelivery(db: Db, key: OrderKey) {
  return db.maybeOne(
    DeliveryRow,
    sql`select state, tries from deliveries where ${isDelivery(key)}`,
  );
}

export async function updateDelivered(tx: Tx, key: OrderKey): Promise<void> {
  await tx.run(sql`
    update deliveries
    set state = 'delivered', tries = tries + 1, next_try_at = null, delivered_at = now()
    where ${isDelivery(key)} and state <> 'delivered'`);
}

/** False when another worker counted this try, or the delivery is over. */
export async function updateFailed(
  tx: Tx,
  key: OrderKey,
  failed: { tries: number; state: 'queued' | 'declined' | 'exhausted'; nextTryAt: Date | null },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update deliveries
    set state = ${failed.state}, tries = ${failed.tries}, next_try_at = ${failed.nextTryAt}
    where ${isDelivery(key)} and state = 'queued' and tries = ${failed.tries - 1}`);
  return updated === 1;
}

/** Deliveries that were due long ago and that nobody has tried, moved on so that others get a turn. */
export function takeForgotten(
  tx: Tx,
  limits: { overdueMinutes: number; rowsMax: number },
): Promise<{ account_id: string; payment_id: string }[]> {
  return tx.many(
    z.object({ account_id: z.uuid(), payment_id: z.uuid() }),
    sql`
      with forgotten as (
        select account_id, payment_id from deliveries
        where state = 'queued' and next_try_at < now() - make_interval(mins => ${limits.overdueMinutes})
        order by next_try_at limit ${limits.rowsMax} for update skip locked
      )
      update deliveries set next_try_at = now()
      from forgotten
      where deliveries.account_id = forgotten.account_id
        and deliveries.payment_id = forgotten.payment_id
      returning deliveries.account_id, deliveries.payment_id`,
  );
}

export async function updatePostponed(
  tx: Tx,
  key: OrderKey,
  { nextTryAt }: { nextTryAt: Date },
): Promise<void> {
  await tx.run(sql`
    update deliveries set next_try_at = ${nextTryAt} where ${isDelivery(key)} and state = 'queued'`);
}
