import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { atDesk } from '../../../test/orders.ts';
import { startOutsider } from '../../../test/world.ts';
import type { Payment, PaymentRequest, RefundRequest } from '../psp.ts';
import { openStripe } from '../stripe.ts';

/** The sandbox's program and an adapter that talks to it. */
export async function startStripeWorld() {
  const outsider = await startOutsider('stripe', {
    STRIPE_SECRET_KEY: 'sk_test',
    STRIPE_WEBHOOK_SECRET: 'whsec_test',
  });
  const provider = openAt(outsider.url);

  async function givenPage(changes: Partial<PaymentRequest> = {}) {
    const request = givenRequest(changes);
    const created = await provider.createPayment(request);
    if (created.outcome !== 'created') throw new Error(JSON.stringify(created));
    return { request, pspRef: created.pspRef };
  }

  const payPage = (pspRef: string, override: object = {}) =>
    outsider.tell(`/__sandbox/sessions/${pspRef}/pay`, override);

  /** A page that was paid, and its money. */
  async function givenPayment(changes: Partial<PaymentRequest> = {}) {
    const { request, pspRef } = await givenPage(changes);
    const { session } = Paid.parse(await payPage(pspRef));
    const captureId = session.payment_intent.id;
    const { reference, money } = request;
    const payment = { pspRef, reference, money };
    const refundRequest = (asked: Partial<RefundRequest> = {}): RefundRequest => ({
      refundId: randomUUID(),
      payment,
      captureId,
      money,
      reason: 'other',
      ...asked,
    });
    return { pspRef, reference, money, captureId, refundRequest };
  }

  return {
    outsider,
    provider,
    givenPage,
    payPage,
    givenPayment,
    fault: (match: string, kind: string, more: object = {}) =>
      outsider.tell('/__sandbox/faults', { match, kind, ...more }),
    /** As somebody else with our key would: the provider's dashboard, or an older shop. */
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
  return {
    reference: { accountId: randomUUID(), paymentId: randomUUID(), attemptId: randomUUID() },
    money: { amountMinor: 499n, currency: 'USD' },
    description: '300 Lumen Shards',
    returnUrl: 'http://localhost/main/recharge/detail/1',
    expiresAt: new Date(Date.now() + 40 * 60_000),
    locale: 'en-US',
    payer: atDesk,
    ...changes,
  };
}

/** A page by its name alone, which is all that Stripe has to be told. */
export function paymentAt(pspRef: string): Payment {
  const { reference, money } = givenRequest();
  return { pspRef, reference, money };
}

/** What may come instead of an answer, as the sandbox is told to do it. */
export const silences = [
  ['a 500 before', 'http500_before', {}],
  ['a 500 after', 'http500_after_commit', {}],
  ['a cut connection', 'cut_after_commit', { times: 2 }],
  ['a 404 page in JSON', 'json404_without_error', {}],
] as const;

const Paid = z.object({ session: z.object({ payment_intent: z.object({ id: z.string() }) }) });

const Thing = z.looseObject({ id: z.string() });
const Records = z.object({
  sessions: z.array(Thing.extend({ payment_intent: z.string().nullable() })),
  refunds: z.array(Thing.extend({ payment_intent: z.string() })),
  events: z.array(Thing.extend({ type: z.string() })),
  requests: z.int(),
});
