import { createHash, generateKeyPairSync, randomUUID } from 'node:crypto';
import { Aes, Formatter, Rsa, Wechatpay } from 'wechatpay-axios-plugin';
import { startProgram } from './programs.ts';

export const mchid = '1900000109';
export const appid = 'wxd678efh567hg6787';
export const apiV3Keys = ['sandbox-api-v3-key-of-32-bytes-1', 'sandbox-api-v3-key-of-32-bytes-2'];
const merchantSerial = '5157F09EFDC096DE15EBE81A47057A7232F1B8E1';
export const certificateSerial = '7132D72A03E93CDDF8C03BBD1F37EEDF0000FFFF';
export const publicKeyId = 'PUB_KEY_ID_0119000001092026111500000001';

const merchant = givenKeys();
const certificate = givenKeys();
const publicKey = givenKeys();

/** The program, with the unmodified SDK connected to it. */
export async function startWechatpay(env: Record<string, string> = {}) {
  const program = await startProgram('wechatpay', {
    WECHATPAY_APP_IDS: appid,
    WECHATPAY_MCH_ID: mchid,
    WECHATPAY_MERCHANT_SERIAL: merchantSerial,
    WECHATPAY_MERCHANT_PUBLIC_KEY: merchant.publicKey,
    WECHATPAY_API_V3_KEYS: apiV3Keys.join(','),
    WECHATPAY_CERTIFICATE_SERIAL: certificateSerial,
    WECHATPAY_CERTIFICATE_PRIVATE_KEY: certificate.privateKey,
    WECHATPAY_PUBLIC_KEY_ID: publicKeyId,
    WECHATPAY_PUBLIC_KEY_PRIVATE_KEY: publicKey.privateKey.replaceAll('\n', '\\n'),
    ...env,
  });
  const sdk = (changes: Partial<SdkConfig> = {}) => sdkFor(program.url, changes);
  return { ...program, sdk: sdk(), sdkWith: sdk, records: () => recordsOf(program) };
}
export type WechatpayProgram = Awaited<ReturnType<typeof startWechatpay>>;

type SdkConfig = ConstructorParameters<typeof Wechatpay>[0];

function sdkFor(url: string, changes: Partial<SdkConfig>) {
  const wechat = new Wechatpay({
    mchid,
    serial: merchantSerial,
    privateKey: merchant.privateKey,
    certs: { [certificateSerial]: certificate.publicKey, [publicKeyId]: publicKey.publicKey },
    baseURL: `${url}/`,
    timeout: 30_000,
    headers: { 'Wechatpay-Serial': publicKeyId },
    ...changes,
  });
  /** Calls the API through the SDK; answers the body, or the HTTP status and body of an error. */
  return async (method: 'GET' | 'POST', path: string, body?: object): Promise<Answered> => {
    try {
      const [pathname = '', query] = path.slice(1).split('?', 2);
      const params = new URLSearchParams(query);
      const answer = await wechat.client.request(pathname, method, body, { params });
      const { status, data, headers } = answer;
      return { status, body: data, serial: String(headers['wechatpay-serial'] ?? '') };
    } catch (error) {
      if (!isFailure(error)) throw error;
      const { code, response } = error;
      return { status: response?.status ?? 0, body: response?.data, code: code ?? '' };
    }
  };
}

type Answered = { status: number; body: unknown; code?: string; serial?: string };

/** The parameters of an order for a pack of 6 yuan. */
export function givenOrder(changes: object = {}) {
  const [accountId, paymentId, attemptId] = [randomUUID(), randomUUID(), randomUUID()];
  return {
    appid,
    mchid,
    description: '60 gems',
    out_trade_no: attemptId.replaceAll('-', ''),
    time_expire: new Date(Date.now() + 30 * 60_000).toISOString(),
    attach: `${accountId}.${paymentId}.${attemptId}`,
    notify_url: 'http://127.0.0.1:9/webhooks/wechatpay',
    amount: { total: 600, currency: 'CNY' },
    ...changes,
  };
}

export const h5Scene = { payer_client_ip: '127.0.0.1', h5_info: { type: 'Wap' } };

function paymentIdOf({ attach }: { attach: string }): string {
  return attach.split('.')[1] ?? '';
}

/** Creates a Native order and pays it. */
export async function givenPaid(wechat: WechatpayProgram, changes: object = {}) {
  const order = givenOrder(changes);
  await wechat.sdk('POST', '/v3/pay/transactions/native', order);
  const paid = await wechat.tell(`/__sandbox/sessions/${order.out_trade_no}/pay`);
  // The sandbox is part of this project, and the test checks every field that it uses.
  const { session } = paid as { session: { payment_intent: { id: string } } };
  return {
    order,
    outTradeNo: order.out_trade_no,
    paymentId: paymentIdOf(order),
    transactionId: session.payment_intent.id,
  };
}

export function refundBody(
  outTradeNo: string,
  changes: { refund?: number; total?: number; no?: string; notifyUrl?: string } = {},
) {
  const { refund = 600, total = 600, no = randomUUID(), notifyUrl } = changes;
  return {
    out_trade_no: outTradeNo,
    out_refund_no: no,
    reason: 'other',
    ...(notifyUrl === undefined ? {} : { notify_url: notifyUrl }),
    amount: { refund, total, currency: 'CNY' },
  };
}

/** The JSAPI payment parameters, signed by the merchant. */
export function jsapiParams(prepayId: string, changes: Record<string, string> = {}) {
  const params = {
    appId: appid,
    timeStamp: String(Formatter.timestamp()),
    nonceStr: Formatter.nonce(),
    package: `prepay_id=${prepayId}`,
    signType: 'RSA',
  };
  const message = Formatter.joinedByLineFeed(
    ...[params.appId, params.timeStamp, params.nonceStr, params.package],
  );
  return { ...params, paySign: Rsa.sign(message, merchant.privateKey), ...changes };
}

/** Verifies and decrypts a notification with the SDK; throws if it is not genuine. */
export function openNotification(message: {
  body: Buffer;
  headers: Record<string, string | string[] | undefined>;
}) {
  const header = (name: string) => String(message.headers[`wechatpay-${name}`]);
  const keys: Record<string, string> = {
    [certificateSerial]: certificate.publicKey,
    [publicKeyId]: publicKey.publicKey,
  };
  const body = message.body.toString('utf8');
  const isGenuine = Rsa.verify(
    Formatter.response(header('timestamp'), header('nonce'), body),
    header('signature'),
    keys[header('serial')] ?? '',
  );
  if (!isGenuine) throw new Error('bad signature');
  const event = JSON.parse(body);
  const { ciphertext, nonce, associated_data } = event.resource;
  for (const key of apiV3Keys) {
    try {
      const plain = Aes.AesGcm.decrypt(ciphertext, key, nonce, associated_data);
      return { event, resource: JSON.parse(plain), key, serial: header('serial') };
    } catch {
      // Try the other key.
    }
  }
  throw new Error('cannot decrypt');
}

export function sha1(bytes: Buffer | string): string {
  return createHash('sha1').update(bytes).digest('hex');
}

type WechatpayRecords = {
  counts: Record<string, number>;
  sessions: { id: string; state: string; prepay_id: string; code: string | null }[];
  charges: { id: string; amount: number; currency: string; paymentId: string }[];
  refunds: { id: string; outRefundNo: string; providerStatus: string; amount: number }[];
  events: { id: string; type: string }[];
  webhookDeliveries: {
    eventId: string;
    attempt: number;
    outcome: string;
    status: number | null;
    signature: string;
    serial: string | null;
  }[];
};

async function recordsOf(program: { get(path: string): Promise<unknown> }) {
  // The sandbox is part of this project, and the test checks every field that it uses.
  return (await program.get('/__sandbox/records')) as WechatpayRecords;
}

function givenKeys() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}

function isFailure(
  error: unknown,
): error is { code?: string; response?: { status: number; data: unknown } } {
  return error instanceof Error && 'isAxiosError' in error;
}
