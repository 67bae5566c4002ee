import type { Answer, RefundQuery, RefundRequest, RefundResult, RefundTruth } from '../psp.ts';
import { isSameMoney, misshapen } from '../replies.ts';
import type { PaypalClient } from './client.ts';
import { wireMoney } from './money.ts';
import { causeOf, readOrder } from './orders.ts';
import { refundTruthsOf } from './refund-truths.ts';
import { Refund } from './shapes.ts';

/**
 * Refunds once per `refundId`. PayPal remembers a request id for 45 days only, so existing refunds are
 * searched for the refund id before the call and after every unclear answer.
 */
export async function refund(client: PaypalClient, request: RefundRequest): Promise<RefundResult> {
  const earlier = await findRefund(client, request);
  if (earlier !== undefined) return earlier;
  const result = await createRefund(client, request);
  if (result.outcome !== 'unknown') return result;
  const made = await findRefund(client, request);
  return made?.outcome === 'accepted' ? made : result;
}

export async function queryRefund(
  client: PaypalClient,
  { refundId, captureId, payment }: RefundQuery,
): Promise<Answer<{ refund: RefundTruth }>> {
  const order = await readOrder(client, payment.pspRef);
  if (order.outcome !== 'ok') return order;
  const refunds = refundTruthsOf(order.value);
  if (refunds.outcome === 'unknown') return refunds;
  const found = refunds.value.find(
    (one) => one.refundId === refundId && one.captureId === captureId,
  );
  return found === undefined ? { outcome: 'not_found' } : { outcome: 'ok', refund: found };
}

async function createRefund(client: PaypalClient, request: RefundRequest): Promise<RefundResult> {
  const { refundId, captureId, money } = request;
  const amount = wireMoney(money);
  if (amount === undefined) return { outcome: 'rejected', code: 'CURRENCY_NOT_SUPPORTED' };
  const reply = await client.ask(({ payments }) =>
    payments.refundCapturedPayment({
      captureId,
      paypalRequestId: refundId,
      prefer: 'return=representation',
      body: { amount, customId: refundId, invoiceId: refundId },
    }),
  );
  if (reply.outcome === 'unknown') return reply;
  if (reply.outcome === 'refused') {
    // The refund id was requested before.
    return reply.issue === 'DUPLICATE_REQUEST_ID'
      ? { outcome: 'unknown', cause: reply.issue }
      : { outcome: 'rejected', code: causeOf(reply) };
  }
  const made = Refund.safeParse(reply.value);
  if (!made.success) return misshapen('refund', made.error);
  const isAsked =
    made.data.captureId === captureId &&
    made.data.custom_id === refundId &&
    isSameMoney(made.data.amount, money);
  return isAsked
    ? { outcome: 'accepted', state: made.data.state }
    : { outcome: 'unknown', cause: 'a reply about another refund' };
}

/** The refund with our refund id, if it exists; `unknown` if the list cannot be read. */
async function findRefund(
  client: PaypalClient,
  request: RefundRequest,
): Promise<RefundResult | undefined> {
  const found = await queryRefund(client, request);
  if (found.outcome === 'not_found') return undefined;
  if (found.outcome === 'unknown') return found;
  return isSameMoney(found.refund.money, request.money)
    ? { outcome: 'accepted', state: found.refund.state }
    : { outcome: 'unknown', cause: 'this refund id belongs to another amount' };
}
