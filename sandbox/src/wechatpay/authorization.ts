import type { FastifyRequest } from 'fastify';
import { bodyText } from '../platform/requests.ts';
import { isSigned } from '../platform/rsa.ts';
import { badSignature, refused } from './failure.ts';
import type { Provider } from './provider.ts';
import { lines } from './signature.ts';

const toleranceSeconds = 300;
const scheme = 'WECHATPAY2-SHA256-RSA2048 ';

/** Throws unless the request carries a recent and valid signature of the merchant. */
export function authorize({ settings }: Provider, request: FastifyRequest): void {
  const { headers } = request;
  if (headers.accept === undefined || headers['user-agent'] === undefined) {
    throw refused('PARAM_ERROR', 'Http头缺少Accept或User-Agent');
  }
  const sent = readHeader(headers.authorization);
  if (sent === undefined) {
    throw badSignature(
      'Http头Authorization值格式错误，请参考《微信支付商户REST API签名规则》',
      'format',
    );
  }
  if (sent.mchid !== settings.mchId) throw badSignature('商户号有误', 'unknown mchid');
  if (sent.serial !== settings.merchant.serial) {
    throw badSignature('商户证书序列号有误。请使用签名私钥匹配的证书序列号', 'unknown serial_no');
  }
  // Compared with the real time and not the sandbox clock, because the merchant signs with its own.
  if (Math.abs(Date.now() / 1000 - Number(sent.timestamp)) > toleranceSeconds) {
    throw badSignature(
      'Http头Authorization中的timestamp与发起请求的时间不得超过5分钟',
      'timestamp',
    );
  }
  const message = lines(request.method, request.url, sent.timestamp, sent.nonce, bodyText(request));
  const { signature } = sent;
  if (!isSigned({ message, signature, key: settings.merchant.key })) {
    throw badSignature('错误的签名，验签失败', 'sign not match');
  }
}

function readHeader(header: string | undefined) {
  if (header?.startsWith(scheme) !== true) return undefined;
  const fields = new Map<string, string>();
  for (const part of header.slice(scheme.length).split(',')) {
    const [, key, value] = /^\s*(\w+)="([^"]*)"$/.exec(part) ?? [];
    if (key === undefined || value === undefined || fields.has(key)) return undefined;
    fields.set(key, value);
  }
  const [mchid, serial, timestamp, nonce, signature] = [
    'mchid',
    'serial_no',
    'timestamp',
    'nonce_str',
    'signature',
  ].map((key) => fields.get(key) ?? '');
  if (!mchid || !serial || !signature || !/^\d{1,12}$/.test(timestamp ?? '')) return undefined;
  if (!nonce || nonce.length > 32) return undefined;
  return { mchid, serial, timestamp: timestamp ?? '', nonce, signature };
}
