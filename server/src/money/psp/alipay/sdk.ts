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
