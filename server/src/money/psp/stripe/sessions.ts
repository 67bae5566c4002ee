import { Currency, toSafeNumber } from '@pointgate/contract/money.ts';
import type Stripe from 'stripe';
import { z } from 'zod';
import type { CloseResult, CreateResult, PaymentRequest, PaymentTruth } from '../psp.ts';
import { failureOf } from './client.ts';
import { disputesOf } from './disputes.ts';
import { refundsOf } from './refunds.ts';
import { CaptureId, moneyOf, Reference } from './shapes.ts';

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

export async function createPayment(
  stripe: Stripe,
  request: PaymentRequest,
): Promise<CreateResult> {
  const { money, reference } = request;
  const metadata = { ...reference };
  try {
    const reply = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        // Cards only, because other methods may settle days later.
        allowed_payment_method_types: ['card'],
        client_reference_id: reference.attemptId,
        metadata,
        payment_intent_data: { metadata },
        line_items: [
          {
            quantity: 1,
            price_data: {
              currency: money.currency.toLowerCase(),
              unit_amount: toSafeNumber(money.amountMinor),
              product_data: { name: request.description },
            },
          },
        ],
        success_url: request.returnUrl,
        cancel_url: request.returnUrl,
        expires_at: Math.floor(request.expiresAt.getTime() / 1000),
        locale: stripeLocales[request.locale],
      },
      { idempotencyKey: reference.attemptId },
    );
    const session = Session.safeParse(reply);
    if (!session.success || session.data.url === null) {
      return { outcome: 'unknown', cause: 'a malformed reply instead of an open session' };
    }
    const { id: pspRef, url } = session.data;
    return { outcome: 'created', pspRef, action: { kind: 'redirect', url } };
  } catch (error) {
    const { isFinal, code, isKeyRefused } = failureOf(error);
    return isFinal
      ? { outcome: 'rejected', code, isKeyRefused }
      : { outcome: 'unknown', cause: code, isKeyRefused };
  }
}

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

const stripeLocales = {
  'en-US': 'en',
  'zh-CN': 'zh',
  'zh-HK': 'zh-HK',
  'zh-TW': 'zh-TW',
  'th-TH': 'th',
  'ko-KR': 'ko',
  'ja-JP': 'ja',
  'vi-VN': 'vi',
  'de-DE': 'de',
} as const satisfies Record<PaymentRequest['locale'], Stripe.Checkout.SessionCreateParams.Locale>;
