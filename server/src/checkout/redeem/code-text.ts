import { hash } from 'node:crypto';
import { alphabet, canonicalCode } from '../../platform/typed-codes.ts';

/**
 * The most entropy that the characters can have, in bits. A code of digits only has less per
 * character than one with letters.
 */
export function bitsOf(canonical: string): number {
  const kinds = /^\d*$/.test(canonical) ? 10 : /^[\dA-F]*$/.test(canonical) ? 16 : alphabet.length;
  return canonical.length * Math.log2(kinds);
}

/** The stored hash of a code, by which it is found. */
export type CodeHash = (typed: string) => Buffer;

export const hashBytes = 16;

/**
 * HMAC-SHA-256, keyed so that a leaked table alone cannot be used to check guesses. Written out
 * here because `createHmac`, with an object per call, would need half a minute for a million codes.
 */
export function openCodeHash(key: Buffer): CodeHash {
  const padded = Buffer.concat([key, Buffer.alloc(blockBytes)], blockBytes);
  const inner = padded.map((byte) => byte ^ 0x36);
  const outer = padded.map((byte) => byte ^ 0x5c);
  return (typed) => {
    const text = Buffer.from(`redeem code\0${canonicalCode(typed)}`);
    const within = hash('sha256', Buffer.concat([inner, text]), 'buffer');
    return hash('sha256', Buffer.concat([outer, within]), 'buffer').subarray(0, hashBytes);
  };
}

/** The block size of SHA-256; keys here are never longer. */
const blockBytes = 64;
