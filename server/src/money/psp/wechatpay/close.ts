import type { CloseResult, Payment } from '../psp.ts';
import type { Client } from './client.ts';
import type { WechatpayOptions } from './options.ts';
import { queryPayment } from './transactions.ts';

/** Closes an order, so that nobody can pay it any more. */
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
  // It answers without a word; whatever says more is not this answer.
  if (reply.outcome === 'ok') return { outcome: reply.value === '' ? 'closed' : 'unknown' };
  // Why it would not, a query tells: because it was paid, was closed, or never was.
  const truth = await queryPayment(client, options, payment);
  if (truth.outcome !== 'ok') return { outcome: truth.outcome };
  if (truth.status === 'complete') return { outcome: 'already_paid' };
  return { outcome: truth.status === 'closed' ? 'closed' : 'unknown' };
}
