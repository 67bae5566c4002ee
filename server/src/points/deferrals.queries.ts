import { z } from 'zod';
import { sql, type Tx } from '../platform/db.ts';
import type { Deferral } from './deferred.ts';

const DeferralRow = z.object({
  origin_id: z.uuid(),
  step: z.int(),
  currency: z.string(),
  sold_minor: z.bigint(),
  kept_minor: z.bigint(),
  kept_points: z.bigint(),
  remaining: z.bigint(),
  deferred_minor: z.bigint(),
});

export interface DeferralStep extends Deferral {
  originId: string;
  step: number;
  currency: string;
  deferredMinor: bigint;
}

/** How these top-ups stand now; those from before there were deferrals have none. */
export async function selectDeferrals(
  tx: Tx,
  { accountId, originIds }: { accountId: string; originIds: readonly string[] },
): Promise<DeferralStep[]> {
  const rows = await tx.many(
    DeferralRow,
    sql`
      select distinct on (origin_id) * from deferrals
      where account_id = ${accountId} and origin_id = any(${[...originIds]}::uuid[])
      order by origin_id, step desc`,
  );
  return rows.map((row) => ({
    originId: row.origin_id,
    step: row.step,
    currency: row.currency,
    soldMinor: row.sold_minor,
    keptMinor: row.kept_minor,
    keptPoints: row.kept_points,
    remaining: row.remaining,
    deferredMinor: row.deferred_minor,
  }));
}

export async function insertDeferral(
  tx: Tx,
  row: DeferralStep & { accountId: string; changeMinor: bigint },
): Promise<void> {
  await tx.run(sql`
    insert into deferrals
      (account_id, origin_id, step, currency, sold_minor, kept_minor, kept_points, remaining,
       deferred_minor, change_minor)
    values (${row.accountId}, ${row.originId}, ${row.step}, ${row.currency}, ${row.soldMinor},
            ${row.keptMinor}, ${row.keptPoints}, ${row.remaining}, ${row.deferredMinor},
            ${row.changeMinor})`);
}
