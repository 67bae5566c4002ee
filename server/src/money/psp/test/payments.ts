import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Outsider } from '../../../../test/world.ts';
import type { Payment, PaymentProvider, PaymentRequest, RefundRequest } from '../psp.ts';

/** A payment request with defaults; each provider's helper sets its own. */
export function paymentRequest(changes: Partial<PaymentRequest>): PaymentRequest {
  return {
    reference: { accountId: randomUUID(), paymentId: randomUUID(), attemptId: randomUUID() },
    money: { amountMinor: 499n, currency: 'USD' },
    description: '300 Lumen Shards',
    returnUrl: 'http://localhost/main/recharge/detail/1?from=pay',
    expiresAt: new Date(Date.now() + 30 * 60_000),
    locale: 'en-US',
    payer: { scene: 'desktop', clientIp: '127.0.0.1', openId: null },
    ...changes,
  };
}

/** Creates a payment at the provider, and throws if that fails. */
export async function givenCreated(provider: PaymentProvider, request: PaymentRequest) {
  const created = await provider.createPayment(request);
  if (created.outcome !== 'created') throw new Error(JSON.stringify(created));
  const { reference, money } = request;
  const { pspRef, action } = created;
  const payment: Payment = { pspRef, reference, money };
  return { request, created, payment, pspRef, action };
}

/** Makes refund requests for a capture, by default over the whole amount. */
export function refundsOf(payment: Payment, captureId: string) {
  return (asked: Partial<RefundRequest> = {}): RefundRequest => ({
    refundId: randomUUID(),
    payment,
    captureId,
    money: payment.money,
    reason: 'other',
    ...asked,
  });
}

const Paid = z.object({ session: z.object({ payment_intent: z.object({ id: z.string() }) }) });

/** The capture id in the sandbox's answer to a payment. */
export function captureIn(answer: unknown): string {
  return Paid.parse(answer).session.payment_intent.id;
}

/** The control calls that every provider sandbox supports. */
export function controlOf(outsider: Outsider) {
  return {
    pay: (pspRef: string, override: object = {}) =>
      outsider.tell(`/__sandbox/sessions/${pspRef}/pay`, override),
    fault: (match: string, kind: string, more: object = {}) =>
      outsider.tell('/__sandbox/faults', { match, kind, ...more }),
  };
}
