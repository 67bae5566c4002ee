import { sign } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { z } from 'zod';
import { startOutsider } from '../../../../test/world.ts';
import type { AlipayOptions } from '../alipay/options.ts';
import { openAlipay } from '../alipay.ts';
import type { CreateResult, PaymentRequest, RawWebhook } from '../psp.ts';
import { givenKeys } from './keys.ts';
import { captureIn, controlOf, givenCreated, paymentRequest, refundsOf } from './payments.ts';

const appId = '2021000122671080';
const sellerId = '2088102146225135';

const keys = {
  merchant: givenKeys(),
  first: givenKeys(),
  next: givenKeys(),
  stranger: givenKeys(),
};
type Signer = keyof typeof keys;

export function givenOptions(changes: Partial<AlipayOptions> = {}): AlipayOptions {
  return {
    appId,
    sellerId,
    privateKey: keys.merchant.privateKey,
    alipayPublicKeys: [keys.first.publicKey, keys.next.publicKey],
    notifyUrl: 'http://127.0.0.1:9/webhooks/alipay',
    desktop: 'qr',
    ...changes,
  };
}

/** The running sandbox and an adapter connected to it. */
export async function startAlipayWorld() {
  const outsider = await startOutsider('alipay', {
    ALIPAY_APP_ID: appId,
    ALIPAY_SELLER_ID: sellerId,
    ALIPAY_MERCHANT_PUBLIC_KEY: keys.merchant.publicKey,
    ALIPAY_PRIVATE_KEY: keys.first.privateKey,
    ALIPAY_NEXT_PRIVATE_KEY: keys.next.privateKey,
  });
  const gateway = `${outsider.url}/gateway.do`;
  const open = (changes: Partial<AlipayOptions> = {}) =>
    openAlipay(givenOptions({ gateway, ...changes }));
  const provider = open();
  const { fault } = controlOf(outsider);

  /** Pays like a payer who opens the URL or scans the QR code. */
  async function pay(created: CreateResult, more: object = {}) {
    if (created.outcome !== 'created') throw new Error(JSON.stringify(created));
    const { action } = created;
    const what = action.kind === 'qr' ? { code: action.content } : addressIn(action);
    return captureIn(await outsider.tell('/__sandbox/pay', { ...what, ...more }));
  }

  const givenOrder = (changes: Partial<PaymentRequest> = {}, from = provider) =>
    givenCreated(from, givenRequest(changes));

  /** A paid order with its capture. */
  async function givenPayment(changes: Partial<PaymentRequest> = {}, from = provider) {
    const { request, created, payment } = await givenOrder(changes, from);
    const captureId = await pay(created);
    return { request, created, payment, captureId, refundRequest: refundsOf(payment, captureId) };
  }

  return {
    outsider,
    gateway,
    open,
    provider,
    pay,
    givenOrder,
    givenPayment,
    fault,
    records: async () => Records.parse(await outsider.ask('/__sandbox/records')),
  };
}
export type AlipayWorld = Awaited<ReturnType<typeof startAlipayWorld>>;

export function givenRequest(changes: Partial<PaymentRequest> = {}): PaymentRequest {
  return paymentRequest({
    money: { amountMinor: 64_800n, currency: 'CNY' },
    description: '6480 Lumen Shards',
    locale: 'zh-CN',
    ...changes,
  });
}

export const onPhone = { payer: { scene: 'mobile', clientIp: '127.0.0.1', openId: null } } as const;

/** The unsigned fields of a payment notification. */
export function givenNews(
  reference = givenRequest().reference,
  changes: Record<string, string | undefined> = {},
) {
  const { accountId, paymentId, attemptId } = reference;
  return {
    gmt_create: '2026-11-15 21:29:00',
    gmt_payment: '2026-11-15 21:30:00',
    charset: 'utf-8',
    version: '1.0',
    subject: '6480 Lumen Shards 100%',
    notify_id: '2026111501222000000000000000001',
    notify_type: 'trade_status_sync',
    notify_time: beijing(new Date()),
    app_id: appId,
    auth_app_id: appId,
    seller_id: sellerId,
    buyer_id: '2088000000000002',
    out_trade_no: attemptId.replaceAll('-', ''),
    trade_no: '2026111522001000000000000001',
    trade_status: 'TRADE_SUCCESS',
    total_amount: '648.00',
    receipt_amount: '648.00',
    passback_params: [accountId, paymentId, attemptId].join('.'),
    fund_bill_list: '[{"amount":"648.00","fundChannel":"ALIPAYACCOUNT"}]',
    sign_type: 'RSA2',
    ...changes,
  };
}

interface Forgery {
  signer?: Signer;
  hash?: 'sha256' | 'sha1';
  /** Changes fields after signing; `undefined` removes a field. */
  after?: Record<string, string | undefined>;
  /** Changes the whole body after signing. */
  change?: (body: string) => string;
  receivedAt?: Date;
}

/** A notification as Alipay sends it, or a forgery of it. */
export function notification(
  fields: Record<string, string | undefined>,
  forgery: Forgery = {},
): RawWebhook {
  const { signer = 'first', hash = 'sha256', change = (text: string) => text } = forgery;
  const given = withoutMissing(fields);
  const { sign_type, ...covered } = given;
  const message = Object.keys(covered)
    .sort()
    .map((name) => `${name}=${covered[name]}`)
    .join('&');
  const signature = sign(hash, Buffer.from(message), keys[signer].privateKey).toString('base64');
  const sent = withoutMissing({ ...given, sign: signature, ...forgery.after });
  return {
    body: Buffer.from(change(String(new URLSearchParams(sent)))),
    headers: {},
    receivedAt: forgery.receivedAt ?? new Date(),
  };
}

/** A server that stores notifications and answers like the shop. */
export async function startListener({ status, body }: { status: number; body: string }) {
  const received: RawWebhook[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    received.push({ body: Buffer.concat(chunks), headers: {}, receivedAt: new Date() });
    response.writeHead(status).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('no port');
  return {
    url: `http://127.0.0.1:${address.port}/webhooks/alipay`,
    received,
    stop: async () => {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
}

/** Beijing time as `2026-11-15 21:30:00`. */
export function beijing(at: Date): string {
  return new Date(at.getTime() + 8 * 3600_000).toISOString().slice(0, 19).replace('T', ' ');
}

function withoutMissing(fields: Record<string, string | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

function addressIn(action: { kind: string; url?: string }): { url: string } {
  if (action.url === undefined) throw new Error(`no URL in a ${action.kind}`);
  return { url: action.url };
}

const Records = z.object({
  sessions: z.array(z.looseObject({ out_trade_no: z.string(), state: z.string() })),
  charges: z.array(z.looseObject({ id: z.string(), outTradeNo: z.string(), amount: z.int() })),
  refunds: z.array(z.looseObject({ id: z.string(), charge: z.string(), amount: z.int() })),
  events: z.array(
    z.looseObject({
      id: z.string(),
      type: z.string(),
      data: z.object({ object: z.looseObject({}) }),
    }),
  ),
  webhookDeliveries: z.array(z.looseObject({ eventId: z.string(), outcome: z.string() })),
  requests: z.int(),
});
