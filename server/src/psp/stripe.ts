import type { Capabilities, PaymentProvider } from './psp.ts';
import { findCapture } from './stripe/captures.ts';
import { openClient, type StripeOptions } from './stripe/client.ts';
import { queryRefund, refund } from './stripe/refunds.ts';
import { closePayment, createPayment, queryPayment } from './stripe/sessions.ts';
import { settlement } from './stripe/settlement.ts';
import { parseWebhook } from './stripe/webhooks.ts';

/** Stripe counts in the smallest units that we count in. */
export const stripeCapabilities: Capabilities = {
  currencies: {
    USD: { decimals: 2 },
    EUR: { decimals: 2 },
    HKD: { decimals: 2 },
    TWD: { decimals: 2 },
    THB: { decimals: 2 },
    CNY: { decimals: 2 },
    KRW: { decimals: 0 },
    JPY: { decimals: 0 },
    VND: { decimals: 0 },
  },
  scenes: ['desktop', 'mobile'],
  needsOpenId: false,
  captures: 'by_itself',
  partialRefunds: true,
  disputes: true,
  openSeconds: { min: 31 * 60, max: 24 * 60 * 60 - 60 },
};

export function openStripe(options: StripeOptions): PaymentProvider {
  const stripe = openClient(options);
  return {
    name: 'stripe',
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
