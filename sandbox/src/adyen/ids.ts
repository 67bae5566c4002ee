import { randomBytes, randomInt } from 'node:crypto';

const letters = 'BCDFGHJKLMNPQRSTVWXZ0123456789';

/** A PSP reference: sixteen letters and digits, for payments and their modifications. */
export function newPspReference(): string {
  return Array.from({ length: 16 }, () => letters.charAt(randomInt(letters.length))).join('');
}

export function newSessionId(): string {
  return `CS${randomBytes(16).toString('hex').toUpperCase()}`;
}

/** The session result, which the browser brings back and the shop uses to query the outcome. */
export function newSessionResult(): string {
  return randomBytes(48).toString('base64url');
}
