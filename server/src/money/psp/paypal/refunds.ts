import { refundOnce, refundTruths } from '../own-refunds.ts';
import type { Answer, RefundQuery, RefundRequest, RefundResult, RefundTruth } from '../psp.ts';
import { isOurId, isSameMoney, type Known, misshapen } from '../replies.ts';
import { causeOf, type PaypalClient } from './client.ts';
import { wireMoney } from './money.ts';
import { type Order, Refund, readOrder } from './orders.ts';

/** Every refund of an order, made by the shop or elsewhere. */
export function refundsIn(order: Order): Known<RefundTruth[]> {
  const [{ payments }] = order.purchase_units;
  const captureIds = new Set(payments.captures.map(({ id }) => id));
  if (payments.refunds.some(({ captureId }) => !captureIds.has(captureId))) {
    return { outcome: 'unknown', cause: 'a refund of another capture' };
  }
  const oldestFirst = payments.refunds
    .toSorted((left, right) => left.create_time.localeCompare(right.create_time))
    .map(({ id, custom_id, captureId, amount: money, state }) => ({
      id,
      ourId: custom_id !== undefined && isOurId(custom_id) ? custom_id : undefined,
      captureId,
      money,
      state,
    }));
  return { outcome: 'ok', value: refundTruths(oldestFirst) };
}

/** The request id alone is not enough: PayPal remembers it for 45 days only. */
export async function refund(client: PaypalClient, request: RefundRequest): Promise<RefundResult> {
  return await refundOnce(request, {
    query: (query) => queryRefund(client, query),
    create: (asked) => createRefund(client, asked),
  });
}

export async function queryRefund(
  client: PaypalClient,
  { refundId, captureId, payment }: RefundQuery,
): Promise<Answer<{ refund: RefundTruth }>> {
  const order = await readOrder(client, payment.pspRef);
  if (order.outcome !== 'ok') return order;
  const refunds = refundsIn(order.value);
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
