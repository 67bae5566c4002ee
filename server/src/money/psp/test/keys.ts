import { generateKeyPairSync } from 'node:crypto';

/** Keys as providers and merchants exchange them. */
export function givenKeys() {
  return generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
}
