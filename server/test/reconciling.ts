import { z } from 'zod';
import { queueReconciliation } from '../src/money/reconciliation/reconciliation.ts';
import { sql } from '../src/platform/db.ts';
import { eventually, type TestShop } from './shop.ts';

/** The UTC date the given number of hours from now. */
export const dayIn = (hours: number) =>
  new Date(Date.now() + hours * 60 * 60_000).toISOString().slice(0, 10);

/** Lets a running worker reconcile a day, and waits until it is done. */
export async function reconcileDay(shop: TestShop, psp: string, day: string): Promise<void> {
  await shop.db.transaction((tx) => queueReconciliation(tx, shop.payments, { psp, day }));
  await eventually(async () => {
    // Skips the minute in which the provider writes its file.
    await shop.db.transaction((tx) =>
      tx.run(sql`
        update pgboss.job set start_after = now()
        where name = 'reconcile_day' and state = 'created' and start_after > now()`),
    );
    const { is_done } = await shop.db.one(
      z.object({ is_done: z.boolean() }),
      sql`select exists (
            select from settlement_days
            where psp = ${psp} and day = ${day} and compared_at is not null) as is_done`,
    );
    return is_done;
  });
}

const CaseRow = z.object({
  subject: z.string(),
  payment_id: z.uuid().nullable(),
  details: z.record(z.string(), z.unknown()),
});

export function settlementCases({ db }: TestShop): Promise<z.output<typeof CaseRow>[]> {
  return db.many(
    CaseRow,
    sql`select subject, payment_id, details from cases where kind = 'settlement' order by subject`,
  );
}
