import type { Money } from '@pointgate/contract/money.ts';
import { z } from 'zod';
import type { Answer, CloseResult, Payment, PaymentReference, PaymentTruth } from '../psp.ts';
import { joinedReference, orderNumberOf, referenceOfOrder } from '../references.ts';
import { misshapen } from '../replies.ts';
import type { Client } from './client.ts';
import { TransactionId } from './ids.ts';
import { WireMoney } from './money.ts';
import type { WechatpayOptions } from './options.ts';

type Truth = Extract<PaymentTruth, { outcome: 'ok' }>;

const states: Readonly<Record<string, Truth['status'] | undefined>> = {
  NOTPAY: 'open',
  USERPAYING: 'open',
  SUCCESS: 'complete',
  // Paid and partially or fully refunded; the refunds have the amounts.
  REFUND: 'complete',
  CLOSED: 'closed',
};

export const notFoundCodes = ['ORDER_NOT_EXIST', 'ORDERNOTEXIST', 'RESOURCE_NOT_EXISTS'];

/** WeChat's answer to an order query, for our application and merchant only. */
function transactionShape({ appId, mchId }: WechatpayOptions) {
  return z.object({
    appid: z.literal(appId),
    mchid: z.literal(mchId),
    out_trade_no: z.string().min(1),
    trade_state: z.string(),
    attach: z.string().optional(),
    transaction_id: TransactionId.optional(),
    amount: z.unknown().optional(),
  });
}
type Transaction = z.output<ReturnType<typeof transactionShape>>;

export async function queryPayment(
  client: Client,
  options: WechatpayOptions,
  payment: Payment,
): Promise<PaymentTruth> {
  const path = `v3/pay/transactions/out-trade-no/${encodeURIComponent(payment.pspRef)}`;
  const found = await findTransaction(client, options, path);
  if (found.outcome !== 'ok') return found;
  const { transaction } = found;
  if (transaction.out_trade_no !== payment.pspRef) {
    return { outcome: 'unknown', cause: 'a reply about another order' };
  }
  return truthOf(transaction, payment.reference);
}

/** Closes an order, so that it can no longer be paid. */
export async function closePayment(
  client: Client,
  options: WechatpayOptions,
  payment: Payment,
): Promise<CloseResult> {
  const reply = await client.ask({
    method: 'POST',
    path: `v3/pay/transactions/out-trade-no/${encodeURIComponent(payment.pspRef)}/close`,
    body: { mchid: options.mchId },
  });
  if (reply.outcome === 'unknown') return { outcome: 'unknown' };
  // A successful close has an empty body; any other body is not WeChat's answer.
  if (reply.outcome === 'ok') return { outcome: reply.value === '' ? 'closed' : 'unknown' };
  // A query tells why the close was refused: the order was paid, was already closed, or never existed.
  const truth = await queryPayment(client, options, payment);
  if (truth.outcome !== 'ok') return { outcome: truth.outcome };
  if (truth.status === 'complete') return { outcome: 'already_paid' };
  return { outcome: truth.status === 'closed' ? 'closed' : 'unknown' };
}

/** The payment of a capture; one without our reference is `not_found`. */
export async function findCapture(
  client: Client,
  options: WechatpayOptions,
  captureId: string,
): Promise<Answer<{ reference: PaymentReference }>> {
  const found = await findPaid(client, options, captureId);
  return found.outcome === 'ok' ? { outcome: 'ok', reference: found.reference } : found;
}

/** The paid amount of a capture. */
export async function moneyOfCapture(
  client: Client,
  options: WechatpayOptions,
  captureId: string,
): Promise<Answer<{ money: Money }>> {
  const found = await findPaid(client, options, captureId);
  if (found.outcome !== 'ok') return found;
  const money = WireMoney.safeParse(found.transaction.amount);
  return money.success
    ? { outcome: 'ok', money: money.data }
    : { outcome: 'unknown', cause: 'a payment without a readable amount' };
}

async function findPaid(
  client: Client,
  options: WechatpayOptions,
  captureId: string,
): Promise<Answer<{ reference: PaymentReference; transaction: Transaction }>> {
  if (!TransactionId.safeParse(captureId).success) return { outcome: 'not_found' };
  const path = `v3/pay/transactions/id/${captureId}`;
  const found = await findTransaction(client, options, path);
  if (found.outcome !== 'ok') return found;
  const { transaction } = found;
  if (transaction.transaction_id !== captureId) {
    return { outcome: 'unknown', cause: 'a reply about another payment' };
  }
  const reference = referenceOfOrder({
    returned: transaction.attach,
    orderNumber: transaction.out_trade_no,
  });
  return reference === undefined
    ? { outcome: 'not_found' }
    : { outcome: 'ok', reference, transaction };
}

async function findTransaction(
  client: Client,
  options: WechatpayOptions,
  path: string,
): Promise<Answer<{ transaction: Transaction }>> {
  const reply = await client.ask({ method: 'GET', path, query: { mchid: options.mchId } });
  if (reply.outcome === 'unknown') return { outcome: 'unknown', cause: reply.cause };
  if (reply.outcome === 'refused') {
    return notFoundCodes.includes(reply.code)
      ? { outcome: 'not_found' }
      : { outcome: 'unknown', cause: reply.code };
  }
  const transaction = transactionShape(options).safeParse(reply.value);
  return transaction.success
    ? { outcome: 'ok', transaction: transaction.data }
    : misshapen('transaction', transaction.error);
}

function truthOf(transaction: Transaction, reference: PaymentReference): PaymentTruth {
  // The answer about an unpaid order may omit the attachment; the order number is enough.
  const isOurs =
    transaction.attach === undefined
      ? transaction.out_trade_no === orderNumberOf(reference)
      : transaction.attach === joinedReference(reference);
  if (!isOurs) return { outcome: 'unknown', cause: 'a reply with another reference' };
  const status = states[transaction.trade_state];
  if (status === undefined) {
    return { outcome: 'unknown', cause: `trade state ${transaction.trade_state}` };
  }
  const pspRef = transaction.out_trade_no;
  const base = { outcome: 'ok', pspRef, reference, status } as const;
  if (status !== 'complete') return { ...base, captures: [], refunds: [], disputes: [] };
  const money = WireMoney.safeParse(transaction.amount);
  if (transaction.transaction_id === undefined || !money.success) {
    return { outcome: 'unknown', cause: 'paid without a readable payment' };
  }
  const captures = [{ captureId: transaction.transaction_id, money: money.data }];
  return { ...base, captures, refunds: [], disputes: [] };
}
