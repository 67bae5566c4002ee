import { createPrivateKey, createPublicKey, type KeyObject, sign, verify } from 'node:crypto';

/** Reads PEM from an environment variable: with real line breaks or with a literal `\n`. */
export function privateKeyOf(pem: string): KeyObject {
  return createPrivateKey(pem.replaceAll('\\n', '\n'));
}

export function publicKeyOf(pem: string): KeyObject {
  return createPublicKey(pem.replaceAll('\\n', '\n'));
}

/** RSA with SHA-256, in base64. */
export function signed(message: string, key: KeyObject): string {
  return sign('sha256', Buffer.from(message), key).toString('base64');
}

export function isSigned(input: { message: string; signature: string; key: KeyObject }): boolean {
  return verify(
    'sha256',
    Buffer.from(input.message),
    input.key,
    Buffer.from(input.signature, 'base64'),
  );
}
