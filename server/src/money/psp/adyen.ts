import { openClient } from './adyen/client.ts';
import { createPayment } from './adyen/create-payment.ts';
import { currencies } from './adyen/money.ts';
import { type AdyenOptions, checkOptions } from './adyen/options.ts';
import { cannotBeClosed, cannotBeQueried } from './adyen/payments.ts';
import { queryRefund, refund } from './adyen/refunds.ts';
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
    queryPayment: async () => cannotBeQueried,
    closePayment: async () => cannotBeClosed,
    findCapture: async () => cannotBeQueried,
    refund: (request) => refund(client, options, request),
    queryRefund: async (request) => queryRefund(request),
    settlement: (period) => settlement(options, period),
    parseWebhook: async (raw) => parseWebhook(options, raw),
  };
}
