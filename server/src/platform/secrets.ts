import { createHash, randomBytes } from 'node:crypto';

/** A secret of 256 random bits, for a session, ticket, state or challenge. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** Whether the text has the form of such a secret. */
export function isSecret(text: string | undefined): text is string {
  return text !== undefined && /^[\w-]{43}$/.test(text);
}

/** The stored hash of a secret. No key or salt is needed, because the secret cannot be guessed. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest();
}
