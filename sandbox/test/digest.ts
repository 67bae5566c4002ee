import { crc32 } from 'node:zlib';

export type Digest = { buckets: { bucket: number; count: number; sum: string }[] };

/** The digest an auditor works out from its own records: one line for each, by its payment. */
export function digestOf(lines: readonly string[]): Digest {
  const buckets = new Map<number, { bucket: number; count: number; sum: bigint }>();
  for (const line of lines) {
    const [paymentId = ''] = line.split('|', 1);
    const bucket = Number(`0x${paymentId.slice(-3)}`);
    const id = Buffer.from(paymentId.replaceAll('-', ''), 'hex');
    const rest = Buffer.from(line.slice(paymentId.length + 1));
    const crc = crc32(Buffer.concat([id, rest]));
    const { count, sum } = buckets.get(bucket) ?? { count: 0, sum: 0n };
    buckets.set(bucket, { bucket, count: count + 1, sum: sum + BigInt(crc) });
  }
  return {
    buckets: [...buckets.values()]
      .sort((a, b) => a.bucket - b.bucket)
      .map((found) => ({ ...found, sum: String(found.sum) })),
  };
}
