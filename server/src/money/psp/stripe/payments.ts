import { Currency } from '@pointgate/contract/money.ts';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { Answer, CloseResult, PaymentReference, PaymentTruth } from '../psp.ts';
import { misshapen } from '../replies.ts';
import { failureOf } from './client.ts';
import { disputesOf } from './disputes.ts';
import { CaptureId, Reference } from './ids.ts';
import { moneyOf } from './money.ts';
import { refundsOf } from './refunds.ts';

// The SDK takes any JSON without an `error` for a success, even a proxy's 404, so every reply is validated
// before use.
export const Session = z.object({
  object: z.literal('checkout.session'),
  id: z.string().startsWith('cs_'),
  url: z.url().nullable(),
  status: z.string().nullable(),
  payment_status: z.string(),
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  metadata: Reference,
  payment_intent: z
    .object({
      id: CaptureId,
      status: z.string(),
      amount_received: z.int(),
      currency: z.string(),
    })
    .or(z.string())
    .nullable(),
});

/** The state of a payment with its captures, refunds and disputes. */
export async function queryPayment(stripe: Stripe, pspRef: string): Promise<PaymentTruth> {
  const truth = await querySession(stripe, pspRef);
  if (truth.outcome !== 'ok') return truth;
  const [capture] = truth.captures;
  if (capture === undefined) return truth;

  const [refunds, disputes] = await Promise.all([
    refundsOf(stripe, capture.captureId),
    disputesOf(stripe, capture.captureId),
  ]);
  if (refunds.outcome === 'unknown') return refunds;
  if (disputes.outcome === 'unknown') return disputes;
  return { ...truth, refunds: refunds.value, disputes: disputes.value };
}

export async function closePayment(stripe: Stripe, pspRef: string): Promise<CloseResult> {
  try {
    const session = Session.safeParse(await stripe.checkout.sessions.expire(pspRef));
    return { outcome: session.success && session.data.status === 'expired' ? 'closed' : 'unknown' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.status === 404) return { outcome: 'not_found' };
    if (!failure.isFinal) return { outcome: 'unknown' };
    // Stripe expires only an open session; a query tells whether it was paid or already expired.
    const truth = await querySession(stripe, pspRef);
    if (truth.outcome !== 'ok' || truth.status === 'open') return { outcome: 'unknown' };
    return { outcome: truth.status === 'closed' ? 'closed' : 'already_paid' };
  }
}

/** The payment of a capture; one without our reference is `not_found`. */
export async function findCapture(
  stripe: Stripe,
  captureId: string,
): Promise<Answer<{ reference: PaymentReference }>> {
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

/** The session and its capture, without refunds and disputes. */
async function querySession(stripe: Stripe, pspRef: string): Promise<PaymentTruth> {
  try {
    const reply = await stripe.checkout.sessions.retrieve(pspRef, { expand: ['payment_intent'] });
    const session = Session.safeParse(reply);
    if (!session.success)
      return { outcome: 'unknown', cause: 'a malformed reply instead of a session' };
    return truthOf(session.data);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.status === 404) return { outcome: 'not_found' };
    return { outcome: 'unknown', cause: failure.code, isKeyRefused: failure.isKeyRefused };
  }
}

function truthOf(session: z.output<typeof Session>): PaymentTruth {
  const base = { outcome: 'ok', pspRef: session.id, reference: session.metadata } as const;
  const unpaid = { ...base, captures: [], refunds: [], disputes: [] };
  const intent = session.payment_intent;
  if (session.payment_status === 'paid') {
    if (intent === null || typeof intent === 'string' || intent.status !== 'succeeded') {
      return { outcome: 'unknown', cause: 'paid without a succeeded payment intent' };
    }
    const currency = Currency.safeParse(intent.currency.toUpperCase());
    if (!currency.success) return { outcome: 'unknown', cause: `currency ${intent.currency}` };
    const money = moneyOf({ amount: intent.amount_received, currency: currency.data });
    return { ...unpaid, status: 'complete', captures: [{ captureId: intent.id, money }] };
  }
  switch (session.status) {
    case 'open':
      return { ...unpaid, status: 'open' };
    case 'expired':
      return { ...unpaid, status: 'closed' };
    // A complete but unpaid session uses a delayed method: the money may still come.
    case 'complete':
      return { ...unpaid, status: 'open' };
    default:
      return { outcome: 'unknown', cause: `session status ${session.status}` };
  }
}
