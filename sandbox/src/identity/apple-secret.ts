import { createPublicKey, verify } from 'node:crypto';
import { object, optional, ShapeError, text, whole } from '../platform/shape.ts';

const header = object({ alg: text, kid: text, typ: optional(text) });
const claims = object({ iss: text, sub: text, aud: text, iat: whole, exp: whole });

const monthsMaxSeconds = 15_777_000;

/**
 * Whether this is a valid client secret for Apple: a JWT signed by the team with its registered
 * key, for this client, with Apple as its audience and a lifetime of at most half a year.
 */
export function isAppleSecret(
  secret: string,
  expected: {
    clientId: string;
    teamId: string;
    keyId: string;
    publicKey: string;
    issuer: string;
    nowSeconds: number;
  },
): boolean {
  const [head = '', body = '', signature = '', ...more] = secret.split('.');
  if (more.length > 0) return false;
  try {
    const { alg, kid } = header(decoded(head), 'header');
    const { iss, sub, aud, iat, exp } = claims(decoded(body), 'claims');
    return (
      alg === 'ES256' &&
      kid === expected.keyId &&
      iss === expected.teamId &&
      sub === expected.clientId &&
      aud === expected.issuer &&
      iat <= expected.nowSeconds + 60 &&
      exp > expected.nowSeconds &&
      exp <= expected.nowSeconds + monthsMaxSeconds &&
      verify(
        'sha256',
        Buffer.from(`${head}.${body}`),
        { key: createPublicKey(expected.publicKey), dsaEncoding: 'ieee-p1363' },
        Buffer.from(signature, 'base64url'),
      )
    );
  } catch (error) {
    if (error instanceof ShapeError || error instanceof SyntaxError) return false;
    throw error;
  }
}

function decoded(part: string): unknown {
  return JSON.parse(Buffer.from(part, 'base64url').toString());
}
