import { z } from 'zod';
import { atDesk } from '../../../../test/orders.ts';
import { startOutsider } from '../../../../test/world.ts';
import type { Payment, PaymentRequest } from '../psp.ts';
import { openStripe } from '../stripe.ts';
import { captureIn, controlOf, givenCreated, paymentRequest, refundsOf } from './payments.ts';

/** The running sandbox and an adapter connected to it. */
export async function startStripeWorld() {
  const outsider = await startOutsider('stripe', {
    STRIPE_SECRET_KEY: 'sk_test',
    STRIPE_WEBHOOK_SECRET: 'whsec_test',
  });
  const provider = openAt(outsider.url);
  const { pay: payPage, fault } = controlOf(outsider);
  const givenPage = (changes: Partial<PaymentRequest> = {}) =>
    givenCreated(provider, givenRequest(changes));

  /** A paid session with its capture. */
  async function givenPayment(changes: Partial<PaymentRequest> = {}) {
    const { payment } = await givenPage(changes);
    const captureId = captureIn(await payPage(payment.pspRef));
    return { ...payment, captureId, refundRequest: refundsOf(payment, captureId) };
  }

  return {
    outsider,
    provider,
    givenPage,
    payPage,
    givenPayment,
    fault,
    /** Calls the API directly, like the dashboard or another program with the same key. */
    post: async (path: string, form: Record<string, string>) => {
      const reply = await fetch(outsider.url + path, {
        method: 'POST',
        headers: { authorization: 'Bearer sk_test' },
        body: new URLSearchParams(form).toString(),
      });
      if (!reply.ok) throw new Error(await reply.text());
    },
    records: async () => Records.parse(await outsider.ask('/__sandbox/records')),
  };
}
export type StripeWorld = Awaited<ReturnType<typeof startStripeWorld>>;

export const openAt = (apiBase: string, secretKey = 'sk_test') =>
  openStripe({ secretKey, webhookSecrets: ['whsec_test', 'whsec_next'], apiBase });

export function givenRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return paymentRequest({
    returnUrl: 'http://localhost/main/recharge/detail/1',
    // Stripe does not accept an expiry of less than half an hour.
    expiresAt: new Date(Date.now() + 40 * 60_000),
    payer: atDesk,
    ...changes,
  });
}

/** A payment by its session id alone, which is all that Stripe needs. */
export function paymentAt(pspRef: string): Payment {
  const { reference, money } = givenRequest();
  return { pspRef, reference, money };
}

/** Faults instead of a usable answer, in the sandbox's terms. */
export const silences = [
  ['a 500 before processing', 'http500_before', {}],
  ['a 500 after processing', 'http500_after_commit', {}],
  ['a cut connection', 'cut_after_commit', { times: 2 }],
  ['a JSON 404 without a Stripe error', 'json404_without_error', {}],
] as const;

const Thing = z.looseObject({ id: z.string() });
const Records = z.object({
  sessions: z.array(Thing.extend({ payment_intent: z.string().nullable() })),
  refunds: z.array(Thing.extend({ payment_intent: z.string() })),
  events: z.array(Thing.extend({ type: z.string() })),
  requests: z.int(),
});
