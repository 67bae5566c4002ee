import { toSafeNumber } from '@pointgate/contract/money.ts';
import type Stripe from 'stripe';
import { z } from 'zod';
import { refundOnce, refundTruths } from '../own-refunds.ts';
import type { Answer, RefundQuery, RefundRequest, RefundResult, RefundTruth } from '../psp.ts';
import { isSameMoney, type Known, misshapen, oneOf } from '../replies.ts';
import { failureOf } from './client.ts';
import { CaptureId } from './ids.ts';
import { readList } from './lists.ts';
import { moneyOf, wireMoney } from './money.ts';

const states = {
  pending: 'pending',
  // The payer has to name an account for the refund.
  requires_action: 'pending',
  succeeded: 'done',
  // The payer's bank may return the money weeks after the refund succeeded.
  failed: 'returned',
  canceled: 'returned',
} as const satisfies Record<string, RefundTruth['state']>;

const Refund = z.object({
  object: z.literal('refund'),
  id: z.string().min(1),
  ...wireMoney,
  payment_intent: CaptureId,
  status: oneOf(states),
  metadata: z.record(z.string(), z.string()).nullable(),
});

const Ours = z.object({ refundId: z.uuid() });

const reasons = {
  duplicate: 'duplicate',
  fraud: 'fraudulent',
  other: 'requested_by_customer',
} as const satisfies Record<RefundRequest['reason'], Stripe.RefundCreateParams.Reason>;

/** Every refund of a capture, made by the shop or elsewhere. */
export async function refundsOf(stripe: Stripe, captureId: string): Promise<Known<RefundTruth[]>> {
  const refunds = await readList(Refund, (page) =>
    stripe.refunds.list({ payment_intent: captureId, ...page }),
  );
  if (refunds.outcome === 'unknown') return refunds;
  if (refunds.value.some(({ payment_intent }) => payment_intent !== captureId)) {
    return { outcome: 'unknown', cause: 'a refund of another capture' };
  }
  const oldestFirst = refunds.value.toReversed().map((refund) => ({
    id: refund.id,
    ourId: Ours.safeParse(refund.metadata).data?.refundId,
    captureId,
    money: moneyOf(refund),
    state: refund.status,
  }));
  return { outcome: 'ok', value: refundTruths(oldestFirst) };
}

/**
 * The idempotency key alone is not enough: Stripe forgets it after a day, and until then replays a 500 if
 * that was the first answer.
 */
export async function refund(stripe: Stripe, request: RefundRequest): Promise<RefundResult> {
  return await refundOnce(request, {
    query: (query) => queryRefund(stripe, query),
    create: (asked) => createRefund(stripe, asked),
  });
}

export async function queryRefund(
  stripe: Stripe,
  { refundId, captureId }: RefundQuery,
): Promise<Answer<{ refund: RefundTruth }>> {
  const refunds = await refundsOf(stripe, captureId);
  if (refunds.outcome === 'unknown') return refunds;
  const found = refunds.value.find((one) => one.refundId === refundId);
  return found === undefined ? { outcome: 'not_found' } : { outcome: 'ok', refund: found };
}

async function createRefund(stripe: Stripe, request: RefundRequest): Promise<RefundResult> {
  const { refundId, payment, captureId, money } = request;
  try {
    const reply = await stripe.refunds.create(
      {
        payment_intent: captureId,
        amount: toSafeNumber(money.amountMinor),
        reason: reasons[request.reason],
        metadata: { refundId, ...payment.reference },
      },
      { idempotencyKey: refundId },
    );
    const made = Refund.safeParse(reply);
    if (!made.success) return misshapen('refund', made.error);
    const isAsked =
      made.data.payment_intent === captureId && isSameMoney(moneyOf(made.data), money);
    return isAsked
      ? { outcome: 'accepted', state: made.data.status }
      : { outcome: 'unknown', cause: 'a reply about another refund' };
  } catch (error) {
    const failure = failureOf(error);
    if (!failure.isFinal) return { outcome: 'unknown', cause: failure.code };
    return { outcome: 'rejected', code: refusalCode(failure) };
  }
}

/** Stripe has no error code for a refund above the remaining amount, so the parameter tells it. */
function refusalCode({ code, param }: { code: string; param: string | undefined }): string {
  return code === 'StripeInvalidRequestError' && param === 'amount' ? 'amount_too_large' : code;
}
