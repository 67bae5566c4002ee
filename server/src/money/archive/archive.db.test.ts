import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { contents, givenMonth, givenOldOrder, tablesOfMonths } from '../../../test/old-month.ts';
import { openScratch, type Scratch } from '../../../test/scratch.ts';
import { eventually } from '../../../test/shop.ts';
import { openSession, type Session } from '../../platform/connections.ts';
import { lockMs } from '../../platform/lock-retries.ts';
import { log } from '../../platform/log.ts';
import { archiveMonth, findArchiveOf, listArchives, restoreMonth } from './archive.ts';

let scratch: Scratch;
let folder: string;
beforeEach(async () => {
  log.level = 'silent';
  [scratch, folder] = await Promise.all([openScratch(), mkdtemp(join(tmpdir(), 'archive-'))]);
  await givenMonth(scratch, '2025-01');
  await givenMonth(scratch, '2025-02');
});
afterEach(async () => {
  await scratch.close();
  await rm(folder, { recursive: true });
});

const session = () => openSession({ url: scratch.url, applicationName: 'test' });
const context = (open = session) => ({
  db: scratch.db,
  open,
  now: () => Date.parse('2026-11-18T12:00:00Z'),
});
const asked = (month = '2025-01') => ({ month, folder, by: 'ana' });
const archive = (month?: string) => archiveMonth(context(), asked(month));
const restore = (month?: string) => restoreMonth(context(), asked(month));
const counts = async () =>
  Object.fromEntries(
    Object.entries(await contents(scratch)).map(([table, rows]) => [table, rows.length]),
  );
/** A session that fails at the given statement: before an odd one, after an even one. */
async function sessionLostAt(statement: number): Promise<Session> {
  const whole = await session();
  let left = statement;
  const count = async <T>(work: () => Promise<T>): Promise<T> => {
    left -= 1;
    if (left > 0) return await work();
    if (statement % 2 === 0) await work();
    await whole.close();
    throw new Error('the connection was lost');
  };
  return { ...whole, execute: (text, values) => count(() => whole.execute(text, values)) };
}

/** Whether a statement has waited for a lock longer than archiving waits for a lock in use. */
async function hasWaited(other: Session, statement: string): Promise<boolean> {
  const { rows } = await other.execute(
    `select from pg_stat_activity where wait_event_type = 'Lock' and query like '%' || $1 || '%'
       and clock_timestamp() - query_start > make_interval(secs => $2)`,
    [statement, (2 * lockMs) / 1000],
  );
  return rows.length > 0;
}

/** Repeats the work, losing the connection one statement later each time; returns how often. */
async function tryUntilDone(work: typeof archiveMonth): Promise<number> {
  for (let statement = 1; ; statement += 1) {
    const done = await work(
      context(() => sessionLostAt(statement)),
      asked(),
    ).catch(() => undefined);
    const { orders, order_events: events } = await counts();
    if (work === restoreMonth) expect(orders).toBe(events);
    if (done !== undefined) return statement - 1;
  }
}

const allTables = (rows: number) =>
  Object.fromEntries(tablesOfMonths.map((table) => [table, rows]));

describe('archive', () => {
  test('archiving removes the orders of a month and all their rows from the shop, and no other month', async () => {
    await givenOldOrder(scratch, '2025-02');
    const rest = await contents(scratch);
    await givenOldOrder(scratch, '2025-01');
    await givenOldOrder(scratch, '2025-01');

    const done = await archive();

    expect(done).toMatchObject({ month: '2025-01', folder: join(folder, '2025-01') });
    expect('tables' in done && done.tables).toEqual(
      Object.fromEntries(tablesOfMonths.map((table) => [table, '2'])),
    );
    expect(await contents(scratch)).toEqual(rest);
    expect(await listArchives(scratch.db)).toMatchObject([
      { month: '2025-01', state: 'archived', orders: '2', archivedBy: 'ana', restoredBy: null },
    ]);
  });

  test('an archive of a month of orders has one compressed CSV file per table and a manifest', async () => {
    const { paymentId } = await givenOldOrder(scratch, '2025-01');
    await archive();
    const files = await readdir(join(folder, '2025-01'));
    expect(files.toSorted()).toEqual(
      [...tablesOfMonths.map((table) => `${table}.csv.gz`), 'manifest.json'].toSorted(),
    );
    const orders = gunzipSync(await readFile(join(folder, '2025-01', 'orders.csv.gz'))).toString();
    expect(orders.split('\n')[0]).toMatch(/^account_id,payment_id,site_id,/);
    expect(orders).toContain(paymentId);
    const { tables } = JSON.parse(await readFile(join(folder, '2025-01', 'manifest.json'), 'utf8'));
    expect(tables[0]).toMatchObject({ name: 'orders', file: 'orders.csv.gz', rows: '1' });
  });

  test('archiving a month waits for open database reads, and the archive contains the rows written meanwhile', async () => {
    const { accountId, paymentId } = await givenOldOrder(scratch, '2025-01');
    const reader = await session();
    await reader.execute('begin; select count(*) from orders');
    const archiving = archive();
    await eventually(async () => (await listArchives(scratch.db)).length === 1);
    // Another fact about the archived month, an order of another month, and a read of all months.
    await scratch.executor.executeSql(
      `insert into order_events (account_id, payment_id, seq, fact_key, fact, state_before, state_after)
       values ($1, $2, 2, 'delivered', '{"type": "delivered"}', 'closed', 'closed')`,
      [accountId, paymentId],
    );
    await givenOldOrder(scratch, '2025-02');
    expect(await counts()).toMatchObject({ order_events: 3 });
    await reader.close();

    expect(await archiving).toMatchObject({ tables: { order_events: '2' } });
    expect(await counts()).toEqual(allTables(1));
    await restore();
    expect(await counts()).toMatchObject({ orders: 2, order_events: 3 });
  });

  test('a dispute opened while its month is being archived stops the archiving, and the month stays in the database', async () => {
    await givenOldOrder(scratch, '2025-01');
    const disputedBefore = async (detaching: RegExp) => {
      const whole = await session();
      const execute: Session['execute'] = async (text, values) => {
        const dispute = 'update orders set is_disputed = true';
        if (detaching.test(text)) await scratch.executor.executeSql(dispute);
        return await whole.execute(text, values);
      };
      return { ...whole, execute };
    };
    const during = context(() => disputedBefore(/^alter table orders detach/));

    expect(await archiveMonth(during, asked())).toMatchObject({
      complaints: [expect.stringMatching(/^1 orders that are not at their end/)],
    });
    expect(await counts()).toEqual(allTables(1));
    expect(await listArchives(scratch.db)).toEqual([]);
    await scratch.executor.executeSql('update orders set is_disputed = false');
    expect(await archive()).toMatchObject({ month: '2025-01' });
  });

  test('archiving a month of orders resumes after its database connection was lost at any statement', async () => {
    await givenOldOrder(scratch, '2025-01');
    const before = await contents(scratch);
    expect(await tryUntilDone(archiveMonth)).toBeGreaterThan(10);
    expect(await counts()).toEqual(allTables(0));
    await restore();
    expect(await contents(scratch)).toEqual(before);
  });

  test('archive files that are damaged before their month has left the database are written again', async () => {
    await givenOldOrder(scratch, '2025-01');
    const reader = await session();
    await reader.execute('begin; select count(*) from orders');
    const archiving = archive();
    await eventually(async () => (await listArchives(scratch.db)).length === 1);
    await writeFile(join(folder, '2025-01', 'orders.csv.gz'), 'lost');
    await reader.close();
    await archiving;
    await restore();
    expect(await counts()).toEqual(allTables(1));
  });

  test('archiving orders refuses a month already archived and a folder that already holds an archive', async () => {
    await givenOldOrder(scratch, '2025-01');
    await archive();
    const path = join(folder, '2025-01');
    expect(await archive()).toEqual({
      complaints: [`2025-01 was archived to ${path} already`],
    });
    await restore();
    expect(await archive()).toEqual({ complaints: [`${path} holds an archive already`] });
  });

  test('a second process that starts to archive orders is refused while another one is archiving', async () => {
    await givenOldOrder(scratch, '2025-01');
    const reader = await session();
    await reader.execute('begin; select from orders');
    const archiving = archive();
    await eventually(async () => (await listArchives(scratch.db)).length === 1);
    expect(await archive()).toEqual({
      complaints: ['a month is being archived or restored already'],
    });
    await reader.close();
    expect(await archiving).toMatchObject({ month: '2025-01' });
  });
});

describe('restore', () => {
  test('restoring an archived month brings back every row, constraint and trigger of its order tables', async () => {
    await givenOldOrder(scratch, '2025-01');
    await givenOldOrder(scratch, '2025-02');
    const before = await contents(scratch);
    const rules = async () =>
      (
        await scratch.executor.executeSql(
          `select conrelid::regclass::text as table, conname, pg_get_constraintdef(oid) as rule, convalidated
           from pg_constraint where conrelid::regclass::text like '%\\_2025\\_01' and contype in ('f', 'c', 'p', 'u') and conname <> 'is_of_this_month'
           union all
           select tgrelid::regclass::text, tgname, '', true from pg_trigger
           where tgrelid::regclass::text like '%\\_2025\\_01' and not tgisinternal order by 1, 2`,
        )
      ).rows;
    const rulesBefore = await rules();
    expect(rulesBefore.length).toBeGreaterThan(30);
    await archive();

    expect(await restore()).toMatchObject({ month: '2025-01', tables: { orders: '1' } });

    expect(await contents(scratch)).toEqual(before);
    expect(await rules()).toEqual(rulesBefore);
    expect(await listArchives(scratch.db)).toMatchObject([
      { state: 'restored', restoredBy: 'ana' },
    ]);
  });

  test('restoring an archived month resumes after a lost connection and never shows half a month', async () => {
    await givenOldOrder(scratch, '2025-01');
    const before = await contents(scratch);
    await archive();
    expect(await tryUntilDone(restoreMonth)).toBeGreaterThan(10);
    expect(await contents(scratch)).toEqual(before);
  });

  test.each(['add_month_bounds', 'validate_month_keys'])(
    'restoring an archived month waits for an autovacuum of the restored table before the step %s',
    async (step) => {
      await archive();
      const vacuum = await session();
      // A session of its own: inside a transaction PostgreSQL shows the same activity again and again.
      const observer = await session();
      const whole = await session();
      const held: Session = {
        ...whole,
        execute: async (text, values) => {
          if (!text.includes(step)) return await whole.execute(text, values);
          // The lock of a vacuum or an analyze, for longer than the archive waits for a lock in use.
          await vacuum.execute(`begin;
            lock table orders_2025_01, order_events_2025_01 in share update exclusive mode`);
          let isOver = false;
          const done = Promise.allSettled([whole.execute(text, values)]).finally(() => {
            isOver = true;
          });
          await eventually(async () => isOver || (await hasWaited(observer, step)));
          await vacuum.execute('rollback');
          const [end] = await done;
          if (end.status === 'rejected') throw end.reason;
          return end.value;
        },
      };
      const done = await restoreMonth(
        context(async () => held),
        asked(),
      );
      expect(done).toMatchObject({ month: '2025-01' });
      await vacuum.close();
      await observer.close();
    },
  );

  test('restoring an archived month refuses files that are damaged, missing or of another archive', async () => {
    await givenOldOrder(scratch, '2025-01');
    await givenOldOrder(scratch, '2025-02');
    await archive('2025-01');
    await archive('2025-02');
    const path = (file: string, month = '2025-01') => join(folder, month, file);
    const orders = await readFile(path('orders.csv.gz'));
    await writeFile(path('orders.csv.gz'), orders.subarray(0, -1));
    await rm(path('refunds.csv.gz'));
    expect(await restore()).toEqual({
      complaints: [
        `${path('orders.csv.gz')} is missing or damaged`,
        `${path('refunds.csv.gz')} is missing or damaged`,
      ],
    });
    await writeFile(path('manifest.json'), await readFile(path('manifest.json', '2025-02')));
    expect(await restore()).toEqual({
      complaints: [`${join(folder, '2025-01')} does not hold what was archived`],
    });
    expect(await counts()).toEqual(allTables(0));
  });

  test('restoring an archived month uses files moved to another folder when the command names that folder', async () => {
    await givenOldOrder(scratch, '2025-01');
    await archive();
    const moved = join(folder, 'moved');
    await mkdir(moved);
    await rename(join(folder, '2025-01'), join(moved, '2025-01'));
    const path = join(folder, '2025-01');
    expect(await restore()).toEqual({ complaints: [`${path} does not hold what was archived`] });
    expect(await restoreMonth(context(), { ...asked(), folder: moved })).toMatchObject({
      tables: { orders: '1' },
    });
  });

  test('restoring refuses a month of orders that is not archived', async () => {
    expect(await restore()).toEqual({ complaints: ['2025-01 is not archived'] });
  });
});

test('the ledger of an archived month stays in the database and accepts later transfers', async () => {
  const { accountId, paymentId } = await givenOldOrder(scratch, '2025-01');
  await archive();
  const post = (posting: string) =>
    scratch.executor.executeSql(
      `insert into ledger_transfers (account_id, origin_id, posting, debit_book, credit_book, unit, amount_minor)
       values ($1, $2, $3, 'player:present', 'house:points', 'EPOINT', 5)`,
      [accountId, paymentId, posting],
    );
  const postings = async () =>
    (await scratch.executor.executeSql('select posting from ledger_transfers order by posting'))
      .rows;
  await post('expiry:1');
  expect(await postings()).toEqual([{ posting: 'captured:pi_1' }, { posting: 'expiry:1' }]);
  await restore();
  await post('expiry:2');
  expect(await postings()).toHaveLength(3);
});

test("the archive month and folder that hold an archived order are found by the order's payment id", async () => {
  const { paymentId } = await givenOldOrder(scratch, '2025-01');
  expect(await findArchiveOf(scratch.db, paymentId)).toBeUndefined();
  await archive();
  expect(await findArchiveOf(scratch.db, paymentId)).toMatchObject({
    month: '2025-01',
    folder: join(folder, '2025-01'),
  });
});
