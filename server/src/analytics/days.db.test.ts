import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { collectorAt, storedEvents, tell } from '../../test/analytics-db.ts';
import { migratedAt, openScratch, type Scratch } from '../../test/scratch.ts';
import { sql } from '../platform/db.ts';
import { log } from '../platform/log.ts';
import { ensurePartitions } from '../platform/partitions.ts';
import { keepAnalyticsDays } from './analytics.jobs.ts';

const dayMs = 86_400_000;

let scratch: Scratch;
/** Noon of the day on which the first partitions were created. */
let today: number;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
  const madeMs = (await migratedAt(scratch, '0021_analytics.sql')).getTime();
  today = madeMs - (madeMs % dayMs) + dayMs / 2;
});
afterAll(() => scratch.close());

/** The partition name of a day, counted from `today`. */
const dayName = (ahead: number) =>
  new Date(today + ahead * dayMs).toISOString().slice(0, 10).replaceAll('-', '_');

async function tablesOf(parent: string): Promise<string[]> {
  const rows = await scratch.db.many(
    z.object({ name: z.string() }),
    sql`select inhrelid::regclass::text as name from pg_inherits
        where inhparent = ${`analytics.${parent}`}::regclass order by 1`,
  );
  return rows.map(({ name }) => name.replace(`analytics.${parent}_`, ''));
}

const kept = async (ids: readonly string[]) =>
  (await storedEvents(scratch.db, ids)).map(({ table }) => table.replace('analytics.events_', ''));

test('the analytics tables have partitions for yesterday, today and three more days, and a default one', async () => {
  for (const parent of ['events', 'quarantine']) {
    expect(await tablesOf(parent)).toEqual([...[-1, 0, 1, 2, 3].map(dayName), 'default']);
  }
});

test('an analytics event is stored in the partition of the day on which it happened', async () => {
  const context = collectorAt(scratch.db, today);
  const old = await tell(context, [{}], { at: today - dayMs });
  const recent = await tell(context, [{}, { extra: 1 }]);
  expect(await kept([...old, ...recent])).toEqual([dayName(-1), dayName(0)]);
});

test('the maintenance of monthly order partitions does not touch the daily analytics partitions', async () => {
  const before = await tablesOf('events');
  await ensurePartitions(scratch.db);
  expect(await tablesOf('events')).toEqual(before);
});

test('a day of analytics events past its retention is dropped as a whole, even by concurrent workers', async () => {
  const early = await tell(collectorAt(scratch.db, today), [{}, { extra: 1 }]);
  const late = await tell(collectorAt(scratch.db, today + 3 * dayMs), [{}]);
  const later = collectorAt(scratch.db, today + 4 * dayMs, { days: 3 });

  await Promise.all([1, 2, 3].map(() => keepAnalyticsDays(later)));

  expect(await kept([...early, ...late])).toEqual([dayName(3)]);
  for (const parent of ['events', 'quarantine']) {
    expect(await tablesOf(parent)).toEqual([...[1, 2, 3, 4, 5, 6, 7].map(dayName), 'default']);
  }
});

test('an analytics event of a day without a partition goes to the default partition and is deleted after its retention', async () => {
  const far = today + 100 * dayMs;
  const ids = await tell(collectorAt(scratch.db, far), [{}, { extra: 1 }]);
  expect(await kept(ids)).toEqual(['default']);
  // The partition of that day can no longer be created, which does not prevent the others.
  await keepAnalyticsDays(collectorAt(scratch.db, far, { days: 3 }));
  expect(await tablesOf('events')).toEqual([...[99, 101, 102, 103].map(dayName), 'default']);
  expect(await kept(ids)).toEqual(['default']);
  await keepAnalyticsDays(collectorAt(scratch.db, far + 4 * dayMs, { days: 3 }));
  expect(await kept(ids)).toEqual([]);
  const { left } = await scratch.db.one(
    z.object({ left: z.bigint() }),
    sql`select count(*) as left from analytics.quarantine`,
  );
  expect(left).toBe(0n);
});
