import { createHmac, createSecretKey } from 'node:crypto';

/**
 * A keyed hash: equal for equal values, so that they can be searched, and meaningless without the
 * key.
 */
export type BlindIndex = (column: string, normalised: string) => Buffer;

/**
 * The key has 32 bytes. A plain hash would not suffice: all phone numbers can be tried in minutes.
 */
export function openBlindIndex(key: Buffer): BlindIndex {
  // Made once: a buffer would be made a key at each call, which costs more than the hash.
  const secretKey = createSecretKey(key);
  return (column, normalised) =>
    createHmac('sha256', secretKey).update(`${column}\0${normalised}`).digest();
}
