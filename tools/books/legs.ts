import { randomInt } from 'node:crypto';
import { hash } from './hash.ts';
import type { Snapshot } from './snapshot.ts';
import type { Totals } from './totals.ts';

// I1: the ledger and the players' statements move the same points. Each side brings a hash for every
// movement; where the sums are the same, nobody has to look at the movements themselves.

// Two comparisons, because a list is unpacked anew for every row.
const isOfWallet = (book: string) => `(${book} = 'player:basic' or ${book} = 'player:present')`;
const credited = isOfWallet('credit_book');
const isOfAnyWallet = `(${credited} or ${isOfWallet('debit_book')})`;
/** One in another unit is no movement that a plain order has, and found by that. */
export const isLeg = `unit = 'EPOINT' and ${isOfAnyWallet}`;

const counterBook = `case when kind = 'spend' or kind = 'refund' then 'player:deposit' else 'house:points' end`;

/** What each entry of a statement has to move in the ledger, and between which books. */
const expectedLegs = `
  select account_id, origin_id, posting || ':' || bucket as posting, 'player:' || bucket as book,
         ${counterBook} as counter_book, change
  from point_entries,
       lateral (values ('basic', basic_change), ('present', present_change)) as legs (bucket, change)
  where change <> 0`;

const legs = `
  select account_id, origin_id, posting,
         case when ${credited} then credit_book else debit_book end as book,
         case when ${credited} then debit_book else credit_book end as counter_book,
         case when ${credited} then amount_minor else -amount_minor end as change, unit
  from ledger_transfers where ${isOfAnyWallet}`;

/** A query with one text for each movement that one side has and the other has not. */
const movedApart = `
  select format('transfer %s of %s moves %s %s between %s and %s, its entry %s',
                coalesce(legs.posting, entries.posting), coalesce(legs.origin_id, entries.origin_id),
                coalesce(legs.change, 0), coalesce(unit, 'EPOINT'), coalesce(legs.book, entries.book),
                coalesce(legs.counter_book, entries.counter_book), coalesce(entries.change, 0))
  from (${legs}) as legs full join (${expectedLegs}) as entries
    on legs.account_id = entries.account_id and legs.origin_id = entries.origin_id
   and legs.posting = entries.posting
  where legs.change is distinct from entries.change or unit is distinct from 'EPOINT'
     or legs.book is distinct from entries.book
     or legs.counter_book is distinct from entries.counter_book`;

function hashOf(seed: number, change: string, ...texts: string[]): string {
  const start = `uuid_hash_extended(origin_id, uuid_hash_extended(account_id, ${seed} + ${change}))`;
  return hash(start, ...texts);
}

export async function compareLegs(snapshot: Snapshot, totals: Totals): Promise<string[]> {
  const seed = randomInt(2 ** 40);
  const moved = hashOf(
    seed,
    `case when ${credited} then amount_minor else -amount_minor end`,
    ...['posting', 'credit_book', 'debit_book', 'unit'],
  );
  const should = ['basic', 'present'].map((bucket) => {
    const books = [`'player:${bucket}'`, counterBook];
    const posting = `posting || ':${bucket}'`;
    const change = `${bucket}_change`;
    const given = hashOf(seed, change, posting, ...books, `'EPOINT'`);
    const taken = hashOf(seed, change, posting, ...books.toReversed(), `'EPOINT'`);
    return `case when ${change} > 0 then ${given} when ${change} < 0 then ${taken} else 0 end`;
  });
  const [ours, ...statements] = await Promise.all([
    totals.of('ledger_transfers', `sum(${moved}) filter (where ${isLeg})`),
    ...should.map((leg) => totals.of('point_entries', `sum(${leg})`)),
  ]);
  if (ours === statements.reduce((sum, part) => sum + part, 0n)) return [];
  return (await snapshot.query(movedApart)).map(([text = '']) => text);
}
