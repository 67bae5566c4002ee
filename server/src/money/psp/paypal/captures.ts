import { z } from 'zod';
import type { Answer, PaymentReference } from '../psp.ts';
import { misshapen } from '../replies.ts';
import type { PaypalClient } from './client.ts';
import { causeOf } from './orders.ts';
import { Reference } from './shapes.ts';

/** The payment of a capture; one without our reference is `not_found`. */
export async function findCapture(
  client: PaypalClient,
  captureId: string,
): Promise<Answer<{ reference: PaymentReference }>> {
  const reply = await client.ask(({ payments }) => payments.getCapturedPayment({ captureId }));
  if (reply.outcome === 'refused' && reply.status === 404) return { outcome: 'not_found' };
  if (reply.outcome !== 'ok') return { outcome: 'unknown', cause: causeOf(reply) };
  const Capture = z.object({ id: z.literal(captureId), custom_id: z.string().optional() });
  const capture = Capture.safeParse(reply.value);
  if (!capture.success) return misshapen('capture', capture.error);
  const reference = Reference.safeParse(capture.data.custom_id);
  return reference.success
    ? { outcome: 'ok', reference: reference.data }
    : { outcome: 'not_found' };
}
