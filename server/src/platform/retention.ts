import type { Db, Tx } from './db.ts';

/** Deletes at most `rowsMax` rows and returns the number of deleted rows. */
export type DeleteSome = (tx: Tx, rowsMax: number) => Promise<number>;

const rowsPerBatch = 1_000;
const batchesMax = 500;

/**
 * Deletes all rows that the statements find, in batches, so that locks are held briefly. Beyond
 * half a million rows, the rest is deleted in the next run.
 */
export async function deleteInBatches(db: Db, ...statements: DeleteSome[]): Promise<void> {
  for (const deleteSome of statements) {
    for (let batch = 0; batch < batchesMax; batch += 1) {
      const deleted = await db.transaction((tx) => deleteSome(tx, rowsPerBatch));
      if (deleted < rowsPerBatch) break;
    }
  }
}
