import type Stripe from 'stripe';
import { z } from 'zod';
import type { PaymentProvider } from '../psp.ts';
import { misshapen } from '../replies.ts';
import { failureOf } from './client.ts';
import { Reference } from './shapes.ts';

/** The payment of a capture; one without our reference is `not_found`. */
export async function findCapture(
  stripe: Stripe,
  captureId: string,
): ReturnType<PaymentProvider['findCapture']> {
  const Intent = z.object({
    object: z.literal('payment_intent'),
    id: z.literal(captureId),
    metadata: z.record(z.string(), z.string()),
  });
  try {
    const intent = Intent.safeParse(await stripe.paymentIntents.retrieve(captureId));
    if (!intent.success) return misshapen('payment intent', intent.error);
    const reference = Reference.safeParse(intent.data.metadata);
    return reference.success
      ? { outcome: 'ok', reference: reference.data }
      : { outcome: 'not_found' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.status === 404) return { outcome: 'not_found' };
    return { outcome: 'unknown', cause: failure.code };
  }
}
