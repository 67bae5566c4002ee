import { z } from 'zod';
import type { CloseResult, Payment } from '../psp.ts';
import type { Client } from './client.ts';
import { notFoundCode, queryPayment } from './trades.ts';

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
