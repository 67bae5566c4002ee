import { Currency, type Money, toSafeNumber } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { Answer, RefundQuery, RefundRequest, RefundResult, RefundTruth } from '../psp.ts';
import { isOurId, isSameMoney, misshapen, type Unknown } from '../replies.ts';
import type { Client } from './client.ts';
import { TransactionId } from './ids.ts';
import type { WechatpayOptions } from './options.ts';
import { moneyOfCapture, notFoundCodes } from './payments.ts';

const states: Readonly<Record<string, RefundTruth['state'] | undefined>> = {
  PROCESSING: 'pending',
  SUCCESS: 'done',
  // The payer's bank refused the money. It has to be completed by hand; until then no money has moved.
  ABNORMAL: 'failed',
  CLOSED: 'returned',
};

const Refund = z.object({
  out_refund_no: z.string(),
  refund_id: z.string().min(1),
  transaction_id: TransactionId,
  status: z.string(),
  amount: z.object({ refund: z.int().positive(), currency: Currency }),
});

const path = 'v3/refund/domestic/refunds';

/** Refunds once per `refundId`: WeChat never forgets the number. */
export async function refund(
  client: Client,
  options: WechatpayOptions,
  request: RefundRequest,
): Promise<RefundResult> {
  // WeChat requires the paid amount in a refund request and refuses any other.
  const paid = await moneyOfCapture(client, options, request.captureId);
  if (paid.outcome === 'not_found') return { outcome: 'rejected', code: 'capture_not_found' };
  if (paid.outcome === 'unknown') return { outcome: 'unknown', cause: paid.cause };
  const reply = await client.ask({
    method: 'POST',
    path,
    body: {
      transaction_id: request.captureId,
      out_refund_no: request.refundId,
      reason: request.reason,
      notify_url: options.notifyUrl,
      amount: {
        refund: toSafeNumber(request.money.amountMinor),
        total: toSafeNumber(paid.money.amountMinor),
        currency: request.money.currency,
      },
    },
  });
  if (reply.outcome === 'ok') {
    const made = readRefund(request, reply.value);
    return made.outcome === 'ok' ? { outcome: 'accepted', state: made.refund.state } : made;
  }
  // After an unclear answer or a refusal, a query by the refund id decides.
  const found = await queryRefund(client, request);
  if (found.outcome === 'ok') return { outcome: 'accepted', state: found.refund.state };
  if (reply.outcome === 'refused' && found.outcome === 'not_found') {
    return { outcome: 'rejected', code: reply.code };
  }
  const cause = reply.outcome === 'refused' ? reply.code : reply.cause;
  return { outcome: 'unknown', cause };
}

export async function queryRefund(
  client: Client,
  request: RefundQuery,
): Promise<Answer<{ refund: RefundTruth }>> {
  const reply = await client.ask({
    method: 'GET',
    path: `${path}/${encodeURIComponent(request.refundId)}`,
  });
  if (reply.outcome === 'unknown') return { outcome: 'unknown', cause: reply.cause };
  if (reply.outcome === 'ok') return readRefund(request, reply.value);
  return notFoundCodes.includes(reply.code)
    ? { outcome: 'not_found' }
    : { outcome: 'unknown', cause: reply.code };
}

/** Accepts only the requested refund, of this payment and of this amount. */
function readRefund(
  { refundId, captureId, money: asked }: RefundQuery,
  value: unknown,
): { outcome: 'ok'; refund: RefundTruth } | Unknown {
  const found = Refund.safeParse(value);
  if (!found.success) return misshapen('refund', found.error);
  const { out_refund_no, refund_id, transaction_id, status, amount } = found.data;
  const money: Money = { amountMinor: BigInt(amount.refund), currency: amount.currency };
  const isAsked = out_refund_no === refundId && transaction_id === captureId;
  if (!isAsked || (asked !== null && !isSameMoney(money, asked))) {
    return { outcome: 'unknown', cause: 'a reply about another refund' };
  }
  const state = states[status];
  if (state === undefined) return { outcome: 'unknown', cause: `refund status ${status}` };
  // A refund made outside the shop is identified by WeChat's number, as in its bills.
  const isOurs = isOurId(refundId);
  const name = isOurs ? refundId : refund_id;
  return { outcome: 'ok', refund: { refundId: name, isOurs, captureId, money, state } };
}
