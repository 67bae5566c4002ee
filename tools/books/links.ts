import { randomInt } from 'node:crypto';
import { hashNumbers } from './hash.ts';
import type { Tables } from './tables.ts';

// I12: every entry of a statement carries the hash of the one before, from the account itself to the
// wallet. Each hash is put down once where it ends and once where the next one begins; where all of
// them come to the same, nobody has to look. That a hash is that of its line the table sees to.

const startOf = 'sha256(account_id::text::bytea)';

function place(hash: string, seq: string, seed: number): string {
  const start = hashNumbers(`uuid_hash_extended(account_id, ${seed})`, seq);
  return `sum(hashbyteaextended(${hash}, ${start}))`;
}

const brokenLinks = `
  select format('entry %s of wallet %s is not what was hashed', seq, account_id)
  from (
    select account_id, seq, prev_hash,
           lag(hash) over (partition by account_id order by seq) as hash_before
    from point_entries
  ) as entries
  where prev_hash <> coalesce(hash_before, ${startOf})
  union all
  select format('wallet %s ends with another hash than its statement', account_id)
  from wallets left join point_entries using (account_id, seq)
  where head <> coalesce(hash, ${startOf})`;

export async function compareLinks({ snapshot, totals }: Tables): Promise<string[]> {
  const seed = randomInt(2 ** 40);
  const [ends, begins, heads, starts] = await Promise.all([
    totals.of('point_entries', place('hash', 'seq', seed)),
    totals.of('point_entries', place('prev_hash', 'seq - 1', seed)),
    totals.of('wallets', place('head', 'seq', seed)),
    totals.of('wallets', place(startOf, '0', seed)),
  ]);
  if (ends + starts === begins + heads) return [];
  return (await snapshot.query(brokenLinks)).map(([text = '']) => text);
}
