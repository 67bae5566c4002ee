import { verify } from 'node:crypto';
import { Formatter } from 'wechatpay-axios-plugin';
import type { WechatpayOptions } from './options.ts';

const toleranceSeconds = 300;

/** What WeChat says, as it came in. */
export interface Said {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  at: Date;
}

/**
 * Whether WeChat itself said exactly this, and just now. It also says things with a wrong signature
 * on purpose, to see whether we look; those announce themselves.
 */
export function judgeSignature(
  { platformKeys }: Pick<WechatpayOptions, 'platformKeys'>,
  { headers, body, at }: Said,
): 'genuine' | 'bad_signature' | 'stale' | 'probe' {
  const header = (name: string) => headers[`wechatpay-${name}`] ?? '';
  const [timestamp, nonce, serial, signature] = [
    header('timestamp'),
    header('nonce'),
    header('serial'),
    header('signature'),
  ];
  if (signature.startsWith('WECHATPAY/SIGNTEST/')) return 'probe';
  const key = Object.hasOwn(platformKeys, serial) ? platformKeys[serial] : undefined;
  if (key === undefined) return 'bad_signature';
  const message = Buffer.concat([
    Buffer.from(Formatter.joinedByLineFeed(timestamp, nonce)),
    body,
    Buffer.from('\n'),
  ]);
  // Over the bytes as they came, which text would not keep.
  if (!verify('sha256', message, key, Buffer.from(signature, 'base64'))) return 'bad_signature';
  const age = at.getTime() / 1000 - Number(timestamp);
  return Math.abs(age) <= toleranceSeconds ? 'genuine' : 'stale';
}
