import { z } from 'zod';

/** The shop's ids, in the metadata of a session and of its payment intent. */
export const Reference = z.object({
  accountId: z.uuid(),
  paymentId: z.uuid(),
  attemptId: z.uuid(),
});

/** A capture is Stripe's payment intent: a paid session has exactly one. */
export const CaptureId = z.string().startsWith('pi_');
