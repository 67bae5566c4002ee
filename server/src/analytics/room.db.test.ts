import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { collectorAt, givenSite, tell } from '../../test/analytics-db.ts';
import { openTestDb } from '../../test/database.ts';
import { type Db, sql } from '../platform/db.ts';
import type { AnalyticsContext } from './analytics.ts';

const megabytesPerDay = 8;

let db: Db;
let close: () => Promise<void>;
let collector: AnalyticsContext;
beforeAll(async () => {
  ({ db, close } = await openTestDb());
  await givenSite(db, 'solmere');
  collector = collectorAt(db, Date.now(), { megabytesPerDay });
});
afterAll(() => close());

/** Half of them are quarantined, because those take the most space for their size. */
const sixtyEvents = Array.from({ length: 60 }, (_, index) => (index % 2 === 0 ? {} : { n: 'x' }));

/** Sends batches until one is refused for lack of space; returns the number of accepted ones. */
async function fill(batchesMax: number, by: { did?: string; network: string }): Promise<number> {
  for (let taken = 0; taken < batchesMax; taken += 1) {
    try {
      await tell(collector, sixtyEvents, by);
    } catch (error) {
      expect(error).toMatchObject({ message: 'no_room' });
      return taken;
    }
  }
  return batchesMax;
}

async function megabytesOnDisk(): Promise<number> {
  const { bytes } = await db.one(
    z.object({ bytes: z.string() }),
    sql`
      select sum(pg_total_relation_size(pg_class.oid)) as bytes from pg_class
      join pg_namespace on pg_namespace.oid = relnamespace
      where nspname = 'analytics' and relkind = 'r'`,
  );
  return Number(bytes) / 2 ** 20;
}

test('stored analytics events of a day fit a disk limit, of which a network may use a quarter and a device a 64th', async () => {
  const before = await megabytesOnDisk();
  const device = await fill(1_000, { did: randomUUID(), network: '192.0.2.0/24' });
  expect(device).toBeGreaterThan(0);
  expect(device).toBeLessThan(5);
  const sameNetwork = await fill(1_000, { network: '192.0.2.0/24' });
  expect(sameNetwork).toBeGreaterThan(device);
  const networks = [];
  for (let index = 0; index < 5; index += 1) {
    networks.push(await fill(1_000, { network: `198.51.${index}.0/24` }));
  }
  expect(networks[0]).toBe(device + sameNetwork);
  expect(networks.at(-1)).toBe(0);
  expect((await megabytesOnDisk()) - before).toBeLessThanOrEqual(megabytesPerDay);
});
