import { createHash, randomBytes } from 'node:crypto';

/** 256 random bits, which nobody guesses: of a session, a ticket, a state, a challenge. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether a text looks like one; it may be nobody's. */
export function isSecret(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text);
}

/** What is kept of a secret. Without a key or salt: there is nothing to try. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
