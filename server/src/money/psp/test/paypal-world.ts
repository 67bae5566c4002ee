import { z } from 'zod';
import { startOutsider } from '../../../../test/world.ts';
import type { Route } from '../../../platform/outbound.ts';
import type { PaypalOptions } from '../paypal/options.ts';
import { openPaypal } from '../paypal.ts';
import type { Payment, PaymentRequest, RawWebhook } from '../psp.ts';
import { controlOf, givenCreated, paymentRequest, refundsOf } from './payments.ts';

export const webhookId = '8PT597110X687430LKGECATA';

/** The running sandbox and an adapter connected to it. */
export async function startPaypalWorld() {
  const outsider = await startOutsider('paypal', {
    PAYPAL_CLIENT_ID: 'client',
    PAYPAL_CLIENT_SECRET: 'secret',
    PAYPAL_WEBHOOK_ID: webhookId,
  });
  const { api } = Health.parse(await outsider.ask('/__sandbox/health'));
  const route: Route = { host: '127.0.0.1', port: api.port, rootCertificate: api.root };
  const open = (changes: Partial<PaypalOptions> = {}) =>
    openPaypal({
      clientId: 'client',
      clientSecret: 'secret',
      environment: 'sandbox',
      route,
      webhookIds: ['OLDER-WEBHOOK', webhookId],
      ...changes,
    });
  const provider = open();
  const { fault } = controlOf(outsider);
  const givenOrder = (changes: Partial<PaymentRequest> = {}) =>
    givenCreated(provider, givenRequest(changes));

  const approve = (pspRef: string, body: object = {}) =>
    outsider.tell(`/__sandbox/orders/${pspRef}/approve`, body);

  /** An approved and captured order. */
  async function givenCapture(changes: Partial<PaymentRequest> = {}) {
    const order = await givenOrder(changes);
    await approve(order.pspRef);
    const truth = await capture(order.payment);
    if (truth.outcome !== 'ok' || truth.captures[0] === undefined) {
      throw new Error(JSON.stringify(truth));
    }
    const { captureId } = truth.captures[0];
    return { ...order, captureId, refundRequest: refundsOf(order.payment, captureId) };
  }

  async function capture(payment: Payment) {
    if (provider.capture === undefined) throw new Error('the provider captures by itself');
    return await provider.capture(payment);
  }

  /** A webhook signed as PayPal signs, or with the given forgery. */
  async function sign(event: object | string, forgery: object = {}): Promise<RawWebhook> {
    const payload = typeof event === 'string' ? event : JSON.stringify(event);
    const headers = await outsider.tell('/__sandbox/sign', { payload, ...forgery });
    return {
      body: Buffer.from(payload),
      headers: z.record(z.string(), z.string()).parse(headers),
      receivedAt: new Date(),
    };
  }

  return {
    outsider,
    provider,
    route,
    open,
    givenOrder,
    approve,
    capture,
    givenCapture,
    sign,
    fault,
    records: async () => Records.parse(await outsider.ask('/__sandbox/records')),
  };
}
export type PaypalWorld = Awaited<ReturnType<typeof startPaypalWorld>>;

export function givenRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return paymentRequest({
    returnUrl: 'http://localhost/main/recharge/detail/1',
    expiresAt: new Date(Date.now() + 40 * 60_000),
    ...changes,
  });
}

/** Faults instead of a usable answer, in the sandbox's terms. */
export const silences = [
  ['a 500 before processing', 'http500_before', {}],
  ['a 500 after processing', 'http500_after_commit', {}],
  ['a 503 page', 'http503_before', {}],
  ['too many requests', 'http429', {}],
  ['a connection cut before processing', 'cut_before', {}],
  ['a connection cut after processing', 'cut_after_commit', {}],
  ['a JSON 404 without a PayPal error', 'json404_without_error', {}],
  ['a truncated body', 'truncated', {}],
  ['an empty body', 'empty200', {}],
  ['an empty object', 'empty_object', {}],
  ['an HTML page', 'html200', {}],
  ['an answer without an id', 'altered', { changes: { id: null } }],
  ['an answer with fields of another type', 'altered', { changes: { id: 7, status: 7 } }],
] as const;

const Health = z.object({ api: z.object({ port: z.int(), root: z.string() }) });

const Thing = z.looseObject({ id: z.string() });
const Records = z.object({
  counts: z.record(z.string(), z.int()),
  orders: z.array(Thing.extend({ status: z.string(), purchase_units: z.array(z.unknown()) })),
  charges: z.array(Thing.extend({ order: z.string(), paymentId: z.string().nullable() })),
  refunds: z.array(
    Thing.extend({
      payment_intent: z.string(),
      metadata: z.object({ refundId: z.string().optional() }),
    }),
  ),
  events: z.array(Thing.extend({ event_type: z.string() })),
  requests: z.array(z.looseObject({ method: z.string(), path: z.string() })),
  certificateReads: z.int(),
});
