import type { RefundReason } from '@pointgate/contract/orders.ts';
import type { z } from 'zod';
import { isId } from '../../platform/ids.ts';
import { type JobWork, jobWork, type Settle } from '../../platform/jobs.ts';
import { addLogFields, log } from '../../platform/log.ts';
import { firstSweptId, type SweptMonths } from '../../platform/partitions.ts';
import { recordFacts } from '../orders/orders.ts';
import {
  askProviderJob,
  askRefundJob,
  findAttempt,
  type PaymentsContext,
  paymentOf,
  providerOf,
} from '../payments/payments.ts';
import type { PaymentProvider, RefundQuery, RefundRequest } from '../psp/psp.ts';
import { type RefundRow, selectRefund, takeDueRefunds, updatePending } from './refunds.queries.ts';
import { refundPaymentJob } from './refunds.ts';

export function refundWorks(context: PaymentsContext): JobWork[] {
  return [
    jobWork(refundPaymentJob, (key) => refundPayment(context, key)),
    jobWork(askRefundJob, (key) => askRefund(context, key)),
  ];
}

const sweepRowsMax = 200;

/** Requeues refunds without a result, both those not sent yet and those pending. */
export async function sweepRefunds(
  { db, jobs, checkSeconds }: PaymentsContext,
  months: SweptMonths = 'recent',
): Promise<void> {
  await db.transaction(async (tx) => {
    const due = await takeDueRefunds(tx, {
      scheduleSeconds: checkSeconds,
      rowsMax: sweepRowsMax,
      fromId: firstSweptId(months),
    });
    for (const refund of due) {
      const { accountId, paymentId, refundId } = keysOf(refund);
      const kind = refund.state === 'requested' ? refundPaymentJob : askRefundJob;
      await jobs.enqueue(tx, kind, { accountId, paymentId, refundId }, { group: refund.psp });
    }
  });
}

/**
 * Sends a refund with its id as the idempotency key, so repeating it is safe. The refund fails only
 * if the provider clearly refused it; after any other error it is retried.
 */
async function refundPayment(
  context: PaymentsContext,
  key: z.output<typeof refundPaymentJob.payload>,
): Promise<Settle> {
  addLogFields({ paymentId: key.paymentId, accountId: key.accountId });
  const refund = await selectRefund(context.db, key);
  if (refund === undefined) throw new Error(`there is no refund ${key.refundId}`);
  if (refund.state !== 'requested') return async () => {};
  const { provider, request } = await atProvider(context, refund);
  const { money } = request;
  const result = await provider.refund(request);
  if (result.outcome === 'unknown')
    throw new Error(`the outcome of the refund is unknown: ${result.cause}`);
  if (result.outcome === 'accepted' && result.state === 'pending') {
    return (tx) => updatePending(tx, key);
  }
  if (result.outcome === 'rejected') {
    log.error({ psp: provider.name, code: result.code }, 'the provider refused a refund');
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
    // The payment may already be refunded or disputed, so the provider is queried.
    const { reference } = request.payment;
    if (!isDone) {
      await context.jobs.enqueue(tx, askProviderJob, reference, { group: provider.name });
    }
  };
}

/** Queries a refund. One that is still pending is checked again on schedule. */
async function askRefund(
  context: PaymentsContext,
  key: z.output<typeof askRefundJob.payload>,
): Promise<Settle> {
  addLogFields({ paymentId: key.paymentId, accountId: key.accountId });
  const known = isId(key.refundId) ? await selectRefund(context.db, key) : undefined;
  const { provider, request } =
    known === undefined ? await elsewhereAt(context, key) : await atProvider(context, known);
  const answer = await provider.queryRefund(request);
  if (answer.outcome !== 'ok') {
    throw new Error(`${provider.name} did not answer the query for refund ${key.refundId}`);
  }
  const { refundId, isOurs, state: outcome, captureId, money } = answer.refund;
  // A failed refund made at the provider may still succeed and is recorded only then.
  if (outcome === 'pending' || (outcome === 'failed' && !isOurs)) return async () => {};
  return async (tx) => {
    await recordFacts(tx, context.effects, key, [
      { type: 'refund_settled', refundId, captureId, ...money, outcome },
    ]);
  };
}

async function atProvider(
  context: PaymentsContext,
  refund: RefundRow,
): Promise<{ provider: PaymentProvider; request: RefundRequest }> {
  const attempt = await findAttempt(context.db, keysOf(refund));
  const payment = attempt === undefined ? undefined : paymentOf(attempt);
  if (attempt === undefined || payment === undefined) {
    throw new Error(`refund ${refund.refund_id} has no payment`);
  }
  const request = {
    refundId: refund.refund_id,
    payment,
    captureId: refund.capture_id,
    money: { amountMinor: refund.amount_minor, currency: refund.currency },
    reason: providerReasons[refund.reason],
  };
  return { provider: await providerOf(context, attempt.psp), request };
}

/** A refund made at the provider, of an attempt's capture. */
async function elsewhereAt(
  context: PaymentsContext,
  { accountId, paymentId, attemptId, refundId }: z.output<typeof askRefundJob.payload>,
): Promise<{ provider: PaymentProvider; request: RefundQuery }> {
  const attempt =
    attemptId === undefined
      ? undefined
      : await findAttempt(context.db, { accountId, paymentId, attemptId });
  const payment = attempt === undefined ? undefined : paymentOf(attempt);
  const captureId = attempt?.capture_id ?? undefined;
  if (attempt === undefined || payment === undefined || captureId === undefined) {
    throw new Error(`refund ${refundId} belongs to no known payment`);
  }
  const request = { refundId, payment, captureId, money: null };
  return { provider: await providerOf(context, attempt.psp), request };
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
