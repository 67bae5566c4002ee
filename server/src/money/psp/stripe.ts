import type { Capabilities, PaymentProvider } from './psp.ts';
import { findCapture } from './stripe/captures.ts';
import { openClient, type StripeOptions } from './stripe/client.ts';
import { queryRefund, refund } from './stripe/refunds.ts';
import { closePayment, createPayment, queryPayment } from './stripe/sessions.ts';
import { settlement } from './stripe/settlement.ts';
import { parseWebhook } from './stripe/webhooks.ts';

/**
 * Stripe uses the same minor units as the shop. The minimums apply to an account that is paid out in the
 * charged currency. Otherwise the minimum applies after conversion, which only Stripe can check.
 */
export const stripeCapabilities: Capabilities = {
  currencies: {
    USD: { decimals: 2, minMinor: 50n },
    EUR: { decimals: 2, minMinor: 50n },
    HKD: { decimals: 2, minMinor: 400n },
    TWD: { decimals: 2 },
    THB: { decimals: 2, minMinor: 1_000n },
    CNY: { decimals: 2 },
    KRW: { decimals: 0 },
    JPY: { decimals: 0, minMinor: 50n },
    VND: { decimals: 0 },
  },
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
