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

/** What several have of the same kind, as if one had it all. */
export async function readPilesOfAll(
  homes: readonly { url: string }[],
  of: string,
): Promise<Piles> {
  const all: Piles = new Map();
  for (const piles of await Promise.all(homes.map(({ url }) => readPiles(url, of)))) {
    for (const [pile, { count, sum }] of piles) {
      const before = all.get(pile) ?? { count: 0, sum: 0n };
      all.set(pile, { count: before.count + count, sum: before.sum + sum });
    }
  }
  return all;
}

/** The pile of an order: the last twelve bits of its id, as SQL. */
export function pileOf(key: string): string {
  const byte = (index: number) => `get_byte(uuid_send(${key}), ${index})`;
  return `(${byte(15)} | ((${byte(14)} & 15) << 8))`;
}

/** Those rows of a table of ours that should be records there. */
export interface Records {
  from: string;
  where: string;
  /** Where the order's id stands. */
  key: string;
  /** Where the checksum stands that the table itself makes of each. */
  checksum: string;
}

/** The checksums of all of ours: as long as they come to the same as theirs, no pile has to be made. */
export async function sumOfOurs(totals: Totals, records: Records): Promise<bigint> {
  return await totals.of(records.from, `sum(${records.checksum}) filter (where ${records.where})`);
}

export async function readOurPiles(snapshot: Snapshot, records: Records): Promise<Piles> {
  const { from, where, key, checksum } = records;
  const rows = await snapshot.query(`
    select ${pileOf(key)} as pile, count(*), sum(${checksum}) from ${from}
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

/** A record that is not written by PostgreSQL. */
export interface Line {
  paymentId: string;
  rest: string;
}

export function pilesOfLines(lines: readonly Line[]): Piles {
  const piles: Piles = new Map();
  for (const { paymentId, rest } of lines) {
    const pile = pileNumber(paymentId);
    const { count, sum } = piles.get(pile) ?? { count: 0, sum: 0n };
    const id = Buffer.from(paymentId.replaceAll('-', ''), 'hex');
    piles.set(pile, { count: count + 1, sum: sum + BigInt(crc32(rest, crc32(id))) });
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

export function allOf(piles: Piles): Pile {
  const all = { count: 0, sum: 0n };
  for (const { count, sum } of piles.values()) {
    all.count += count;
    all.sum += sum;
  }
  return all;
}
