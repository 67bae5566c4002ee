import { readBatch } from '../batches.ts';
import { type Abroad, openCourt } from '../court.ts';
import type { Query } from '../database.ts';

/**
 * The contract of a capture, as SQL: that of the attempt with this capture, or else that of the
 * last attempt.
 */
export function contractOf(accountId: string, paymentId: string, captureId: string): string {
  const attempts = `from payment_attempts as attempts
    where attempts.account_id = ${accountId} and attempts.payment_id = ${paymentId}`;
  return `coalesce(
    (select psp ${attempts} and attempts.capture_id = ${captureId} limit 1),
    (select psp ${attempts} order by created_at desc, attempt_id desc limit 1))`;
}

/** Refunds and captures of orders that belong to this contract. */
export async function ownOf(
  query: Query,
  orders: readonly Abroad[],
  contract: string,
): Promise<Abroad[]> {
  const refunds = orders.flatMap(({ accountId, paymentId, refunds: all }) =>
    all.map(({ refundId, captureId }) => ({ accountId, paymentId, refundId, captureId })),
  );
  const rows = await query(
    `select refund_id from unnest($1::uuid[], $2::uuid[], $3::text[], $4::text[])
       as refunds (account_id, payment_id, refund_id, capture_id)
     where ${contractOf('refunds.account_id', 'refunds.payment_id', 'refunds.capture_id')} = $5`,
    [
      refunds.map(({ accountId }) => accountId),
      refunds.map(({ paymentId }) => paymentId),
      refunds.map(({ refundId }) => refundId),
      refunds.map(({ captureId }) => captureId),
      contract,
    ],
  );
  const own = new Set(rows.map(([refundId = '']) => refundId));
  return orders.map((order) => ({
    ...order,
    refunds: order.refunds.filter(({ refundId }) => own.has(refundId)),
  }));
}

/** The orders of some captures, as their histories tell them. */
export async function ordersOfCaptures(
  query: Query,
  captureIds: readonly string[],
  contract: string,
): Promise<Abroad[]> {
  const keys = await query(
    `select distinct account_id, payment_id from payment_attempts
     where psp = $1 and capture_id = any($2)`,
    [contract, captureIds],
  );
  const court = openCourt({ isArchived: false });
  const orders: Abroad[] = [];
  for (const [accountId = '', paymentId = ''] of keys) {
    const range = { from: paymentId, until: '', month: undefined, state: 'present' as const };
    const between = { after: { accountId, id: nobody }, end: { accountId, id: paymentId } };
    for (const suspect of (await readBatch(query, range, between)).suspects) {
      const { abroad } = court.judge(suspect);
      if (abroad !== undefined) orders.push(abroad);
    }
  }
  return orders;
}

const nobody = '00000000-0000-0000-0000-000000000000';
