import { crc32 } from 'node:zlib';
import type { Database } from './database.ts';
import { object, text, whole } from './shape.ts';

/** Where a record is counted that names no payment; an auditor then finds a bucket too many. */
const bucketOfNone = -1;

/** The last three hex digits of a payment's id as a number, so 4096 buckets. */
export function bucketOf(paymentId: string | null): number {
  const digits = /[0-9a-f]{3}$/i.exec(paymentId ?? '')?.[0];
  return digits === undefined ? bucketOfNone : Number.parseInt(digits, 16);
}

const inPayment = /^([0-9a-f]{8})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{4})-([0-9a-f]{12})\|/i;

/**
 * The checksum of a line that begins with a payment's id. The id goes in as its sixteen bytes and
 * without the mark after it: a database makes those in a fraction of the time of its letters.
 */
export function crcOf(line: string): number {
  const [start = '', ...digits] = inPayment.exec(line) ?? [];
  return crc32(line.slice(start.length), crc32(Buffer.from(digits.join(''), 'hex')));
}

const bucketRow = object({ bucket: whole, count: whole, sum: text });

/**
 * What an auditor compares instead of a million records: for each bucket that is not empty, how
 * many records it has and the sum of their checksums. The order of records does not matter to it.
 */
export function digestOf(db: Database, table: string) {
  const buckets = db.all(
    bucketRow,
    // As text, because a sum of many checksums outgrows what a JSON number keeps exactly.
    `select bucket, count(*) as count, cast(sum(crc) as text) as sum
     from ${table} where crc is not null group by bucket order by bucket`,
  );
  return { buckets };
}
