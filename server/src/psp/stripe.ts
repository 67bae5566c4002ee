import type { PaymentProvider } from './psp.ts';
import { findCapture } from './stripe/captures.ts';
import { openClient, type StripeOptions } from './stripe/client.ts';
import { refund } from './stripe/refunds.ts';
import { closePayment, createPayment, queryPayment } from './stripe/sessions.ts';
import { settlement } from './stripe/settlement.ts';
import { parseWebhook } from './stripe/webhooks.ts';

export function openStripe(options: StripeOptions): PaymentProvider {
  const stripe = openClient(options);
  return {
    name: 'stripe',
    openSeconds: { min: 31 * 60, max: 24 * 60 * 60 - 60 },
    createPayment: (request) => createPayment(stripe, request),
    queryPayment: (pspRef) => queryPayment(stripe, pspRef),
    closePayment: (pspRef) => closePayment(stripe, pspRef),
    findCapture: (captureId) => findCapture(stripe, captureId),
    refund: (request) => refund(stripe, request),
    settlement: (period) => settlement(stripe, options, period),
    parseWebhook: (raw) => parseWebhook(stripe, options.webhookSecrets, raw),
  };
}
