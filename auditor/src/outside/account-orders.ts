import { readBatch } from '../batches.ts';
import { type ExternalHistory, openCheckCache } from '../check-cache.ts';
import type { Query } from '../database.ts';

/**
 * The merchant account of a capture, as SQL: that of the attempt with this capture, or else that of the
 * last attempt.
 */
export function merchantAccountOf(accountId: string, paymentId: string, captureId: string): string {
  const attempts = `from payment_attempts as attempts
    where attempts.account_id = ${accountId} and attempts.payment_id = ${paymentId}`;
  return `coalesce(
    (select psp ${attempts} and attempts.capture_id = ${captureId} limit 1),
    (select psp ${attempts} order by created_at desc, attempt_id desc limit 1))`;
}

/** Refunds and captures of orders that belong to this merchant account. */
export async function refundsOfAccount(
  query: Query,
  orders: readonly ExternalHistory[],
  merchantAccount: string,
): Promise<ExternalHistory[]> {
  const refunds = orders.flatMap(({ accountId, paymentId, refunds: all }) =>
    all.map(({ refundId, captureId }) => ({ accountId, paymentId, refundId, captureId })),
  );
  const rows = await query(
    `select refund_id from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
       as refunds (account_id, payment_id, refund_id, capture_id)
     where ${merchantAccountOf('refunds.account_id', 'refunds.payment_id', 'refunds.capture_id')} = $5`,
    [
      refunds.map(({ accountId }) => accountId),
      refunds.map(({ paymentId }) => paymentId),
      refunds.map(({ refundId }) => refundId),
      refunds.map(({ captureId }) => captureId),
      merchantAccount,
    ],
  );
  const own = new Set(rows.map(([refundId = '']) => refundId));
  return orders.map((order) => ({
    ...order,
    refunds: order.refunds.filter(({ refundId }) => own.has(refundId)),
  }));
}

/** The orders of some captures, with the parts of their histories that external parties know. */
export async function ordersOfCaptures(
  query: Query,
  captureIds: readonly string[],
  merchantAccount: string,
): Promise<ExternalHistory[]> {
  const keys = await query(
    `select distinct account_id, payment_id from payment_attempts
     where psp = $1 and capture_id = any($2)`,
    [merchantAccount, captureIds],
  );
  const cache = openCheckCache({ isArchived: false });
  const orders: ExternalHistory[] = [];
  for (const [accountId = '', paymentId = ''] of keys) {
    const range = { from: paymentId, until: '', month: undefined, state: 'present' as const };
    const between = { after: { accountId, id: nobody }, end: { accountId, id: paymentId } };
    for (const order of (await readBatch(query, range, between)).ordersToCheck) {
      const { externalHistory } = cache.check(order);
      if (externalHistory !== undefined) orders.push(externalHistory);
    }
  }
  return orders;
}

const nobody = '00000000-0000-0000-0000-000000000000';
