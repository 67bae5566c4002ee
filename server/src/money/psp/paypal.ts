import { openKeys } from './paypal/certificates.ts';
import { openClient } from './paypal/client.ts';
import { createPayment } from './paypal/create-payment.ts';
import { currencies } from './paypal/money.ts';
import type { PaypalOptions } from './paypal/options.ts';
import { capture, closePayment, findCapture, queryPayment } from './paypal/payments.ts';
import { queryRefund, refund } from './paypal/refunds.ts';
import { settlement } from './paypal/settlement.ts';
import { signedHeaders } from './paypal/signature.ts';
import { parseWebhook } from './paypal/webhooks.ts';
import type { Capabilities, PaymentProvider } from './psp.ts';

export const paypalCapabilities: Capabilities = {
  currencies,
  scenes: ['desktop', 'mobile'],
  needsOpenId: false,
  captures: 'by_us',
  partialRefunds: true,
  disputes: true,
  // PayPal deletes an unapproved order after three hours.
  openSeconds: { min: 60, max: 3 * 3600 - 60 },
};

export function openPaypal(options: PaypalOptions, name = 'paypal'): PaymentProvider {
  const client = openClient(options);
  const findKey = openKeys(options);
  return {
    name,
    provider: 'paypal',
    capabilities: paypalCapabilities,
    signedHeaders,
    webhookAnswers: {
      received: { status: 200, contentType: 'application/json', body: '{"received":true}' },
      refused: { status: 400, contentType: 'application/json', body: '{"received":false}' },
    },
    createPayment: (request) => createPayment(client, request),
    queryPayment: ({ pspRef }) => queryPayment(client, pspRef),
    capture: (payment) => capture(client, payment),
    closePayment: ({ pspRef }) => closePayment(client, pspRef),
    findCapture: (captureId) => findCapture(client, captureId),
    refund: (request) => refund(client, request),
    queryRefund: (request) => queryRefund(client, request),
    settlement: (period) => settlement(client, period),
    parseWebhook: (raw) => parseWebhook(options, findKey, raw),
  };
}
