import type { Db, Tx } from './db.ts';

/** Deletes at most that many rows and answers how many there were. */
export type DeleteSome = (tx: Tx, rowsMax: number) => Promise<number>;

const rowsPerBatch = 1_000;
const batchesMax = 500;

/**
 * Deletes all that one statement after the other finds, a batch at a time, so that no lock is held for
 * long. What half a million rows leave over is deleted at the next time.
 */
export async function deleteInBatches(db: Db, ...statements: DeleteSome[]): Promise<void> {
  for (const deleteSome of statements) {
    for (let batch = 0; batch < batchesMax; batch += 1) {
      const deleted = await db.transaction((tx) => deleteSome(tx, rowsPerBatch));
      if (deleted < rowsPerBatch) break;
    }
  }
}
