import type { Capabilities, PaymentProvider } from './psp.ts';
import { openClient } from './wechatpay/client.ts';
import { closePayment } from './wechatpay/close.ts';
import { createPayment } from './wechatpay/create.ts';
import { checkOptions, type WechatpayOptions } from './wechatpay/options.ts';
import { queryRefund, refund } from './wechatpay/refunds.ts';
import { settlement } from './wechatpay/settlement.ts';
import { findCapture, queryPayment } from './wechatpay/transactions.ts';
import { parseWebhook } from './wechatpay/webhooks.ts';

export const wechatpayCapabilities: Capabilities = {
  currencies: { CNY: { decimals: 2, minMinor: 1n } },
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
    findCapture: (captureId) => findReference(captureId),
    refund: (request) => refund(client, options, request),
    queryRefund: (request) => queryRefund(client, request),
    settlement: (period) => settlement(client, options, period),
    parseWebhook: async (raw) => parseWebhook(options, raw),
  };

  async function findReference(captureId: string): ReturnType<PaymentProvider['findCapture']> {
    const found = await findCapture(client, options, captureId);
    return found.outcome === 'ok' ? { outcome: 'ok', reference: found.reference } : found;
  }
}
