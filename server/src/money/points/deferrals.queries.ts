import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
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

/** The current deferrals of these top-ups; top-ups older than deferrals have none. */
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

/**
 * Top-ups whose last deferral step disagrees with their lot, points or sale, of accounts with
 * recent ledger postings.
 */
export async function selectLagging(
  db: Db,
  { minutes, rowsMax }: { minutes: number; rowsMax: number },
): Promise<{ accountId: string; paymentId: string }[]> {
  const rows = await db.many(
    z.object({ account_id: z.uuid(), origin_id: z.uuid() }),
    sql`
      with moved as materialized (
        select distinct account_id from ledger_transfers
        where created_at > now() - make_interval(mins => ${minutes})
          and (debit_book in ('player:basic', 'house:sales') or credit_book in ('player:basic', 'house:sales'))
      )
      select known.account_id, known.origin_id
      from moved
      cross join lateral (
        select distinct on (origin_id) * from deferrals
        where deferrals.account_id = moved.account_id order by origin_id, step desc) as known
      left join point_lots as lots on lots.account_id = known.account_id
        and lots.origin_id = known.origin_id and lots.bucket = 'basic'
      left join lateral (
        select basic_kept from top_up_steps as steps
        where steps.account_id = known.account_id and steps.origin_id = known.origin_id
        order by step desc limit 1) as steps on true
      cross join lateral (
        select coalesce(sum(case credit_book when 'house:sales' then amount_minor else -amount_minor end), 0) as minor
        from ledger_transfers as transfers
        where transfers.account_id = known.account_id and transfers.origin_id = known.origin_id
          and 'house:sales' in (debit_book, credit_book)) as sold
      where known.remaining <> coalesce(lots.remaining, 0) or known.sold_minor <> sold.minor
        or known.kept_points is distinct from steps.basic_kept
      limit ${rowsMax}`,
  );
  return rows.map((row) => ({ accountId: row.account_id, paymentId: row.origin_id }));
}
