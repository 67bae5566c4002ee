import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { read } from './outside.ts';
import type { Row, Snapshot } from './snapshot.ts';
import type { Totals } from './totals.ts';

// A million records are not moved to be compared: both sides add up a checksum of each record, pile
// by pile, and only the records of piles that differ are looked at.

/** How many records are in a pile, and the sum of their checksums. */
interface Pile {
  count: number;
  sum: bigint;
}
export type Piles = Map<number, Pile>;

const Digest = z.object({
  buckets: z.array(z.object({ bucket: z.int(), count: z.int(), sum: z.string() })),
});

export async function readPiles(home: string, of: string): Promise<Piles> {
  const { buckets } = Digest.parse(await read(`${home}/__sandbox/digest?of=${of}`));
  return new Map(buckets.map(({ bucket, count, sum }) => [bucket, { count, sum: BigInt(sum) }]));
}

/** The pile of an order: the last twelve bits of its id, as SQL. */
export function pileOf(key: string): string {
  const byte = (index: number) => `get_byte(uuid_send(${key}), ${index})`;
  return `(${byte(15)} | ((${byte(14)} & 15) << 8))`;
}

/** Those rows of a table of ours that should be records there, and how each is written, as SQL. */
export interface Records {
  from: string;
  where: string;
  /** Where the order's id stands. */
  key: string;
  cells: readonly string[];
}

function checksumOf({ cells }: Records): string {
  const line = cells.map((cell) => `(${cell})::text`).join(` || '|' || `);
  // As it is sent to us, which is in UTF-8; convert_to would take a quarter longer.
  return `crc32(textsend(${line}))`;
}

/** All of ours as one pile: as long as that is like theirs, no other has to be made. */
export async function totalOf(totals: Totals, records: Records): Promise<Pile> {
  const { from, where } = records;
  const [count, sum] = await Promise.all([
    totals.of(from, `count(*) filter (where ${where})`),
    totals.of(from, `sum(${checksumOf(records)}) filter (where ${where})`),
  ]);
  return { count: Number(count), sum };
}

export async function readOurPiles(snapshot: Snapshot, records: Records): Promise<Piles> {
  const { from, where, key } = records;
  const rows = await snapshot.query(`
    select ${pileOf(key)} as pile, count(*), sum(${checksumOf(records)}) from ${from}
    where ${where} group by pile`);
  return pilesOf(rows);
}

function pilesOf(rows: readonly Row[]): Piles {
  return new Map(
    rows.map(([pile, count, sum = '']) => [
      Number(pile),
      { count: Number(count), sum: BigInt(sum) },
    ]),
  );
}

export function pilesOfLines(lines: readonly { paymentId: string; line: string }[]): Piles {
  const piles: Piles = new Map();
  for (const { paymentId, line } of lines) {
    const pile = pileNumber(paymentId);
    const { count, sum } = piles.get(pile) ?? { count: 0, sum: 0n };
    piles.set(pile, { count: count + 1, sum: sum + BigInt(crc32(line)) });
  }
  return piles;
}

export function pileNumber(paymentId: string): number {
  return Number.parseInt(paymentId.slice(-3), 16);
}

export function unlikePiles(theirs: Piles, ours: Piles): number[] {
  return [...new Set([...theirs.keys(), ...ours.keys()])].filter((pile) => {
    return !isSame(theirs.get(pile), ours.get(pile));
  });
}

export function isSame(one: Pile | undefined, other: Pile | undefined): boolean {
  return one?.count === other?.count && one?.sum === other?.sum;
}

export function allOf(piles: Piles): Pile {
  const all = { count: 0, sum: 0n };
  for (const { count, sum } of piles.values()) {
    all.count += count;
    all.sum += sum;
  }
  return all;
}
