import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { AlipaySdk } from 'alipay-sdk';
import { startProgram } from './programs.ts';

export const appId = '2021000122671080';
export const sellerId = '2088102146225135';

const merchant = givenKeys();
const first = givenKeys();
const next = givenKeys();

/** The program, with the unmodified SDK connected to it. */
export async function startAlipay(env: Record<string, string> = {}) {
  const program = await startProgram('alipay', {
    ALIPAY_APP_ID: appId,
    ALIPAY_SELLER_ID: sellerId,
    ALIPAY_MERCHANT_PUBLIC_KEY: merchant.publicKey,
    ALIPAY_PRIVATE_KEY: first.privateKey,
    ALIPAY_NEXT_PRIVATE_KEY: next.privateKey.replaceAll('\n', '\\n'),
    ...env,
  });
  const sdkWith = (changes: Partial<SdkConfig> = {}) => sdkFor(program.url, changes);
  const sdk = sdkWith();
  /** Calls the gateway through the SDK, which verifies the signature of the answer. */
  const ask = (method: string, bizContent: object, from = sdk) =>
    from.exec(method, { bizContent }, { validateSign: true });
  return { ...program, sdk, sdkWith, ask, records: () => recordsOf(program) };
}
export type AlipayProgram = Awaited<ReturnType<typeof startAlipay>>;

type SdkConfig = ConstructorParameters<typeof AlipaySdk>[0];

function sdkFor(url: string, changes: Partial<SdkConfig>) {
  return new AlipaySdk({
    appId,
    keyType: 'PKCS8',
    privateKey: merchant.privateKey.trim(),
    alipayPublicKey: first.publicKey.trim(),
    gateway: `${url}/gateway.do`,
    camelcase: false,
    timeout: 30_000,
    ...changes,
  });
}

export const nextPublicKey = next.publicKey.trim();
export const strangersKey = givenKeys().privateKey.trim();

/** The parameters of an order for a pack of 6 yuan. */
export function givenOrder(changes: object = {}) {
  const [accountId, paymentId, attemptId] = [randomUUID(), randomUUID(), randomUUID()];
  const order = {
    out_trade_no: attemptId.replaceAll('-', ''),
    total_amount: '6.00',
    subject: '60 gems',
    time_expire: beijing(Date.now() + 30 * 60_000),
    passback_params: `${accountId}.${paymentId}.${attemptId}`,
    ...changes,
  };
  return order;
}

function paymentIdOf({ passback_params }: { passback_params: string }): string {
  return passback_params.split('.')[1] ?? '';
}

/** The signed URL of a payment page. */
export function pageUrl(
  { sdk }: { sdk: AlipaySdk },
  order: object,
  changes: { way?: 'page' | 'wap'; notifyUrl?: string } = {},
): string {
  const { way = 'page', notifyUrl = 'http://127.0.0.1:9/webhooks/alipay' } = changes;
  const more =
    way === 'page'
      ? { product_code: 'FAST_INSTANT_TRADE_PAY' }
      : { product_code: 'QUICK_WAP_WAY', quit_url: 'http://shop.test/left' };
  return sdk.pageExecute(`alipay.trade.${way}.pay`, 'GET', {
    notifyUrl,
    returnUrl: 'http://shop.test/back?from=pay',
    bizContent: { ...order, ...more },
  });
}

/** Creates an order and pays it. */
export async function givenPaid(
  alipay: AlipayProgram,
  changes: object = {},
  notifyUrl = 'http://127.0.0.1:9/webhooks/alipay',
) {
  const order = givenOrder(changes);
  const paid = await alipay.tell('/__sandbox/pay', { url: pageUrl(alipay, order, { notifyUrl }) });
  // The sandbox is part of this project, and the test checks every field that it uses.
  const { session } = paid as { session: { trade_no: string } };
  const { out_trade_no: outTradeNo } = order;
  return { order, outTradeNo, tradeNo: session.trade_no, paymentId: paymentIdOf(order) };
}

/** `2026-11-15 21:30:00` in Beijing. */
export function beijing(ms: number): string {
  return new Date(ms + 8 * 3600_000).toISOString().slice(0, 19).replace('T', ' ');
}

/** The form fields of a notification. */
export function fieldsIn(body: Buffer): Record<string, string> {
  return Object.fromEntries(new URLSearchParams(body.toString('utf8')));
}

type AlipayRecords = {
  counts: Record<string, number>;
  sessions: { id: string; state: string; token: string; code: string | null }[];
  charges: { id: string; amount: number; currency: string; paymentId: string }[];
  refunds: { id: string; status: string; amount: number }[];
  events: { id: string; type: string }[];
  webhookDeliveries: {
    eventId: string;
    type: string;
    attempt: number;
    outcome: string;
    status: number | null;
    signature: string;
  }[];
};

async function recordsOf(program: { get(path: string): Promise<unknown> }) {
  // The sandbox is part of this project, and the test checks every field that it uses.
  return (await program.get('/__sandbox/records')) as AlipayRecords;
}

function givenKeys() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
