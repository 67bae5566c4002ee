import {
  createCipheriv,
  createHash,
  createPublicKey,
  diffieHellman,
  generateKeyPairSync,
  type JsonWebKey,
  randomBytes,
  randomUUID,
} from 'node:crypto';

/**
 * A compact JWE (ECDH-ES, A256GCM) as browsers make it. Implemented from the standard instead of
 * with the shop's library, so that it verifies what the shop accepts.
 */
export function seal(
  payload: object,
  { key, path }: { key: JsonWebKey & { kid: string }; path: string },
): string {
  const own = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { kty, crv, x, y } = own.publicKey.export({ format: 'jwk' });
  const header = { alg: 'ECDH-ES', enc: 'A256GCM', kid: key.kid, epk: { kty, crv, x, y } };
  const claims = { ...payload, iat: Math.floor(Date.now() / 1000), jti: randomUUID(), aud: path };

  const secret = diffieHellman({
    privateKey: own.privateKey,
    publicKey: createPublicKey({ key, format: 'jwk' }),
  });
  const protectedHeader = Buffer.from(JSON.stringify(header)).toString('base64url');
  const vector = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', deriveKey(secret, header.enc), vector);
  cipher.setAAD(Buffer.from(protectedHeader));
  const sealed = Buffer.concat([cipher.update(JSON.stringify(claims)), cipher.final()]);
  const parts = [vector, sealed, cipher.getAuthTag()].map((part) => part.toString('base64url'));
  return [protectedHeader, '', ...parts].join('.');
}

/** The Concat KDF of RFC 7518, section 4.6.2, for one key of 256 bits and no party names. */
function deriveKey(secret: Buffer, algorithm: string): Buffer {
  const number = (value: number) => {
    const bytes = Buffer.alloc(4);
    bytes.writeUInt32BE(value);
    return bytes;
  };
  const name = Buffer.from(algorithm);
  const info = [number(name.length), name, number(0), number(0), number(256)];
  return createHash('sha256')
    .update(Buffer.concat([number(1), secret, ...info]))
    .digest();
}
