import { hash } from 'node:crypto';
import { alphabet, canonicalCode } from '../../platform/typed-codes.ts';

/**
 * How many bits these characters are worth at most. Somebody who draws digits gets less out of each
 * of them than somebody who draws letters as well.
 */
export function bitsOf(canonical: string): number {
  const kinds = /^\d*$/.test(canonical) ? 10 : /^[\dA-F]*$/.test(canonical) ? 16 : alphabet.length;
  return canonical.length * Math.log2(kinds);
}

/** What is kept of a code, and what it is found by. */
export type CodeHash = (typed: string) => Buffer;

export const hashBytes = 16;

/**
 * With a key: whoever has the table alone cannot even check a guess. It is HMAC-SHA-256. Made by
 * `createHmac`, which needs an object for each, a million of them would take half a minute.
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

/** What SHA-256 reads at a time; no key here is longer. */
const blockBytes = 64;
