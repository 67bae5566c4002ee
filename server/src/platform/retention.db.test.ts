import { afterAll, beforeAll, expect, test } from 'vitest';
import { openScratch, type Scratch } from '../../test/scratch.ts';
import { sql, type Tx } from './db.ts';
import { deleteInBatches } from './retention.ts';

let scratch: Scratch;
beforeAll(async () => {
  scratch = await openScratch();
});
afterAll(() => scratch.close());

test('expired database rows are deleted in batches of at most 1000 until none are left', async () => {
  await scratch.executor.executeSql(`
    insert into notes select 'old ' || number, number from generate_series(1, 3500) as number;
    insert into notes values ('new', 4000)`);
  const batches: number[] = [];
  const deleteOld = async (tx: Tx, rowsMax: number) => {
    const deleted = await tx.run(sql`
      delete from notes where text in
        (select text from notes where amount <= 3500 limit ${rowsMax})`);
    batches.push(deleted);
    return deleted;
  };

  await deleteInBatches(scratch.db, deleteOld, deleteOld);

  expect(batches).toEqual([1000, 1000, 1000, 500, 0]);
  expect(await scratch.notes()).toEqual(['new']);
});
