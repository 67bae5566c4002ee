import { randomBytes, randomInt } from 'node:crypto';

const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ0123456789';

/** Orders, captures and refunds have ids such as `5O190127TN364715T`. */
export function newId(): string {
  return lettersOf(17);
}

export function newEventId(): string {
  return `WH-${lettersOf(17)}-${lettersOf(17)}`;
}

export function newDisputeId(): string {
  return `PP-R-${lettersOf(3)}-${randomInt(10_000_000, 99_999_999)}`;
}

export function newToken(): string {
  return `A21AA${randomBytes(36).toString('base64url')}`;
}

/** The debug id of one answer. */
export function newDebugId(): string {
  return randomBytes(7).toString('hex').slice(0, 13);
}

function lettersOf(count: number): string {
  return Array.from({ length: count }, () => letters.charAt(randomInt(letters.length))).join('');
}
