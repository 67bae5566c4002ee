import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';

export interface NewEntry {
  id: string;
  at: Date;
  by: string;
  secondPerson: string | null;
  via: 'shell' | 'console';
  action: string;
  inputJson: string;
  reason: string | null;
  outcome: 'begun' | 'done' | 'refused' | 'failed';
  /** The entry that this one is the outcome of. */
  begun: string | null;
}

export async function insertEntry(tx: Tx, entry: NewEntry): Promise<void> {
  await tx.run(sql`
    insert into operator_entries (id, at, by, second_person, via, action, input, reason, outcome, begun)
    values (${entry.id}, ${entry.at}, ${entry.by}, ${entry.secondPerson}, ${entry.via}, ${entry.action},
      ${entry.inputJson}::jsonb, ${entry.reason}, ${entry.outcome}, ${entry.begun})`);
}

const Entry = z.object({
  seq: z.bigint(),
  at: z.date(),
  by: z.string(),
  second_person: z.string().nullable(),
  via: z.string(),
  action: z.string(),
  input: z.unknown(),
  reason: z.string().nullable(),
  outcome: z.string(),
});

/** The newest first. */
export async function selectEntries(db: Db, { rowsMax }: { rowsMax: number }) {
  return await db.many(
    Entry,
    sql`
      select seq, at, by, second_person, via, action, input, reason, outcome
      from operator_entries order by seq desc limit ${rowsMax}`,
  );
}

const Chain = z.object({
  entries: z.bigint(),
  last_hash: z.string().nullable(),
  broken: z.bigint().nullable(),
});

/** The first entry that was changed, or before which one is missing; and the last hash. */
export async function selectChain(db: Db) {
  return await db.one(
    Chain,
    sql`
      with linked as (
        select entry.seq, hash,
          hash is distinct from hash_of_operator_entry(entry)
            or previous_hash is distinct from coalesce(lag(hash) over before, '\\x')
            or entry.seq <> coalesce(lag(entry.seq) over before, 0) + 1 as is_broken
        from operator_entries entry
        window before as (order by entry.seq)
      )
      select count(*) as entries, min(seq) filter (where is_broken) as broken,
        (select encode(hash, 'hex') from operator_entries order by seq desc limit 1) as last_hash
      from linked`,
  );
}
