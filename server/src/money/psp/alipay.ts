import { openClient } from './alipay/client.ts';
import { closePayment } from './alipay/close.ts';
import { createPayment } from './alipay/create.ts';
import { type AlipayOptions, checkOptions } from './alipay/options.ts';
import { queryRefund, refund } from './alipay/refunds.ts';
import { settlement } from './alipay/settlement.ts';
import { findCapture, queryPayment } from './alipay/trades.ts';
import { openVerifiers, parseWebhook } from './alipay/webhooks.ts';
import type { Capabilities, PaymentProvider } from './psp.ts';

export const alipayCapabilities: Capabilities = {
  currencies: { CNY: { decimals: 2, minMinor: 1n, maxMinor: 10_000_000_000n } },
  // WeChat opens no page of Alipay, so not inside it.
  scenes: ['desktop', 'mobile'],
  needsOpenId: false,
  captures: 'by_itself',
  partialRefunds: true,
  // Payers complain to Alipay, which asks the shop to refund; nobody takes money back over our head.
  disputes: false,
  // A code is good for two hours, however long the order may be.
  openSeconds: { min: 2 * 60, max: 2 * 3600 },
};

/** Throws where the options cannot be right, before anybody pays. */
export function openAlipay(options: AlipayOptions, name = 'alipay'): PaymentProvider {
  checkOptions(options);
  const client = openClient(options);
  const verifiers = openVerifiers(options);
  const contentType = 'text/plain; charset=utf-8';
  return {
    name,
    provider: 'alipay',
    capabilities: alipayCapabilities,
    // A notification is judged by its form alone.
    signedHeaders: [],
    webhookAnswers: {
      // This word and nothing else ends the repetitions.
      received: { status: 200, contentType, body: 'success' },
      refused: { status: 400, contentType, body: 'fail' },
    },
    createPayment: (request) => createPayment(client, options, request),
    queryPayment: (payment) => queryPayment(client, payment),
    closePayment: (payment) => closePayment(client, payment),
    findCapture: (captureId) => findCapture(client, captureId),
    refund: (request) => refund(client, request),
    queryRefund: (request) => queryRefund(client, request),
    settlement: (period) => settlement(client, options, period),
    parseWebhook: async (raw) => parseWebhook(options, verifiers, raw),
  };
}
