import { randomInt } from 'node:crypto';
import { hash, hashNumbers } from './hash.ts';
import type { Totals } from './totals.ts';

// I12: what an entry drew stands in its own line, which is hashed, and once more as rows of their own.
// Both sides bring a hash of each draw; where the sums are the same, so are the draws.

function hashOf(seed: number, position: string, draw: string): string {
  return hash(hashNumbers(`uuid_hash_extended(account_id, ${seed})`, 'seq', position), draw);
}

/** A draw as it stands in the line; empty if there are fewer. */
const nth = (position: number) => `split_part(draws, ',', ${position})`;

export async function areDrawsAsHashed(totals: Totals): Promise<boolean> {
  const seed = randomInt(2 ** 40);
  const firstTwo = [1, 2].map(
    (position) =>
      `sum(${hashOf(seed, `${position}`, nth(position))}) filter (where ${nth(position)} <> '')`,
  );
  // Hardly any entry draws on more lots, and these take longer.
  const further = `
    sum((select sum(${hashOf(seed, 'position', 'draw')})
         from string_to_table(draws, ',') with ordinality as drawn (draw, position)
         where position > 2)) filter (where ${nth(3)} <> '')`;
  const [rows, ...lines] = await Promise.all([
    totals.of('point_draws', `sum(${hashOf(seed, 'position', `lot_id || ':' || points`)})`),
    ...[...firstTwo, further].map((sum) => totals.of('point_entries', sum)),
  ]);
  return rows === lines.reduce((sum, part) => sum + part, 0n);
}
