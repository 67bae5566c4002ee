import { Currency } from '@pointgate/contract/money.ts';
import { RefundReason } from '@pointgate/contract/orders.ts';
import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';

const RefundRow = z.object({
  account_id: z.uuid(),
  payment_id: z.uuid(),
  refund_id: z.uuid(),
  attempt_id: z.uuid(),
  capture_id: z.string(),
  currency: z.enum(Currency.def.entries),
  amount_minor: z.bigint(),
  reason: z.enum(RefundReason.def.entries),
  state: z.enum(['requested', 'pending', 'done', 'failed']),
});
export type RefundRow = z.output<typeof RefundRow>;

export interface RefundKey {
  accountId: string;
  paymentId: string;
  refundId: string;
}

const isRefund = ({ accountId, paymentId, refundId }: RefundKey) =>
  sql`account_id = ${accountId} and payment_id = ${paymentId} and refund_id = ${refundId}`;

export async function insertRefund(
  tx: Tx,
  refund: RefundKey & {
    attemptId: string;
    captureId: string;
    currency: string;
    amountMinor: bigint;
    reason: string;
    by: string;
    firstCheckSeconds: number;
  },
): Promise<void> {
  await tx.run(sql`
    insert into refunds
      (account_id, payment_id, refund_id, attempt_id, capture_id, currency, amount_minor, reason,
       requested_by, next_check_at)
    values (${refund.accountId}, ${refund.paymentId}, ${refund.refundId}, ${refund.attemptId},
            ${refund.captureId}, ${refund.currency}, ${refund.amountMinor}, ${refund.reason},
            ${refund.by}, now() + make_interval(secs => ${refund.firstCheckSeconds}))`);
}

export function selectRefund(db: Db, key: RefundKey): Promise<RefundRow | undefined> {
  return db.maybeOne(RefundRow, sql`select * from refunds where ${isRefund(key)}`);
}

export async function updatePending(tx: Tx, key: RefundKey): Promise<void> {
  await tx.run(sql`
    update refunds set state = 'pending' where ${isRefund(key)} and state = 'requested'`);
}

/** A refund made at the provider has no row, so nothing is updated. */
export async function updateState(
  tx: Tx,
  key: RefundKey,
  state: RefundRow['state'],
): Promise<void> {
  await tx.run(sql`update refunds set state = ${state} where ${isRefund(key)}`);
}

/** Takes refunds whose next check is due and schedules the check after that. */
export function takeDueRefunds(
  tx: Tx,
  {
    scheduleSeconds,
    rowsMax,
    fromId,
  }: { scheduleSeconds: readonly number[]; rowsMax: number; fromId: string },
): Promise<(RefundRow & { psp: string })[]> {
  return tx.many(
    RefundRow.extend({ psp: z.string() }),
    sql`
      with due as (
        select account_id, payment_id, refund_id from refunds
        where state in ('requested', 'pending') and next_check_at <= now() and payment_id >= ${fromId}
        order by next_check_at limit ${rowsMax} for update skip locked
      )
      update refunds
      set checks = checks + 1,
          next_check_at = now() + make_interval(secs =>
            (${scheduleSeconds}::float8[])[least(checks + 2, ${scheduleSeconds.length})])
      from due
      where refunds.payment_id >= ${fromId} and refunds.account_id = due.account_id and refunds.payment_id = due.payment_id
        and refunds.refund_id = due.refund_id
      returning refunds.*, (
        select psp from payment_attempts as attempts
        where attempts.account_id = refunds.account_id
          and attempts.payment_id = refunds.payment_id
          and attempts.attempt_id = refunds.attempt_id) as psp`,
  );
}
