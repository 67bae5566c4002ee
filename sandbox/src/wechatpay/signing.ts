import { signed } from '../platform/rsa.ts';
import { randomText } from './ids.ts';
import { lines, type NamedKey } from './keys.ts';
import type { Provider } from './provider.ts';

/** The planned fault of a signature, if any. */
export type Forgery = 'none' | 'stranger' | 'signtest' | 'unknown_serial';

/** The four signature headers of an answer or a notification, over exactly these bytes. */
export function signatureHeaders(
  provider: Provider,
  input: { body: string; key: NamedKey; forgery?: Forgery; offsetSeconds?: number },
): Record<string, string> {
  const { body, key, forgery = 'none', offsetSeconds = 0 } = input;
  // Signed with the real time and not the sandbox clock: the merchant compares it with its own
  // clock.
  const timestamp = Math.floor(Date.now() / 1000) + offsetSeconds;
  const nonce = randomText(32);
  const signer = forgery === 'stranger' ? provider.stranger : key.key;
  const signature = signed(lines(timestamp, nonce, body), signer);
  return {
    'wechatpay-timestamp': String(timestamp),
    'wechatpay-nonce': nonce,
    'wechatpay-serial': forgery === 'unknown_serial' ? 'PUB_KEY_ID_0000000000000000' : key.serial,
    'wechatpay-signature':
      forgery === 'signtest' ? `WECHATPAY/SIGNTEST/${randomText(320)}==` : signature,
    'wechatpay-signature-type': 'WECHATPAY2-SHA256-RSA2048',
  };
}

/**
 * Selects the key: while merchants migrate from the certificate to the public key, either may sign.
 */
export function signingKey(provider: Provider, asked: 'certificate' | 'public_key'): NamedKey {
  const { certificate, publicKey } = provider.settings;
  const { signWith = asked } = provider.keyPlan;
  provider.signatures += 1;
  const isCertificate =
    signWith === 'alternate' ? provider.signatures % 2 === 1 : signWith === 'certificate';
  return isCertificate ? certificate : publicKey;
}
