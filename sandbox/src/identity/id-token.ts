import { createHash, type KeyObject, sign } from 'node:crypto';
import { isRecord } from '../platform/shape.ts';
import type { FaultKind } from './world.ts';

export const tokenFaults = [
  'bad_signature',
  'wrong_nonce',
  'wrong_audience',
  'wrong_issuer',
  'expired',
] as const satisfies FaultKind[];
type TokenFault = (typeof tokenFaults)[number];

/** The id token with one claim wrong; its signature is valid except under the first fault. */
export function spoiled(idToken: string, fault: FaultKind, key: KeyObject): string {
  const [head = '', body = '', signature = ''] = idToken.split('.');
  const claims: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
  if (!isRecord(claims)) throw new Error('The id token has no claims.');
  if (fault === 'bad_signature') {
    const other = createHash('sha512').update(signature).digest();
    const wrong = Buffer.concat([other, other, other, other]).toString('base64url');
    return `${head}.${body}.${wrong}`;
  }
  const changed = { ...claims, ...changes(claims)[fault as TokenFault] }; // as: only token faults get here
  const signed = `${head}.${Buffer.from(JSON.stringify(changed)).toString('base64url')}`;
  return `${signed}.${sign('sha256', Buffer.from(signed), key).toString('base64url')}`;
}

function changes(claims: Record<string, unknown>): Record<TokenFault, object> {
  const hourAgo = Math.floor(Date.now() / 1000) - 3_600;
  return {
    bad_signature: claims,
    wrong_nonce: { nonce: 'a-nonce-of-somebody-else' },
    wrong_audience: { aud: 'an-app-of-somebody-else' },
    wrong_issuer: { iss: 'https://issuer.example' },
    expired: { iat: hourAgo, exp: hourAgo + 60 },
  };
}
