import { createCipheriv, randomBytes, randomUUID, sign } from 'node:crypto';
import { z } from 'zod';
import { startOutsider } from '../../../../test/world.ts';
import type { PaymentRequest, RawWebhook } from '../psp.ts';
import type { WechatpayOptions } from '../wechatpay/options.ts';
import { openWechatpay } from '../wechatpay.ts';
import { givenKeys } from './keys.ts';
import { captureIn, controlOf, givenCreated, paymentRequest, refundsOf } from './payments.ts';

export const appId = 'wxd678efh567hg6787';
export const mchId = '1900000109';
export const certificateSerial = '7132D72A03E93CDDF8C03BBD1F37EEDF0000FFFF';
export const publicKeyId = 'PUB_KEY_ID_0119000001092026111500000001';
export const apiV3Keys = ['api-v3-key-of-exactly-32-bytes-1', 'api-v3-key-of-exactly-32-bytes-2'];
const merchantSerial = '5157F09EFDC096DE15EBE81A47057A7232F1B8E1';

const keys = {
  merchant: givenKeys(),
  certificate: givenKeys(),
  publicKey: givenKeys(),
  stranger: givenKeys(),
};
type Signer = keyof typeof keys;

export function givenOptions(changes: Partial<WechatpayOptions> = {}): WechatpayOptions {
  return {
    appId,
    mchId,
    merchantSerial,
    merchantPrivateKey: keys.merchant.privateKey,
    platformKeys: {
      [certificateSerial]: keys.certificate.publicKey,
      [publicKeyId]: keys.publicKey.publicKey,
    },
    answerSerial: publicKeyId,
    apiV3Keys,
    notifyUrl: 'http://127.0.0.1:9/webhooks/wechatpay',
    ...changes,
  };
}

/** The running sandbox and an adapter connected to it. */
export async function startWechatpayWorld() {
  const outsider = await startOutsider('wechatpay', {
    WECHATPAY_APP_IDS: appId,
    WECHATPAY_MCH_ID: mchId,
    WECHATPAY_MERCHANT_SERIAL: merchantSerial,
    WECHATPAY_MERCHANT_PUBLIC_KEY: keys.merchant.publicKey,
    WECHATPAY_API_V3_KEYS: apiV3Keys.join(','),
    WECHATPAY_CERTIFICATE_SERIAL: certificateSerial,
    WECHATPAY_CERTIFICATE_PRIVATE_KEY: keys.certificate.privateKey,
    WECHATPAY_PUBLIC_KEY_ID: publicKeyId,
    WECHATPAY_PUBLIC_KEY_PRIVATE_KEY: keys.publicKey.privateKey,
  });
  const open = (changes: Partial<WechatpayOptions> = {}) =>
    openWechatpay(givenOptions({ apiBase: outsider.url, ...changes }));
  const provider = open();
  const { pay, fault } = controlOf(outsider);
  const givenOrder = (changes: Partial<PaymentRequest> = {}) =>
    givenCreated(provider, givenRequest(changes));

  /** A paid order with its capture. */
  async function givenPayment(changes: Partial<PaymentRequest> = {}) {
    const { request, payment } = await givenOrder(changes);
    const captureId = captureIn(await pay(payment.pspRef));
    return { request, payment, captureId, refundRequest: refundsOf(payment, captureId) };
  }

  return {
    outsider,
    open,
    provider,
    givenOrder,
    givenPayment,
    pay,
    fault,
    records: async () => Records.parse(await outsider.ask('/__sandbox/records')),
  };
}
export type WechatpayWorld = Awaited<ReturnType<typeof startWechatpayWorld>>;

export function givenRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return paymentRequest({
    money: { amountMinor: 600n, currency: 'CNY' },
    locale: 'zh-CN',
    ...changes,
  });
}

/** The decrypted content of a payment notification. */
export function givenTransaction(reference = givenRequest().reference, changes: object = {}) {
  const { accountId, paymentId, attemptId } = reference;
  return {
    mchid: mchId,
    appid: appId,
    out_trade_no: attemptId.replaceAll('-', ''),
    transaction_id: '4200000000202611150000000001',
    trade_type: 'NATIVE',
    trade_state: 'SUCCESS',
    attach: [accountId, paymentId, attemptId].join('.'),
    success_time: '2026-11-15T21:30:00+08:00',
    payer: { openid: 'oUpF8uMuAJO_M2pxb1Q9zNjWeS6o' },
    amount: { total: 600, payer_total: 600, currency: 'CNY', payer_currency: 'CNY' },
    ...changes,
  };
}

interface Forgery {
  type?: string;
  id?: string;
  /** Changes the envelope before signing. */
  envelope?: object;
  /** Changes the encrypted resource before signing. */
  resource?: object;
  apiV3Key?: string;
  signer?: Signer;
  serial?: string;
  ageSeconds?: number;
  /** `headers` and `change` apply after signing. */
  headers?: Record<string, string | undefined>;
  change?: (body: string) => string;
  /** Replaces the whole body before signing. */
  body?: string;
}

/** A notification as WeChat sends it, or a forgery of it. */
export function notification(content: object | string, forgery: Forgery = {}): RawWebhook {
  const plain = typeof content === 'string' ? content : JSON.stringify(content);
  const nonce = randomBytes(6).toString('hex');
  const key = forgery.apiV3Key ?? apiV3Keys[0] ?? '';
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from('transaction'));
  const parts = [cipher.update(plain, 'utf8'), cipher.final(), cipher.getAuthTag()];
  const envelope = {
    id: forgery.id ?? randomUUID(),
    create_time: '2026-11-15T21:30:00+08:00',
    resource_type: 'encrypt-resource',
    event_type: forgery.type ?? 'TRANSACTION.SUCCESS',
    summary: '支付成功',
    resource: {
      original_type: 'transaction',
      algorithm: 'AEAD_AES_256_GCM',
      ciphertext: Buffer.concat(parts).toString('base64'),
      associated_data: 'transaction',
      nonce,
      ...forgery.resource,
    },
    ...forgery.envelope,
  };
  const body = forgery.body ?? JSON.stringify(envelope);
  const timestamp = String(Math.floor(Date.now() / 1000) - (forgery.ageSeconds ?? 0));
  const message = `${timestamp}\n${nonce}\n${body}\n`;
  const signer = keys[forgery.signer ?? 'publicKey'].privateKey;
  const headers: Record<string, string | undefined> = {
    'wechatpay-timestamp': timestamp,
    'wechatpay-nonce': nonce,
    'wechatpay-serial': forgery.serial ?? publicKeyId,
    'wechatpay-signature': sign('sha256', Buffer.from(message), signer).toString('base64'),
    ...forgery.headers,
  };
  return {
    body: Buffer.from((forgery.change ?? ((text) => text))(body)),
    headers: Headers.parse(headers),
    receivedAt: new Date(),
  };
}

/** Drops headers that are undefined. */
const Headers = z
  .record(z.string(), z.string().optional())
  .transform((all) =>
    Object.fromEntries(
      Object.entries(all).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
    ),
  );

const Records = z.object({
  sessions: z.array(
    z.looseObject({ out_trade_no: z.string(), state: z.string(), scene: z.string() }),
  ),
  charges: z.array(z.looseObject({ id: z.string(), outTradeNo: z.string(), amount: z.int() })),
  refunds: z.array(z.looseObject({ outRefundNo: z.string(), charge: z.string(), amount: z.int() })),
  events: z.array(
    z.looseObject({
      id: z.string(),
      type: z.string(),
      data: z.object({ object: z.looseObject({}) }),
    }),
  ),
  requests: z.int(),
});
