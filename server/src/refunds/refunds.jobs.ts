import type { RefundReason } from '@pointgate/contract/orders.ts';
import type { z } from 'zod';
import { recordFacts } from '../orders/orders.ts';
import {
  askProviderJob,
  findAttempt,
  type PaymentsContext,
  providerOf,
} from '../payments/payments.ts';
import { type JobWork, jobWork, type Settle } from '../platform/jobs.ts';
import { addLogFields, log } from '../platform/log.ts';
import type { RefundRequest } from '../psp/psp.ts';
import { type RefundRow, selectRefund, takeDueRefunds, updatePending } from './refunds.queries.ts';
import { refundPaymentJob } from './refunds.ts';

export function refundWorks(context: PaymentsContext): JobWork[] {
  return [jobWork(refundPaymentJob, (key) => refundPayment(context, key))];
}

const sweepRowsMax = 200;

/** Queues refunds again that nobody has heard of: those not sent yet, and those on their way. */
export async function sweepRefunds({ db, jobs, checkSeconds }: PaymentsContext): Promise<void> {
  await db.transaction(async (tx) => {
    const due = await takeDueRefunds(tx, { scheduleSeconds: checkSeconds, rowsMax: sweepRowsMax });
    for (const refund of due) {
      const { accountId, paymentId, refundId, attemptId } = keysOf(refund);
      if (refund.state === 'requested') {
        await jobs.enqueue(tx, refundPaymentJob, { accountId, paymentId, refundId });
      } else await jobs.enqueue(tx, askProviderJob, { accountId, paymentId, attemptId });
    }
  });
}

/**
 * The refund's own id is the key at the provider: however often it is sent, it is made once. Only
 * what the provider certainly refused has failed; all else is asked again.
 */
async function refundPayment(
  context: PaymentsContext,
  key: z.output<typeof refundPaymentJob.payload>,
): Promise<Settle> {
  addLogFields({ paymentId: key.paymentId, accountId: key.accountId });
  const refund = await selectRefund(context.db, key);
  if (refund === undefined) throw new Error(`there is no refund ${key.refundId}`);
  if (refund.state !== 'requested') return async () => {};
  const reference = keysOf(refund);
  const attempt = await findAttempt(context.db, reference);
  if (attempt === undefined) throw new Error(`refund ${key.refundId} has no attempt`);

  const money = { amountMinor: refund.amount_minor, currency: refund.currency };
  const result = await providerOf(context, attempt.psp).refund({
    refundId: refund.refund_id,
    reference,
    captureId: refund.capture_id,
    money,
    reason: providerReasons[refund.reason],
  });
  if (result.outcome === 'unknown') throw new Error(`the refund is not clear: ${result.cause}`);
  if (result.outcome === 'accepted' && result.state === 'pending') {
    return (tx) => updatePending(tx, key);
  }
  if (result.outcome === 'rejected') {
    log.error({ psp: attempt.psp, code: result.code }, 'the provider refused a refund');
  }
  const isDone = result.outcome === 'accepted' && result.state === 'done';
  return async (tx) => {
    await recordFacts(tx, context.effects, key, [
      {
        type: 'refund_settled',
        refundId: refund.refund_id,
        captureId: refund.capture_id,
        ...money,
        outcome: isDone ? 'done' : 'failed',
      },
    ]);
    // Perhaps it was refunded there already, or is in dispute; what is true is asked.
    if (!isDone) await context.jobs.enqueue(tx, askProviderJob, reference);
  };
}

function keysOf(refund: RefundRow) {
  return {
    accountId: refund.account_id,
    paymentId: refund.payment_id,
    refundId: refund.refund_id,
    attemptId: refund.attempt_id,
  };
}

const providerReasons = {
  duplicate: 'duplicate',
  misfit: 'other',
  declined_by_game: 'other',
  not_delivered_in_time: 'other',
  late_and_gone: 'other',
  over_limit: 'other',
  player_request: 'other',
  goodwill: 'other',
  fraud: 'fraud',
  operator: 'other',
  elsewhere: 'other',
  chargeback: 'other',
} as const satisfies Record<RefundReason, RefundRequest['reason']>;
