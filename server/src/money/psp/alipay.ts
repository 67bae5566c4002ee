import { openClient } from './alipay/client.ts';
import { createPayment } from './alipay/create-payment.ts';
import { currencies } from './alipay/money.ts';
import { type AlipayOptions, checkOptions } from './alipay/options.ts';
import { closePayment, findCapture, queryPayment } from './alipay/payments.ts';
import { queryRefund, refund } from './alipay/refunds.ts';
import { sdksOf } from './alipay/sdk.ts';
import { settlement } from './alipay/settlement.ts';
import { parseWebhook } from './alipay/webhooks.ts';
import type { Capabilities, PaymentProvider } from './psp.ts';

export const alipayCapabilities: Capabilities = {
  currencies,
  // WeChat's browser blocks Alipay's pages.
  scenes: ['desktop', 'mobile'],
  needsOpenId: false,
  captures: 'by_itself',
  partialRefunds: true,
  // A complaint to Alipay only asks the shop to refund; there are no chargebacks.
  disputes: false,
  // A QR code expires after two hours, even if the order is open longer.
  openSeconds: { min: 2 * 60, max: 2 * 3600 },
};

/** Throws on invalid options at startup instead of at the first payment. */
export function openAlipay(options: AlipayOptions, name = 'alipay'): PaymentProvider {
  checkOptions(options);
  const client = openClient(options);
  const verifiers = sdksOf(options);
  const contentType = 'text/plain; charset=utf-8';
  return {
    name,
    provider: 'alipay',
    capabilities: alipayCapabilities,
    // The signature is a form field; no header is signed.
    signedHeaders: [],
    webhookAnswers: {
      // Alipay repeats a notification until the answer is exactly this word.
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
