import { verify } from 'node:crypto';
import { Formatter } from 'wechatpay-axios-plugin';
import type { WechatpayOptions } from './options.ts';

const toleranceSeconds = 300;

/** A message of WeChat as it was received. */
export interface Said {
  headers: Readonly<Record<string, string>>;
  body: Uint8Array;
  at: Date;
}

/**
 * Verifies the signature and the age of a message. WeChat also sends wrong signatures on purpose, to test
 * whether they are checked; these are marked as probes.
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
  // Over the received bytes, because decoding to text could change them.
  if (!verify('sha256', message, key, Buffer.from(signature, 'base64'))) return 'bad_signature';
  const age = at.getTime() / 1000 - Number(timestamp);
  return Math.abs(age) <= toleranceSeconds ? 'genuine' : 'stale';
}
