import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { selectBrokenPromises, takeForgotten } from '../src/delivery/delivery.queries.ts';
import { takeForgottenRevocations } from '../src/delivery/revocations.queries.ts';
import { takeExpired } from '../src/money/orders/orders.queries.ts';
import {
  selectUnansweredAttempt,
  takeDueAttempts,
} from '../src/money/payments/payments.queries.ts';
import { takeDueRefunds } from '../src/money/refunds/refunds.queries.ts';
import { type Db, sql, type Tx } from '../src/platform/db.ts';
import { log } from '../src/platform/log.ts';
import { firstSweptId } from '../src/platform/partitions.ts';
import { givenMonth, givenOldOrder } from './old-month.ts';
import { openScratch, type Scratch } from './scratch.ts';

const month = '2025-01';

let scratch: Scratch;
let paymentId: string;
beforeAll(async () => {
  log.level = 'silent';
  scratch = await openScratch();
  await givenMonth(scratch, month);
  ({ paymentId } = await givenOldOrder(scratch, month));
  // Makes every kind of work due at once.
  await scratch.executor.executeSql(`
    update orders set state = 'created', paid_at = null, expire_at = now() - interval '1 day';
    update payment_attempts
      set state = 'opening', next_check_at = now(), expires_at = now() + interval '1 day';
    update refunds set state = 'pending', next_check_at = now();
    update deliveries set state = 'queued', delivered_at = null,
      next_try_at = now() - interval '1 day', promise_at = now() - interval '1 day';
    update revocations set state = 'queued', result = null, next_try_at = now() - interval '1 day'`);
});
afterAll(() => scratch.close());

type Sweep = (tx: Tx, fromId: string) => Promise<unknown[]>;
// as: inside a transaction reads are the same, and only there one can ask what they touched.
const asDb = (tx: Tx) => tx as unknown as Db;
const rowsMax = 10;
const sweeps: [string, Sweep][] = [
  ['expired orders', (tx, fromId) => takeExpired(tx, { againMinutes: 0, rowsMax, fromId })],
  [
    'due payment attempts',
    (tx, fromId) => takeDueAttempts(tx, { scheduleSeconds: [0, 0], rowsMax, fromId }),
  ],
  [
    'unanswered payment attempts',
    async (tx, fromId) => {
      const found = await selectUnansweredAttempt(asDb(tx), { psp: 'stripe', fromId });
      return found === undefined ? [] : [found];
    },
  ],
  ['due refunds', (tx, fromId) => takeDueRefunds(tx, { scheduleSeconds: [0, 0], rowsMax, fromId })],
  ['overdue deliveries', (tx, fromId) => takeForgotten(tx, { overdueMinutes: 1, rowsMax, fromId })],
  [
    'deliveries past their promised time',
    (tx, fromId) => selectBrokenPromises(asDb(tx), { rowsMax, fromId }),
  ],
  [
    'overdue revocations',
    (tx, fromId) => takeForgottenRevocations(tx, { overdueMinutes: 1, rowsMax, fromId }),
  ],
];

/** The number of scans of the old month's tables by this connection. */
async function scansOf(tx: Tx): Promise<number> {
  const { scans } = await tx.one(
    z.object({ scans: z.coerce.number() }),
    sql`
      select coalesce(sum(coalesce(seq_scan, 0) + coalesce(idx_scan, 0)), 0) as scans
      from pg_stat_xact_user_tables where relname like '%\\_2025\\_01'`,
  );
  return scans;
}

test.each(sweeps)(
  'the frequent sweep for %s does not read the database partitions of past months, and the hourly sweep does',
  async (_, sweep) => {
    await scratch.db.transaction(async (tx) => {
      const before = await scansOf(tx);
      expect(await sweep(tx, firstSweptId('recent'))).toEqual([]);
      expect(await scansOf(tx)).toBe(before);
      const all = await sweep(tx, firstSweptId('all'));
      expect(all).toMatchObject([{ payment_id: paymentId }]);
      expect(await scansOf(tx)).toBeGreaterThan(before);
    });
  },
);
