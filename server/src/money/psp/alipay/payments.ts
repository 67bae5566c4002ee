import { z } from 'zod';
import type { Answer, CloseResult, Payment, PaymentReference, PaymentTruth } from '../psp.ts';
import { joinedReference, orderNumberOf, referenceOfOrder } from '../references.ts';
import { misshapen } from '../replies.ts';
import { type Client, isKeyRefusal } from './client.ts';
import { TradeNo } from './ids.ts';
import { moneyOf } from './money.ts';

const Trade = z.object({
  out_trade_no: z.string(),
  trade_no: TradeNo,
  trade_status: z.string(),
  total_amount: z.string(),
  passback_params: z.string().optional(),
  /** Present only if the trade was paid. */
  send_pay_date: z.string().min(1).optional(),
  // Absent for CNY; another currency was never requested.
  trans_currency: z.literal('CNY').optional(),
  settle_currency: z.literal('CNY').optional(),
});
type Trade = z.output<typeof Trade>;

export const notFoundCode = 'ACQ.TRADE_NOT_EXIST';

/**
 * Queries a payment. Before the payer opens Alipay's page there is no trade, so `not_found` is normal: the
 * signed URL can still be opened until it expires.
 */
export async function queryPayment(client: Client, payment: Payment): Promise<PaymentTruth> {
  const found = await findTrade(client, { out_trade_no: payment.pspRef });
  if (found.outcome !== 'ok') return found;
  const { trade } = found;
  if (trade.out_trade_no !== payment.pspRef) {
    return { outcome: 'unknown', cause: 'a reply about another order' };
  }
  return truthOf(trade, payment.reference);
}

/** The payment of a capture; one without our reference is `not_found`. */
export async function findCapture(
  client: Client,
  captureId: string,
): Promise<Answer<{ reference: PaymentReference }>> {
  if (!TradeNo.safeParse(captureId).success) return { outcome: 'not_found' };
  const found = await findTrade(client, { trade_no: captureId });
  if (found.outcome !== 'ok') return found;
  if (found.trade.trade_no !== captureId) {
    return { outcome: 'unknown', cause: 'a reply about another payment' };
  }
  const reference = referenceOfOrder({
    returned: found.trade.passback_params,
    orderNumber: found.trade.out_trade_no,
  });
  return reference === undefined ? { outcome: 'not_found' } : { outcome: 'ok', reference };
}

/**
 * Closes a trade, so that it can no longer be paid. Before the payer opens the page there is no trade to
 * close: the signed URL stays valid until its own expiry time.
 */
export async function closePayment(client: Client, payment: Payment): Promise<CloseResult> {
  const reply = await client.ask('alipay.trade.close', { out_trade_no: payment.pspRef });
  if (reply.outcome === 'unknown') return { outcome: 'unknown' };
  if (reply.outcome === 'ok') {
    const closed = z.object({ out_trade_no: z.literal(payment.pspRef) }).safeParse(reply.value);
    return { outcome: closed.success ? 'closed' : 'unknown' };
  }
  if (reply.code === notFoundCode) return { outcome: 'not_found' };
  // A query tells why the close was refused: the trade was paid, or was already closed.
  const truth = await queryPayment(client, payment);
  if (truth.outcome !== 'ok') return { outcome: truth.outcome };
  if (truth.status === 'complete') return { outcome: 'already_paid' };
  return { outcome: truth.status === 'closed' ? 'closed' : 'unknown' };
}

async function findTrade(client: Client, which: object): Promise<Answer<{ trade: Trade }>> {
  const reply = await client.ask('alipay.trade.query', which);
  if (reply.outcome === 'unknown') return reply;
  if (reply.outcome === 'refused') {
    return reply.code === notFoundCode
      ? { outcome: 'not_found' }
      : { outcome: 'unknown', cause: reply.code, isKeyRefused: isKeyRefusal(reply.code) };
  }
  const trade = Trade.safeParse(reply.value);
  return trade.success ? { outcome: 'ok', trade: trade.data } : misshapen('trade', trade.error);
}

function truthOf(trade: Trade, reference: PaymentReference): PaymentTruth {
  // Some answers omit the passback parameters; the order number is enough.
  const isOurs =
    trade.passback_params === undefined
      ? trade.out_trade_no === orderNumberOf(reference)
      : trade.passback_params === joinedReference(reference);
  if (!isOurs) return { outcome: 'unknown', cause: 'a reply with another reference' };
  const status = statusOf(trade);
  if (status === undefined) {
    return { outcome: 'unknown', cause: `trade status ${trade.trade_status}` };
  }
  const pspRef = trade.out_trade_no;
  const base = { outcome: 'ok', pspRef, reference, status } as const;
  if (status !== 'complete') return { ...base, captures: [], refunds: [], disputes: [] };
  const money = moneyOf(trade.total_amount);
  if (money === undefined) {
    return { outcome: 'unknown', cause: 'paid without a readable amount' };
  }
  const captures = [{ captureId: trade.trade_no, money }];
  return { ...base, captures, refunds: [], disputes: [] };
}

/** A closed trade was either never paid, or paid and fully refunded. */
function statusOf(trade: Trade): 'open' | 'complete' | 'closed' | undefined {
  switch (trade.trade_status) {
    case 'WAIT_BUYER_PAY':
      return 'open';
    case 'TRADE_SUCCESS':
    case 'TRADE_FINISHED':
      return 'complete';
    case 'TRADE_CLOSED':
      return trade.send_pay_date === undefined ? 'closed' : 'complete';
    default:
      return undefined;
  }
}
