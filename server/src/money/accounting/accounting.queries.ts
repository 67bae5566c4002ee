import { z } from 'zod';
import type { Session } from '../../platform/connections.ts';

/** A month in UTC. The days of providers are days in UTC as well. */
export interface Span {
  begins: Date;
  ends: Date;
}

const Signed = z.coerce.bigint();

/** Begins a read-only snapshot for long queries that block no other transaction. */
export async function beginSnapshot(session: Session): Promise<void> {
  await session.execute(`
    set statement_timeout = 0;
    set idle_in_transaction_session_timeout = 0;
    set timezone = 'UTC';
    begin isolation level repeatable read read only`);
}

async function read<Row>(
  session: Session,
  row: z.ZodType<Row>,
  text: string,
  values: unknown[],
): Promise<Row[]> {
  const { rows } = await session.execute(text, values);
  return z.array(row).parse(rows);
}

// Changes of deferred revenue as transfers with both sides.
const deferrals = `
  select currency as unit, abs(change_minor) as amount_minor, created_at as at,
         case when change_minor > 0 then 'house:sales' else 'house:deferred' end as debit_book,
         case when change_minor > 0 then 'house:deferred' else 'house:sales' end as credit_book
  from deferrals where change_minor <> 0`;

// A player's transfer counts at its posting time, a house transfer on the day of its settlement
// file.
const both = `
  select debit_book, credit_book, unit, amount_minor, psp, created_at as at from ledger_transfers
  where created_at < $2::timestamptz
  union all
  select debit_book, credit_book, unit, amount_minor, psp, day::timestamptz from house_transfers
  where day < $2::timestamptz::date
  union all
  select debit_book, credit_book, unit, amount_minor, null, at from (${deferrals}) as deferred
  where at < $2::timestamptz`;

const BookRow = z.object({
  unit: z.string(),
  book: z.string(),
  start: Signed,
  debit: Signed,
  credit: Signed,
});
export type BookRow = z.output<typeof BookRow>;

/** The opening balance, debits and credits of each book in the month. Debit is positive. */
export function selectBooks(session: Session, { begins, ends }: Span): Promise<BookRow[]> {
  return read(
    session,
    BookRow,
    `select unit, book,
            coalesce(sum(debit - credit) filter (where at < $1::timestamptz), 0)::text as start,
            coalesce(sum(debit) filter (where at >= $1::timestamptz), 0)::text as debit,
            coalesce(sum(credit) filter (where at >= $1::timestamptz), 0)::text as credit
     from (${both}) as transfers
     cross join lateral (
       values (debit_book, amount_minor, 0), (credit_book, 0, amount_minor)) as sides (book, debit, credit)
     group by unit, book order by unit, book`,
    [begins, ends],
  );
}

const BalanceRow = z.object({
  psp: z.string().nullable(),
  unit: z.string(),
  start: Signed,
  debit: Signed,
  credit: Signed,
});
export type BalanceRow = z.output<typeof BalanceRow>;

/** The balance of each contract. Transfers older than the contract column have none. */
export function selectProviderBalances(
  session: Session,
  { begins, ends }: Span,
): Promise<BalanceRow[]> {
  return read(
    session,
    BalanceRow,
    `select psp, unit,
            coalesce(sum(signed) filter (where at < $1::timestamptz), 0)::text as start,
            coalesce(sum(signed) filter (where at >= $1::timestamptz and signed > 0), 0)::text as debit,
            coalesce(-sum(signed) filter (where at >= $1::timestamptz and signed < 0), 0)::text as credit
     from (${both}) as transfers
     cross join lateral (
       select case debit_book when 'house:psp' then amount_minor else -amount_minor end as signed) as side
     where 'house:psp' in (debit_book, credit_book)
     group by psp, unit order by psp, unit`,
    [begins, ends],
  );
}

const SaleRow = z.object({
  site: z.string().nullable(),
  kind: z.string().nullable(),
  unit: z.string(),
  sold: Signed,
  reversed: Signed,
  deferred: Signed,
});
export type SaleRow = z.output<typeof SaleRow>;

/**
 * Sales, their reversals, and the change of deferred revenue, which is negative if points of
 * earlier months were used. The site of archived orders is unknown.
 */
export function selectSales(session: Session, { begins, ends }: Span): Promise<SaleRow[]> {
  return read(
    session,
    SaleRow,
    `select site_id as site, orders.kind, unit, sum(sold)::text as sold, sum(reversed)::text as reversed,
            sum(deferred)::text as deferred
     from (
       select account_id, origin_id, unit,
              case credit_book when 'house:sales' then amount_minor else 0 end as sold,
              case debit_book when 'house:sales' then amount_minor else 0 end as reversed, 0 as deferred
       from ledger_transfers
       where created_at >= $1::timestamptz and created_at < $2::timestamptz
         and 'house:sales' in (debit_book, credit_book)
       union all
       select account_id, origin_id, currency, 0, 0, change_minor from deferrals
       where created_at >= $1::timestamptz and created_at < $2::timestamptz
     ) as transfers
     left join orders on orders.account_id = transfers.account_id and payment_id = origin_id
     group by site_id, orders.kind, unit order by site_id, orders.kind, unit`,
    [begins, ends],
  );
}

const RefundRow = z.object({
  reason: z.string(),
  psp: z.string().nullable(),
  unit: z.string(),
  refunded: Signed,
  returned: Signed,
});
export type RefundRow = z.output<typeof RefundRow>;

/**
 * Refunds to players less those that were returned. A refund made at the provider has the reason
 * elsewhere, and a lost dispute is a chargeback.
 */
export function selectRefunds(session: Session, { begins, ends }: Span): Promise<RefundRow[]> {
  return read(
    session,
    RefundRow,
    `select case
              when posting like 'dispute:%' then 'chargeback'
              when orders.payment_id is null then '(archived)'
              else coalesce(asked.reason, 'elsewhere')
            end as reason,
            transfers.psp, unit,
            coalesce(sum(transfers.amount_minor) filter (where debit_book = 'player:deposit'), 0)::text as refunded,
            coalesce(sum(transfers.amount_minor) filter (where credit_book = 'player:deposit'), 0)::text as returned
     from ledger_transfers as transfers
     left join orders on orders.account_id = transfers.account_id and orders.payment_id = origin_id
     left join lateral (
       select fact ->> 'reason' as reason from order_events as events
       where events.account_id = transfers.account_id and events.payment_id = origin_id
         and fact ->> 'type' = 'refund_requested' and fact ->> 'refundId' = split_part(posting, ':', 2)
       limit 1) as asked on true
     where transfers.created_at >= $1::timestamptz and transfers.created_at < $2::timestamptz
       and (posting like 'refund:%' or posting like 'dispute:%:lost%')
       and 'player:deposit' in (debit_book, credit_book)
     group by 1, transfers.psp, unit order by 1, transfers.psp, unit`,
    [begins, ends],
  );
}

const FeeRow = z.object({
  psp: z.string(),
  book: z.string(),
  unit: z.string(),
  taken: Signed,
  returned: Signed,
});
export type FeeRow = z.output<typeof FeeRow>;

/** The fees of providers, less those they returned. */
export function selectFees(session: Session, { begins, ends }: Span): Promise<FeeRow[]> {
  return read(
    session,
    FeeRow,
    `select psp, case debit_book when 'house:psp' then credit_book else debit_book end as book, unit,
            coalesce(sum(amount_minor) filter (where credit_book = 'house:psp'), 0)::text as taken,
            coalesce(sum(amount_minor) filter (where debit_book = 'house:psp'), 0)::text as returned
     from house_transfers
     where day >= $1::timestamptz::date and day < $2::timestamptz::date
       and (debit_book in ('house:fees', 'house:chargeback_fees')
         or credit_book in ('house:fees', 'house:chargeback_fees'))
     group by psp, book, unit order by psp, book, unit`,
    [begins, ends],
  );
}

const PayoutRow = z.object({
  day: z.string(),
  psp: z.string(),
  line_id: z.string(),
  unit: z.string(),
  paid_out: Signed,
});
export type PayoutRow = z.output<typeof PayoutRow>;

/** One row per payout; returned payouts and payments into the account are negative. */
export function selectPayouts(session: Session, { begins, ends }: Span): Promise<PayoutRow[]> {
  return read(
    session,
    PayoutRow,
    `select day::text, psp, line_id, unit,
            (case debit_book when 'house:bank' then amount_minor else -amount_minor end)::text as paid_out
     from house_transfers
     where day >= $1::timestamptz::date and day < $2::timestamptz::date and 'house:bank' in (debit_book, credit_book)
     order by day, psp, line_id`,
    [begins, ends],
  );
}

const OpenDay = z.object({ psp: z.string(), day: z.string() });

/**
 * Days of the month that are not compared with a provider in use: from its first settlement day on,
 * or from its first payment of the month if it has no settlement day yet.
 */
export function selectDaysToCompare(
  session: Session,
  { begins, ends }: Span,
  { firstId, endId }: { firstId: string; endId: string },
): Promise<z.output<typeof OpenDay>[]> {
  return read(
    session,
    OpenDay,
    `with used as (
       select psp, min(day) as since from (
         select psp, day from settlement_days
         union all
         select psp, created_at::date from payment_attempts
         where payment_id >= $3 and payment_id < $4) as seen
       group by psp
     )
     select psp, month.day::date::text as day
     from used, generate_series(
       greatest(since, $1::timestamptz::date), $2::timestamptz::date - 1, interval '1 day') as month (day)
     where not exists (
       select from settlement_days as known
       where known.psp = used.psp and known.day = month.day::date and compared_at is not null)
     order by psp, day`,
    [begins, ends, firstId, endId],
  );
}
