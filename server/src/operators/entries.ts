import type { Db } from '../platform/db.ts';
import { selectChain, selectEntries } from './entries.queries.ts';

const entriesShownMax = 100;

/** The latest audit entries, newest first. */
export async function listEntries(db: Db) {
  const entries = await selectEntries(db, { rowsMax: entriesShownMax });
  return entries.map(({ seq, second_person: secondPerson, ...entry }) => ({
    seq: Number(seq),
    ...entry,
    secondPerson,
  }));
}

/** The state of the chain: how many entries, the hash of the last, and the first that is broken. */
export async function checkEntries(db: Db) {
  const { entries, last_hash: lastHash, broken } = await selectChain(db);
  return {
    entries: Number(entries),
    lastHash,
    firstBroken: broken === null ? null : Number(broken),
  };
}
