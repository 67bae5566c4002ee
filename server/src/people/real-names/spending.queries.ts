import { z } from 'zod';
import { type Db, type Sql, sql, type Tx } from '../../platform/db.ts';
import type { Budget } from './budget.ts';

export async function selectPolicyPack(db: Db | Tx, siteId: string): Promise<string> {
  const row = await db.one(
    z.object({ policy_pack: z.string() }),
    sql`select policy_pack from sites where id = ${siteId}`,
  );
  return row.policy_pack;
}

/**
 * Serializes transactions that read the spending of an account before a payment. Not `for update`,
 * which would block inserts that reference the account.
 */
export async function lockAccount(tx: Tx, accountId: string): Promise<void> {
  await tx.one(
    z.object({ id: z.uuid() }),
    sql`select id from accounts where id = ${accountId} for no key update`,
  );
}

/**
 * The same for all accounts with the same identity number. The account must be locked before, so
 * that its person cannot change meanwhile.
 */
export async function lockPerson(tx: Tx, accountId: string): Promise<void> {
  await tx.run(sql`
    select pg_advisory_xact_lock(hashtextextended(encode(identity_number_index, 'hex'), 0))
    from people where account_id = ${accountId} and identity_number_index is not null`);
}

interface SpendingKey {
  accountId: string;
  currency: string;
  now: Date;
  timeZone: string;
}

export async function selectSpent(db: Db | Tx, key: SpendingKey): Promise<bigint> {
  return await spentBy(db, key, sql`account_id = ${key.accountId}`);
}

/** Includes all other accounts with the same identity number. */
export async function selectSpentByPerson(db: Db | Tx, key: SpendingKey): Promise<bigint> {
  const accounts = sql`
    select ${key.accountId}::uuid union
    select others.account_id from people as own
    join people as others using (identity_number_index)
    where own.account_id = ${key.accountId}`;
  return await spentBy(db, key, sql`account_id = any(array(${accounts}))`);
}

/**
 * Payments of the current month minus refunds, plus open payments, whose page can be paid at any
 * time. An order with an unexpected amount stays in the state `paying`.
 */
async function spentBy(db: Db | Tx, key: SpendingKey, isTheirs: Sql): Promise<bigint> {
  const row = await db.one(
    z.object({ spent_minor: z.bigint() }),
    sql`
      select (
        coalesce((
          select sum(amount_minor - refunded_minor) from orders
          where ${isTheirs} and currency = ${key.currency}
            and paid_at >= date_trunc('month', ${key.now}::timestamptz, ${key.timeZone})
        ), 0) + coalesce((
          select sum(amount_minor) from orders
          where ${isTheirs} and currency = ${key.currency}
            and state = 'paying' and paid_at is null
        ), 0)
      )::bigint as spent_minor`,
  );
  return row.spent_minor;
}

const BudgetRow = z.object({
  amount_minor: z.bigint().nullable(),
  pending_amount_minor: z.bigint().nullable(),
  pending_from: z.date().nullable(),
});

interface BudgetKey {
  accountId: string;
  currency: string;
}

export async function selectBudget(db: Db | Tx, key: BudgetKey): Promise<Budget | undefined> {
  const row = await db.maybeOne(
    BudgetRow,
    sql`
      select amount_minor, pending_amount_minor, pending_from from budgets
      where account_id = ${key.accountId} and currency = ${key.currency}`,
  );
  if (row === undefined) return undefined;
  const { amount_minor: amountMinor, pending_amount_minor, pending_from: from } = row;
  const pending = from === null ? null : { amountMinor: pending_amount_minor, from };
  return { amountMinor, pending };
}

export async function upsertBudget(tx: Tx, key: BudgetKey, budget: Budget): Promise<void> {
  await tx.run(sql`
    insert into budgets (account_id, currency, amount_minor, pending_amount_minor, pending_from)
    values (${key.accountId}, ${key.currency}, ${budget.amountMinor},
            ${budget.pending?.amountMinor ?? null}, ${budget.pending?.from ?? null})
    on conflict (account_id, currency) do update set
      amount_minor = excluded.amount_minor,
      pending_amount_minor = excluded.pending_amount_minor,
      pending_from = excluded.pending_from`);
}
