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

export async function updatePostponed(
  tx: Tx,
  key: OrderKey,
  { nextTryAt }: { nextTryAt: Date },
): Promise<void> {
  await tx.run(sql`
    update deliveries set next_try_at = ${nextTryAt} where ${isDelivery(key)} and state = 'queued'`);
}
