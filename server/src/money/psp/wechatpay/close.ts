import type { CloseResult, Payment } from '../psp.ts';
import type { Client } from './client.ts';
import type { WechatpayOptions } from './options.ts';
import { queryPayment } from './transactions.ts';

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
