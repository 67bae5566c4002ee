import { openClient } from './adyen/client.ts';
import { currencies } from './adyen/money.ts';
import { type AdyenOptions, checkOptions } from './adyen/options.ts';
import { queryRefund, refund } from './adyen/refunds.ts';
import { closePayment, createPayment } from './adyen/sessions.ts';
import { settlement } from './adyen/settlement.ts';
import { parseWebhook } from './adyen/webhooks.ts';
import type { Capabilities, PaymentProvider } from './psp.ts';

export const adyenCapabilities: Capabilities = {
  currencies,
  scenes: ['desktop', 'mobile'],
  needsOpenId: false,
  captures: 'by_itself',
  partialRefunds: true,
  disputes: true,
  openSeconds: { min: 5 * 60, max: 24 * 60 * 60 - 60 },
};

/** Adyen has no API to query a payment: it reports every change in signed webhooks. */
const cannotBeAsked = { outcome: 'unknown', cause: 'Adyen has no payment query' } as const;

/** Throws on invalid options at startup instead of at the first payment. */
export function openAdyen(options: AdyenOptions, name = 'adyen'): PaymentProvider {
  checkOptions(options);
  const client = openClient(options);
  const contentType = 'text/plain; charset=utf-8';
  return {
    name,
    provider: 'adyen',
    capabilities: adyenCapabilities,
    // Each notification item in the body has its own signature.
    signedHeaders: [],
    webhookAnswers: {
      received: { status: 200, contentType, body: '[accepted]' },
      refused: { status: 401, contentType, body: '[refused]' },
    },
    createPayment: (request) => createPayment(client, options, request),
    queryPayment: async () => cannotBeAsked,
    closePayment: async () => closePayment(),
    findCapture: async () => cannotBeAsked,
    refund: (request) => refund(client, options, request),
    queryRefund: async (request) => queryRefund(request),
    settlement: (period) => settlement(options, period),
    parseWebhook: async (raw) => parseWebhook(options, raw),
  };
}
