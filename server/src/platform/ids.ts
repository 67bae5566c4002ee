import { createHash, randomBytes } from 'node:crypto';

/** A new UUIDv7: unique, unguessable in its last 74 bits, and in the order of time. */
export function newId(nowMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  return toUuid(bytes);
}

/**
 * The smallest id of a moment, as `uuid_v7_floor` in the database: a limit between ids by time. No id
 * is older than 1970.
 */
export function firstIdAt(moment: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, moment.getTime()), 0, 6);
  bytes[6] = 0x70;
  bytes[8] = 0x80;
  return toUuid(bytes);
}

/** The same id for the same parts, in any process: enqueueing under it twice is one job. */
export function derivedId(...parts: (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = 0x80 | (bytes.readUInt8(6) & 0x0f); // version 8: made by a rule of our own
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  return toUuid(bytes);
}

/** Whether this is an id as we write them; PostgreSQL throws on anything that is none. */
export function isId(text: string): boolean {
  return /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/.test(text);
}

function toUuid(bytes: Buffer): string {
  const hex = bytes.toString('hex');
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    hex.slice(12, 16),
    hex.slice(16, 20),
    hex.slice(20),
  ].join('-');
}
