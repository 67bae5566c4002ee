import { createHash, randomBytes } from 'node:crypto';

/** A new UUIDv7: unique, with 74 random bits, and sorted by creation time. */
export function newId(nowMs: number = Date.now()): string {
  const bytes = randomBytes(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes[6] = 0x70 | (bytes.readUInt8(6) & 0x0f);
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  return toUuid(bytes);
}

/**
 * The smallest id of a moment, as `uuid_v7_floor` in the database: a boundary between ids by time.
 * No id is older than 1970.
 */
export function firstIdAt(moment: Date): string {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(Math.max(0, moment.getTime()), 0, 6);
  bytes[6] = 0x70;
  bytes[8] = 0x80;
  return toUuid(bytes);
}

/** A deterministic id of the given parts, so that enqueueing a job twice creates one job. */
export function derivedId(...parts: (string | number)[]): string {
  const bytes = createHash('sha256').update(JSON.stringify(parts)).digest().subarray(0, 16);
  bytes[6] = 0x80 | (bytes.readUInt8(6) & 0x0f); // version 8: custom
  bytes[8] = 0x80 | (bytes.readUInt8(8) & 0x3f);
  return toUuid(bytes);
}

/** Whether the text is an id in our format; PostgreSQL throws on malformed ids. */
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
