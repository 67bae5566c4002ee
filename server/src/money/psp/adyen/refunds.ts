import { z } from 'zod';
import type { Answer, RefundQuery, RefundRequest, RefundResult, RefundTruth } from '../psp.ts';
import { isSameMoney, misshapen } from '../replies.ts';
import type { Client } from './client.ts';
import { PspReference } from './ids.ts';
import { WireMoney, wireMoney } from './money.ts';
import type { AdyenOptions } from './options.ts';
import { RefundReason } from './sdk.ts';

const reasons = {
  duplicate: RefundReason.Duplicate,
  fraud: RefundReason.Fraud,
  other: RefundReason.Other,
};

const Received = z.object({
  status: z.literal('received'),
  merchantAccount: z.string(),
  paymentPspReference: z.string(),
  pspReference: PspReference,
  reference: z.string(),
  amount: WireMoney,
});

/** Adyen only acknowledges the request; the outcome of the refund comes by webhook. */
export async function refund(
  client: Client,
  { merchantAccount }: AdyenOptions,
  request: RefundRequest,
): Promise<RefundResult> {
  const { refundId, captureId, money, reason } = request;
  const amount = wireMoney(money);
  const reply = await client.ask((api) =>
    api.ModificationsApi.refundCapturedPayment(
      captureId,
      { merchantAccount, amount, reference: refundId, merchantRefundReason: reasons[reason] },
      { idempotencyKey: refundId },
    ),
  );
  if (reply.outcome === 'refused') return { outcome: 'rejected', code: reply.code };
  if (reply.outcome === 'unknown') return reply;
  const received = Received.safeParse(reply.value);
  if (!received.success) return misshapen('refund', received.error);
  const { data } = received;
  const isOurs =
    data.merchantAccount === merchantAccount &&
    data.paymentPspReference === captureId &&
    data.reference === refundId &&
    isSameMoney(data.amount, money);
  return isOurs
    ? { outcome: 'accepted', state: 'pending' }
    : { outcome: 'unknown', cause: 'a reply about another refund' };
}

/** Always `pending`, because Adyen has no refund query: a webhook reports success or failure. */
export function queryRefund(query: RefundQuery): Answer<{ refund: RefundTruth }> {
  const { refundId, captureId, money } = query;
  if (money === null) return { outcome: 'unknown', cause: 'Adyen reports refunds by webhook only' };
  return { outcome: 'ok', refund: { refundId, isOurs: true, captureId, money, state: 'pending' } };
}
