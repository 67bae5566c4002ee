import { toDecimalString } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { Answer, RefundQuery, RefundRequest, RefundResult, RefundTruth } from '../psp.ts';
import { isOurId, misshapen, type Unknown } from '../replies.ts';
import type { Client } from './client.ts';
import { TradeNo } from './ids.ts';
import { moneyOf } from './money.ts';
import { notFoundCode } from './payments.ts';

/** `refund_fee` is not read: it is the total of all refunds of the trade. */
const Refunded = z.object({ trade_no: TradeNo, fund_change: z.enum(['Y', 'N']) });

const Found = z.object({
  trade_no: TradeNo,
  out_request_no: z.string(),
  refund_amount: z.string(),
  refund_status: z.string(),
});

/** An answer without refund fields: the refund does not exist, or not yet. */
const Nothing = z.object({
  refund_status: z.undefined().optional(),
  refund_amount: z.undefined().optional(),
});

/** Refunds once per `refundId`: Alipay stores the number with the trade. */
export async function refund(client: Client, request: RefundRequest): Promise<RefundResult> {
  if (request.money.currency !== 'CNY') {
    throw new Error(`Alipay does not take ${request.money.currency}`);
  }
  const reply = await client.ask('alipay.trade.refund', {
    trade_no: request.captureId,
    refund_amount: toDecimalString(request.money),
    out_request_no: request.refundId,
    refund_reason: request.reason,
  });
  if (reply.outcome === 'ok') return await judgeAnswer(client, request, reply.value);
  // After an unclear answer or a refusal, a query by the refund id decides.
  const found = await queryRefund(client, request);
  if (found.outcome === 'ok') return { outcome: 'accepted', state: found.refund.state };
  if (reply.outcome === 'refused' && found.outcome === 'not_found') {
    return isRepeat(reply.code)
      ? { outcome: 'unknown', cause: reply.code }
      : { outcome: 'rejected', code: reply.code };
  }
  return { outcome: 'unknown', cause: reply.outcome === 'refused' ? reply.code : reply.cause };
}

/** `fund_change` N may mean an earlier or a pending refund, so the refund itself is queried. */
async function judgeAnswer(
  client: Client,
  request: RefundRequest,
  value: unknown,
): Promise<RefundResult> {
  const answer = Refunded.safeParse(value);
  if (!answer.success) return misshapen('refund', answer.error);
  if (answer.data.trade_no !== request.captureId) {
    return { outcome: 'unknown', cause: 'a reply about another payment' };
  }
  if (answer.data.fund_change === 'Y') return { outcome: 'accepted', state: 'done' };
  const found = await queryRefund(client, request);
  if (found.outcome === 'ok') return { outcome: 'accepted', state: found.refund.state };
  return found.outcome === 'not_found' ? { outcome: 'accepted', state: 'pending' } : found;
}

export async function queryRefund(
  client: Client,
  request: RefundQuery,
): Promise<Answer<{ refund: RefundTruth }>> {
  const reply = await client.ask('alipay.trade.fastpay.refund.query', {
    trade_no: request.captureId,
    out_request_no: request.refundId,
  });
  if (reply.outcome === 'unknown') return reply;
  if (reply.outcome === 'ok') return readRefund(request, reply.value);
  return reply.code === notFoundCode
    ? { outcome: 'not_found' }
    : { outcome: 'unknown', cause: reply.code };
}

/** Accepts only the requested refund, of this payment and of this amount. */
function readRefund(
  { refundId, captureId, money: asked }: RefundQuery,
  value: unknown,
): Answer<{ refund: RefundTruth }> | Unknown {
  if (Nothing.safeParse(value).success) return { outcome: 'not_found' };
  const found = Found.safeParse(value);
  if (!found.success) return misshapen('refund', found.error);
  const { trade_no, out_request_no, refund_amount, refund_status } = found.data;
  const money = moneyOf(refund_amount);
  const isAsked = out_request_no === refundId && trade_no === captureId;
  const isOther = asked !== null && money?.amountMinor !== asked.amountMinor;
  if (!isAsked || money === undefined || isOther) {
    return { outcome: 'unknown', cause: 'a reply about another refund' };
  }
  if (refund_status !== 'REFUND_SUCCESS') {
    return { outcome: 'unknown', cause: `refund status ${refund_status}` };
  }
  const refund = { refundId, isOurs: isOurId(refundId), captureId, money, state: 'done' } as const;
  return { outcome: 'ok', refund };
}

/** Alipay already knows the refund id, so money may have moved. */
function isRepeat(code: string): boolean {
  return /REPEAT/.test(code);
}
