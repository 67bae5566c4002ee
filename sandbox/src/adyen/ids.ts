import { randomBytes, randomInt } from 'node:crypto';

const letters = 'BCDFGHJKLMNPQRSTVWXZ0123456789';

/** Sixteen letters and digits, as every payment and everything that happens to it is called. */
export function newPspReference(): string {
  return Array.from({ length: 16 }, () => letters.charAt(randomInt(letters.length))).join('');
}

export function newSessionId(): string {
  return `CS${randomBytes(16).toString('hex').toUpperCase()}`;
}

/** What the browser brings back to the shop, and with which the shop may ask how it went. */
export function newSessionResult(): string {
  return randomBytes(48).toString('base64url');
}
