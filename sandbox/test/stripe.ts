import Stripe from 'stripe';
import { type Program, startProgram } from './programs.ts';

export const secretKey = 'sk_test_sandbox_key';
export const webhookSecret = 'whsec_sandbox_secret';

export type StripeRecords = {
  counts: Record<string, number>;
  sessions: Stripe.Checkout.Session[];
  charges: Stripe.Charge[];
  refunds: Stripe.Refund[];
  disputes: Stripe.Dispute[];
  events: Stripe.Event[];
  webhookDeliveries: {
    eventId: string;
    type: string;
    copy: number;
    attempt: number;
    outcome: string;
    status: number | null;
    signature: string;
    at: string;
  }[];
  idempotencyKeys: { key: string; status: number }[];
  requests: number;
};

/** The program, with the unmodified SDK connected to it. */
export async function startStripe(env: Record<string, string> = {}) {
  const program = await startProgram('stripe', {
    STRIPE_SECRET_KEY: secretKey,
    STRIPE_WEBHOOK_SECRET: webhookSecret,
    ...env,
  });
  return {
    ...program,
    sdk: sdkFor(program, secretKey),
    sdkWithKey: (key: string) => sdkFor(program, key),
    records: async (): Promise<StripeRecords> => {
      const records = await program.get('/__sandbox/records');
      if (!isRecords(records)) throw new Error('the answer has no records');
      return records;
    },
  };
}

export type StripeProgram = Awaited<ReturnType<typeof startStripe>>;

export type SessionParams = Stripe.Checkout.SessionCreateParams;

/** The parameters of an order for a pack of 4.99 dollars. */
export function givenSessionParams(changes: Partial<SessionParams> = {}): SessionParams {
  const paymentId = crypto.randomUUID();
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: { currency: 'usd', unit_amount: 499, product_data: { name: '60 gems' } },
      },
    ],
    client_reference_id: paymentId,
    metadata: { paymentId },
    payment_intent_data: { metadata: { paymentId } },
    success_url: 'http://127.0.0.1:9/return?session={CHECKOUT_SESSION_ID}',
    cancel_url: 'http://127.0.0.1:9/cancelled',
    expires_at: Math.floor(Date.now() / 1000) + 30 * 60,
    ...changes,
  };
}

export async function givenSession(stripe: StripeProgram, changes: Partial<SessionParams> = {}) {
  return await stripe.sdk.checkout.sessions.create(givenSessionParams(changes));
}

export async function givenPaidSession(
  stripe: StripeProgram,
  changes: Partial<SessionParams> = {},
): Promise<{ sessionId: string; intentId: string }> {
  const { id } = await givenSession(stripe, changes);
  await stripe.tell(`/__sandbox/sessions/${id}/pay`);
  const session = await stripe.sdk.checkout.sessions.retrieve(id);
  if (typeof session.payment_intent !== 'string') throw new Error('the session was not paid');
  return { sessionId: id, intentId: session.payment_intent };
}

/** Opens a dispute of a payment, or moves one to another stage; answers it as the SDK would. */
export async function tellDispute(
  stripe: StripeProgram,
  path: '' | `/${string}`,
  body: object,
): Promise<Stripe.Dispute> {
  const answer = await stripe.tell(`/__sandbox/disputes${path}`, body);
  if (!isObject(answer, 'dispute')) throw new Error('the answer is not a dispute');
  return answer;
}

/** The events whose object has this id or refers to it, oldest first. */
export async function eventsAbout(stripe: StripeProgram, id: string): Promise<Stripe.Event[]> {
  const { events } = await stripe.records();
  return events.filter(({ data }) => JSON.stringify(data.object).includes(id)).reverse();
}

/** Submits a form of the payment page, as a browser without scripts does. */
export async function press(stripe: StripeProgram, sessionId: string, button: string) {
  return await fetch(`${stripe.url}/c/pay/${sessionId}/${button}`, {
    method: 'POST',
    redirect: 'manual',
  });
}

function sdkFor(program: Program, key: string): Stripe {
  return new Stripe(key, {
    host: '127.0.0.1',
    port: Number(new URL(program.url).port),
    protocol: 'http',
    telemetry: false,
    maxNetworkRetries: 0,
    timeout: 30_000,
  });
}

function isObject(value: unknown, kind: 'dispute'): value is Stripe.Dispute {
  return typeof value === 'object' && value !== null && 'object' in value && value.object === kind;
}

function isRecords(value: unknown): value is StripeRecords {
  return typeof value === 'object' && value !== null && 'webhookDeliveries' in value;
}
