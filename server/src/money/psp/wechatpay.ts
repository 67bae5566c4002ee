import type { Capabilities, PaymentProvider } from './psp.ts';
import { openClient } from './wechatpay/client.ts';
import { createPayment } from './wechatpay/create-payment.ts';
import { currencies } from './wechatpay/money.ts';
import { checkOptions, type WechatpayOptions } from './wechatpay/options.ts';
import { closePayment, findCapture, queryPayment } from './wechatpay/payments.ts';
import { queryRefund, refund } from './wechatpay/refunds.ts';
import { settlement } from './wechatpay/settlement.ts';
import { parseWebhook } from './wechatpay/webhooks.ts';

export const wechatpayCapabilities: Capabilities = {
  currencies,
  scenes: ['desktop', 'mobile', 'wechat'],
  needsOpenId: true,
  captures: 'by_itself',
  partialRefunds: true,
  disputes: false,
  // A QR code and a prepayment expire after two hours, even if the order is open longer.
  openSeconds: { min: 2 * 60, max: 2 * 3600 },
};

/** Throws on invalid options at startup instead of at the first payment. */
export function openWechatpay(options: WechatpayOptions, name = 'wechatpay'): PaymentProvider {
  checkOptions(options);
  const client = openClient(options);
  const contentType = 'application/json; charset=utf-8';
  return {
    name,
    provider: 'wechatpay',
    capabilities: wechatpayCapabilities,
    openIdApp: options.appId,
    signedHeaders: ['timestamp', 'nonce', 'serial', 'signature'].map((name) => `wechatpay-${name}`),
    webhookAnswers: {
      received: { status: 204, contentType, body: '' },
      refused: { status: 401, contentType, body: '{"code":"FAIL","message":"失败"}' },
    },
    createPayment: (request) => createPayment(client, options, request),
    queryPayment: (payment) => queryPayment(client, options, payment),
    closePayment: (payment) => closePayment(client, options, payment),
    findCapture: (captureId) => findCapture(client, options, captureId),
    refund: (request) => refund(client, options, request),
    queryRefund: (request) => queryRefund(client, request),
    settlement: (period) => settlement(client, options, period),
    parseWebhook: async (raw) => parseWebhook(options, raw),
  };
}
