import { toSafeNumber } from '@pointgate/contract/money.ts';
import type Stripe from 'stripe';
import type { CreateResult, PaymentRequest } from '../psp.ts';
import { failureOf } from './client.ts';
import { Session } from './payments.ts';

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
