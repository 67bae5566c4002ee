import { generateKeyPairSync } from 'node:crypto';

/** A key pair like those that providers and merchants exchange. */
export function givenKeys() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
