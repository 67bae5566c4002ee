import { crc32 } from 'node:zlib';
import { z } from 'zod';
import { read } from './outside.ts';
import type { Row } from './snapshot.ts';

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

/** The same of ours: the columns of a query that is grouped by the first. */
export function pileColumns(key: string, cells: readonly string[]): string {
  const line = `concat(${cells.join(`, '|', `)})`;
  return `${pileOf(key)} as pile, count(*), sum(crc32(convert_to(${line}, 'UTF8')))`;
}

export function pilesOf(rows: readonly Row[]): Piles {
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
    const [one, other] = [theirs.get(pile), ours.get(pile)];
    return one?.count !== other?.count || one?.sum !== other?.sum;
  });
}

export function countIn(piles: Piles): number {
  return [...piles.values()].reduce((sum, { count }) => sum + count, 0);
}
