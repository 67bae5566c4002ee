import type Stripe from 'stripe';
import type { RawWebhook } from '../psp.ts';

const toleranceSeconds = 300;

/** Verifies the signature and the age of a webhook. */
export function judgeSignature(
  stripe: Stripe,
  secrets: readonly string[],
  { body, headers, receivedAt }: RawWebhook,
): 'genuine' | 'bad_signature' | 'stale' {
  const signature = headers['stripe-signature'] ?? '';
  const isGenuine = secrets.some((secret) => {
    try {
      stripe.webhooks.constructEvent(body, signature, secret, toleranceSeconds);
      return true;
    } catch {
      return false;
    }
  });
  if (!isGenuine) return 'bad_signature';
  // The SDK refuses old signatures but takes ones from the future.
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]);
  return signedAt <= receivedAt.getTime() / 1000 + toleranceSeconds ? 'genuine' : 'stale';
}
