import { createPrivateKey, createPublicKey } from 'node:crypto';
import { AlipaySdk } from 'alipay-sdk';
import type { AlipayOptions } from './options.ts';

/** One SDK instance per Alipay public key, because an instance holds only one. All sign with our key. */
export function sdksOf(options: AlipayOptions): [AlipaySdk, ...AlipaySdk[]] {
  const [first, ...more] = options.alipayPublicKeys.map((alipayPublicKey) => {
    return new AlipaySdk({
      appId: options.appId,
      keyType: 'PKCS8',
      privateKey: pkcs8Of(options.privateKey),
      alipayPublicKey: spkiOf(alipayPublicKey),
      signType: 'RSA2',
      ...(options.gateway === undefined ? {} : { gateway: options.gateway }),
    });
  });
  if (first === undefined) throw new Error('Alipay: there is no key to verify with');
  return [first, ...more];
}

// The SDK strips the PEM header and footer only for the key type that it expects.
function pkcs8Of(pem: string): string {
  return createPrivateKey(pem).export({ type: 'pkcs8', format: 'pem' }).toString().trim();
}

function spkiOf(pem: string): string {
  return createPublicKey(pem).export({ type: 'spki', format: 'pem' }).toString().trim();
}

/** Beijing time as `2026-11-15 21:30:00`, the format of every time at Alipay. */
export function beijingTime(at: Date): string {
  return new Date(at.getTime() + 8 * 3600_000).toISOString().slice(0, 19).replace('T', ' ');
}

/** Parses such a time; `undefined` if it is malformed. */
export function readBeijingTime(text: string): Date | undefined {
  if (!/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(text)) return undefined;
  const at = new Date(`${text.replace(' ', 'T')}+08:00`);
  return Number.isNaN(at.getTime()) ? undefined : at;
}
