import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';

interface OrderKey {
  accountId: string;
  paymentId: string;
}

const RevocationRow = z.object({
  state: z.enum(['queued', 'answered', 'exhausted']),
  tries: z.int(),
});

const isRevocation = ({ accountId, paymentId }: OrderKey) =>
  sql`account_id = ${accountId} and payment_id = ${paymentId}`;

/** A new request restarts the revocation, because an old answer does not cover a later grant. */
export async function insertRevocation(tx: Tx, key: OrderKey): Promise<void> {
  await tx.run(sql`
    insert into revocations (account_id, payment_id, next_try_at)
    values (${key.accountId}, ${key.paymentId}, now())
    on conflict (account_id, payment_id) do update
    set state = 'queued', result = null, tries = 0, next_try_at = now()`);
}

export function selectRevocation(db: Db, key: OrderKey) {
  return db.maybeOne(
    RevocationRow,
    sql`select state, tries from revocations where ${isRevocation(key)}`,
  );
}

export async function updateAnswered(tx: Tx, key: OrderKey, result: string): Promise<void> {
  await tx.run(sql`
    update revocations
    set state = 'answered', result = ${result}, tries = tries + 1, next_try_at = null
    where ${isRevocation(key)} and state = 'queued'`);
}

/** False if another worker counted this try, or the game has answered. */
export async function updateUnanswered(
  tx: Tx,
  key: OrderKey,
  { tries, nextTryAt }: { tries: number; nextTryAt: Date | null },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update revocations
    set state = ${nextTryAt === null ? 'exhausted' : 'queued'}, tries = ${tries},
        next_try_at = ${nextTryAt}
    where ${isRevocation(key)} and state = 'queued' and tries = ${tries - 1}`);
  return updated === 1;
}

/** Takes overdue revocations that no worker tried, and postpones them. */
export function takeForgottenRevocations(
  tx: Tx,
  limits: { overdueMinutes: number; rowsMax: number; fromId: string },
): Promise<{ account_id: string; payment_id: string }[]> {
  return tx.many(
    z.object({ account_id: z.uuid(), payment_id: z.uuid() }),
    sql`
      with forgotten as (
        select account_id, payment_id from revocations
        where state = 'queued' and next_try_at < now() - make_interval(mins => ${limits.overdueMinutes})
          and payment_id >= ${limits.fromId}
        order by next_try_at limit ${limits.rowsMax} for update skip locked
      )
      update revocations set next_try_at = now()
      from forgotten
      where revocations.payment_id >= ${limits.fromId}
        and revocations.account_id = forgotten.account_id
        and revocations.payment_id = forgotten.payment_id
      returning revocations.account_id, revocations.payment_id`,
  );
}
