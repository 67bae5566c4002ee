import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import type { Outsider } from '../../../../test/world.ts';
import type { Payment, PaymentProvider, PaymentRequest, RefundRequest } from '../psp.ts';

/** What a shop asks any provider for; each world says what is usual there. */
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

/** A payment that was made at the provider, or there is no test. */
export async function givenCreated(provider: PaymentProvider, request: PaymentRequest) {
  const created = await provider.createPayment(request);
  if (created.outcome !== 'created') throw new Error(JSON.stringify(created));
  const { reference, money } = request;
  const { pspRef, action } = created;
  const payment: Payment = { pspRef, reference, money };
  return { request, created, payment, pspRef, action };
}

/** Asks for all of a capture back, unless a test says otherwise. */
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

/** The money in what the sandbox says of a payment it took. */
export function captureIn(answer: unknown): string {
  return Paid.parse(answer).session.payment_intent.id;
}

/** What can be told to every provider of the sandbox. */
export function controlOf(outsider: Outsider) {
  return {
    pay: (pspRef: string, override: object = {}) =>
      outsider.tell(`/__sandbox/sessions/${pspRef}/pay`, override),
    fault: (match: string, kind: string, more: object = {}) =>
      outsider.tell('/__sandbox/faults', { match, kind, ...more }),
  };
}
