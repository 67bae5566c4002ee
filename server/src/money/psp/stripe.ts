import type { Capabilities, PaymentProvider } from './psp.ts';
import { openClient } from './stripe/client.ts';
import { createPayment } from './stripe/create-payment.ts';
import { currencies } from './stripe/money.ts';
import type { StripeOptions } from './stripe/options.ts';
import { closePayment, findCapture, queryPayment } from './stripe/payments.ts';
import { queryRefund, refund } from './stripe/refunds.ts';
import { settlement } from './stripe/settlement.ts';
import { parseWebhook } from './stripe/webhooks.ts';

export const stripeCapabilities: Capabilities = {
  currencies,
  scenes: ['desktop', 'mobile'],
  needsOpenId: false,
  captures: 'by_itself',
  partialRefunds: true,
  disputes: true,
  openSeconds: { min: 31 * 60, max: 24 * 60 * 60 - 60 },
};

export function openStripe(options: StripeOptions, name = 'stripe'): PaymentProvider {
  const stripe = openClient(options);
  return {
    name,
    provider: 'stripe',
    capabilities: stripeCapabilities,
    signedHeaders: ['stripe-signature'],
    webhookAnswers: {
      received: { status: 200, contentType: 'application/json', body: '{"received":true}' },
      refused: { status: 400, contentType: 'application/json', body: '{"received":false}' },
    },
    createPayment: (request) => createPayment(stripe, request),
    queryPayment: ({ pspRef }) => queryPayment(stripe, pspRef),
    closePayment: ({ pspRef }) => closePayment(stripe, pspRef),
    findCapture: (captureId) => findCapture(stripe, captureId),
    refund: (request) => refund(stripe, request),
    queryRefund: (request) => queryRefund(stripe, request),
    settlement: (period) => settlement(stripe, options, period),
    parseWebhook: async (raw) => parseWebhook(stripe, options.webhookSecrets, raw),
  };
}
