import { Currency, toSafeNumber } from '@pointgate/contract/money.ts';
import Stripe from 'stripe';
import { z } from 'zod';
import { callOut, OutboundFailure } from '../platform/outbound.ts';
import type {
  CloseResult,
  CreateResult,
  ParsedWebhook,
  PaymentProvider,
  PaymentRequest,
  PaymentTruth,
} from './psp.ts';

export interface StripeOptions {
  secretKey: string;
  /** Two while a secret is being rotated. */
  webhookSecrets: readonly string[];
  /** Another address than Stripe's own, for the sandbox. */
  apiBase?: string | undefined;
}

// The SDK tries twice, and both have to fit into the half minute a call of ours may take.
const timeoutMs = 12_000;
const signatureToleranceSeconds = 300;

// The SDK takes any JSON without an `error` for success, a proxy's 404 page included, so nothing of
// a reply is believed before it has this form.
const Session = z.object({
  object: z.literal('checkout.session'),
  id: z.string().startsWith('cs_'),
  url: z.url().nullable(),
  status: z.string().nullable(),
  payment_status: z.string(),
  amount_total: z.int().nullable(),
  currency: z.string().nullable(),
  metadata: z.object({ accountId: z.uuid(), paymentId: z.uuid(), attemptId: z.uuid() }),
  payment_intent: z
    .object({
      id: z.string().startsWith('pi_'),
      status: z.string(),
      amount_received: z.int(),
      currency: z.string(),
    })
    .or(z.string())
    .nullable(),
});

const SessionEvent = z.object({
  id: z.string().startsWith('evt_'),
  type: z.string(),
  data: z.object({ object: z.unknown() }),
});

export function openStripe(options: StripeOptions): PaymentProvider {
  const stripe = new Stripe(options.secretKey, {
    ...addressOf(options.apiBase),
    httpClient: Stripe.createFetchHttpClient(limitedFetch),
    timeout: timeoutMs,
    maxNetworkRetries: 1,
    telemetry: false,
  });
  return {
    name: 'stripe',
    openSeconds: { min: 31 * 60, max: 24 * 60 * 60 - 60 },
    createPayment: (request) => createPayment(stripe, request),
    queryPayment: (pspRef) => queryPayment(stripe, pspRef),
    closePayment: (pspRef) => closePayment(stripe, pspRef),
    parseWebhook: (raw) => parseWebhook(stripe, options.webhookSecrets, raw),
  };
}

async function createPayment(stripe: Stripe, request: PaymentRequest): Promise<CreateResult> {
  const { money, reference } = request;
  const metadata = { ...reference };
  try {
    const reply = await stripe.checkout.sessions.create(
      {
        mode: 'payment',
        // The method the player chose, and none that settles days later.
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
        locale: stripeLocale(request.locale),
      },
      { idempotencyKey: reference.attemptId },
    );
    const session = Session.safeParse(reply);
    if (!session.success || session.data.url === null) {
      return { outcome: 'unknown', cause: 'a reply that is no open session' };
    }
    return { outcome: 'created', pspRef: session.data.id, redirectUrl: session.data.url };
  } catch (error) {
    const failure = failureOf(error);
    return failure.isFinal
      ? { outcome: 'rejected', code: failure.code }
      : { outcome: 'unknown', cause: failure.code };
  }
}

async function queryPayment(stripe: Stripe, pspRef: string): Promise<PaymentTruth> {
  try {
    const reply = await stripe.checkout.sessions.retrieve(pspRef, { expand: ['payment_intent'] });
    const session = Session.safeParse(reply);
    if (!session.success) return { outcome: 'unknown', cause: 'a reply that is no session' };
    return truthOf(session.data);
  } catch (error) {
    const failure = failureOf(error);
    if (failure.status === 404) return { outcome: 'not_found' };
    return { outcome: 'unknown', cause: failure.code };
  }
}

function truthOf(session: z.output<typeof Session>): PaymentTruth {
  const base = { outcome: 'ok', pspRef: session.id, reference: session.metadata } as const;
  const intent = session.payment_intent;
  if (session.payment_status === 'paid') {
    if (intent === null || typeof intent === 'string' || intent.status !== 'succeeded') {
      return { outcome: 'unknown', cause: 'paid without a succeeded payment intent' };
    }
    const currency = Currency.safeParse(intent.currency.toUpperCase());
    if (!currency.success) return { outcome: 'unknown', cause: `currency ${intent.currency}` };
    const money = { amountMinor: BigInt(intent.amount_received), currency: currency.data };
    return { ...base, status: 'complete', captures: [{ captureId: intent.id, money }] };
  }
  switch (session.status) {
    case 'open':
      return { ...base, status: 'open', captures: [] };
    case 'expired':
      return { ...base, status: 'closed', captures: [] };
    // Complete and unpaid is a method that pays later: the money may still come.
    case 'complete':
      return { ...base, status: 'open', captures: [] };
    default:
      return { outcome: 'unknown', cause: `session status ${session.status}` };
  }
}

async function closePayment(stripe: Stripe, pspRef: string): Promise<CloseResult> {
  try {
    const session = Session.safeParse(await stripe.checkout.sessions.expire(pspRef));
    return { outcome: session.success && session.data.status === 'expired' ? 'closed' : 'unknown' };
  } catch (error) {
    const failure = failureOf(error);
    if (failure.status === 404) return { outcome: 'not_found' };
    if (!failure.isFinal) return { outcome: 'unknown' };
    // Only an open session can be expired; which of the other two it is, a query tells.
    const truth = await queryPayment(stripe, pspRef);
    if (truth.outcome !== 'ok' || truth.status === 'open') return { outcome: 'unknown' };
    return { outcome: truth.status === 'closed' ? 'closed' : 'already_paid' };
  }
}

function parseWebhook(
  stripe: Stripe,
  secrets: readonly string[],
  { body, signature }: { body: Buffer; signature: string },
): ParsedWebhook {
  const isGenuine = secrets.some((secret) => {
    try {
      stripe.webhooks.constructEvent(body, signature, secret, signatureToleranceSeconds);
      return true;
    } catch {
      return false;
    }
  });
  if (!isGenuine) return { ok: false, reason: 'bad_signature' };
  // The SDK refuses old signatures but takes ones from the future.
  const signedAt = Number(/(?:^|,)t=(\d+)/.exec(signature)?.[1]);
  if (!(signedAt <= Date.now() / 1000 + signatureToleranceSeconds)) {
    return { ok: false, reason: 'stale' };
  }
  const event = SessionEvent.safeParse(JSON.parse(body.toString('utf8')));
  if (!event.success) return { ok: false, reason: 'malformed' };
  const session = Session.safeParse(event.data.data.object);
  const subject = session.success
    ? { pspRef: session.data.id, reference: session.data.metadata }
    : null;
  return { ok: true, eventId: event.data.id, subject };
}

/** Only a refusal that Stripe itself spelled out is final; all else may have happened. */
function failureOf(error: unknown): { isFinal: boolean; code: string; status: number } {
  // Whatever stopped a request before it left is a bug of ours, not the provider's silence.
  if (error instanceof Stripe.errors.StripeConnectionError) {
    if (error.detail instanceof Error && !(error.detail instanceof OutboundFailure)) {
      throw error.detail;
    }
  }
  if (error instanceof Stripe.errors.StripeError) {
    const status = error.statusCode ?? 0;
    const isRefusal =
      error instanceof Stripe.errors.StripeInvalidRequestError ||
      error instanceof Stripe.errors.StripeAuthenticationError ||
      error instanceof Stripe.errors.StripePermissionError;
    // 409 is our own twin that is still being answered.
    const isFinal = isRefusal && status >= 400 && status < 500 && status !== 409;
    return { isFinal, code: error.code ?? error.type, status };
  }
  throw error;
}

/** The SDK's requests leave through the same door as all others, with its limits. */
const limitedFetch: typeof fetch = async (input, init) => {
  const headers = Object.fromEntries(new Headers(init?.headers));
  const body = init?.body;
  if (body !== undefined && body !== null && typeof body !== 'string') {
    throw new Error('a body that is not text');
  }
  const reply = await callOut({
    url: input instanceof Request ? input.url : String(input),
    method: z.enum(['GET', 'POST', 'DELETE']).parse(init?.method ?? 'GET'),
    headers,
    ...(typeof body === 'string' ? { body } : {}),
    timeoutMs,
  });
  return new Response(reply.body, { status: reply.status, headers: reply.headers });
};

function addressOf(apiBase: string | undefined) {
  if (apiBase === undefined) return {};
  const { protocol, hostname, port } = new URL(apiBase);
  return {
    protocol: protocol === 'http:' ? ('http' as const) : ('https' as const),
    host: hostname,
    ...(port === '' ? {} : { port: Number(port) }),
  };
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

function stripeLocale(locale: PaymentRequest['locale']) {
  return stripeLocales[locale];
}
