import { createCipheriv, type KeyObject, randomBytes } from 'node:crypto';
import { signed } from '../platform/rsa.ts';
import { randomText } from './ids.ts';

/** A key with the id by which the other side selects it. */
export type NamedKey = { serial: string; key: KeyObject };

/** The lines that a signature covers; each ends with a line feed, including the last. */
export function lines(...parts: (string | number)[]): string {
  return parts.map((part) => `${part}\n`).join('');
}

/** The planned fault of a signature, if any. */
export type Forgery = 'none' | 'stranger' | 'signtest' | 'unknown_serial';

/** The four signature headers of an answer or a notification, over exactly these bytes. */
export function signatureHeaders(
  provider: { stranger: KeyObject },
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

interface KeyHolder {
  settings: { certificate: NamedKey; publicKey: NamedKey };
  keyPlan: { signWith?: 'certificate' | 'public_key' | 'alternate' | undefined };
  signatures: number;
}

/**
 * Selects the key: while merchants migrate from the certificate to the public key, either may sign.
 */
export function signingKey(provider: KeyHolder, asked: 'certificate' | 'public_key'): NamedKey {
  const { certificate, publicKey } = provider.settings;
  const { signWith = asked } = provider.keyPlan;
  provider.signatures += 1;
  const isCertificate =
    signWith === 'alternate' ? provider.signatures % 2 === 1 : signWith === 'certificate';
  return isCertificate ? certificate : publicKey;
}

/** The encrypted resource of a notification; the GCM tag is appended to the ciphertext. */
export function encrypted(input: { plain: string; key: string; about: string }) {
  const nonce = randomBytes(6).toString('hex');
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(input.key), Buffer.from(nonce));
  cipher.setAAD(Buffer.from(input.about));
  const ciphertext = Buffer.concat([
    cipher.update(input.plain, 'utf8'),
    cipher.final(),
    cipher.getAuthTag(),
  ]).toString('base64');
  return {
    original_type: input.about,
    algorithm: 'AEAD_AES_256_GCM',
    ciphertext,
    associated_data: input.about,
    nonce,
  };
}
