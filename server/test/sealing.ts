import { generateKeyPairSync, randomUUID } from 'node:crypto';
import { CompactEncrypt, importJWK } from 'jose';
import type { SealingKey } from '../src/people/accounts/sealed-body.ts';

/** Deviations from a body that is encrypted correctly. */
export interface Forgery {
  alg?: string;
  enc?: string;
  kid?: string | null;
  /** Compresses the payload, as `DEF`. */
  zip?: 'DEF';
  /** Merged into the claims; `undefined` removes one. */
  claims?: Record<string, unknown>;
  /** A plaintext in place of JSON. */
  plaintext?: string;
}

/** Encrypts a payload for a call, with the given deviations. */
export async function sealAs(
  key: SealingKey,
  path: string,
  payload: object,
  forgery: Forgery = {},
): Promise<string> {
  const { alg = 'ECDH-ES', enc = 'A256GCM', kid = key.kid, zip, claims = {}, plaintext } = forgery;
  const { d: _private, ...publicKey } = key;
  const now = Math.floor(Date.now() / 1000);
  const whole = { ...payload, iat: now, jti: randomUUID(), aud: path, ...claims };
  return await new CompactEncrypt(Buffer.from(plaintext ?? JSON.stringify(whole)))
    .setProtectedHeader({
      alg,
      enc,
      ...(kid === null ? {} : { kid }),
      ...(zip === undefined ? {} : { zip }),
    })
    .encrypt(alg === 'dir' ? Buffer.alloc(32, 7) : await importJWK(publicKey, alg));
}

/** A body with this header and random other parts. */
export function noiseWith(header: object): string {
  const part = (text: string) => Buffer.from(text).toString('base64url');
  const noise = [part(''), part('twelve bytes'), part('noise'), part('sixteen bytes ok')];
  return [part(JSON.stringify(header)), ...noise].join('.');
}

export function newPublicPoint(): { kty: string; crv: string; x: string; y: string } {
  const { publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { kty: 'EC', crv: 'P-256', x, y };
}
