import { z } from 'zod';
import { type Db, sql, type Tx } from '../platform/db.ts';
import type { SettlementLine } from '../psp/psp.ts';

export interface Day {
  psp: string;
  /** As in 2026-11-14; a provider's day is a day in UTC. */
  day: string;
}

const DayRow = z.object({
  psp: z.string(),
  day: z.string(),
  report_id: z.string().nullable(),
  is_imported: z.boolean(),
});
export type DayRow = z.output<typeof DayRow>;

const dayColumns = sql`psp, day::text, report_id, imported_at is not null as is_imported`;

/** Makes a row for each day that has closed since the first payment, a week back at most. */
export async function insertClosedDays(
  tx: Tx,
  { psp, closedHours, daysMax }: { psp: string; closedHours: number; daysMax: number },
): Promise<void> {
  await tx.run(sql`
    insert into settlement_days (psp, day)
    select ${psp}, day::date
    from (select min(created_at) as at from payment_attempts where psp = ${psp}) as first,
         generate_series(
           greatest(first.at, now() - make_interval(days => ${daysMax})) at time zone 'UTC',
           now() at time zone 'UTC',
           interval '1 day') as days (day)
    where first.at is not null
      and day::date < ((now() - make_interval(hours => ${closedHours})) at time zone 'UTC')::date
    on conflict do nothing`);
}

export async function insertDay(tx: Tx, { psp, day }: Day): Promise<void> {
  await tx.run(sql`
    insert into settlement_days (psp, day) values (${psp}, ${day}) on conflict do nothing`);
}

/** Oldest first: what is compared looks back at the days before. */
export function selectOpenDays(tx: Tx, psp: string): Promise<DayRow[]> {
  return tx.many(
    DayRow,
    sql`
      select ${dayColumns} from settlement_days
      where psp = ${psp} and compared_at is null order by day limit 31`,
  );
}

export function selectDay(db: Db, { psp, day }: Day): Promise<DayRow | undefined> {
  return db.maybeOne(
    DayRow,
    sql`select ${dayColumns} from settlement_days where psp = ${psp} and day = ${day}`,
  );
}

export async function updateReport(tx: Tx, { psp, day }: Day, reportId: string): Promise<void> {
  await tx.run(sql`
    update settlement_days set report_id = ${reportId}
    where psp = ${psp} and day = ${day} and imported_at is null`);
}

/** The file again is the same file: lines that are here stay as they are. */
export async function insertLines(
  tx: Tx,
  { psp, day }: Day,
  lines: readonly SettlementLine[],
): Promise<void> {
  await tx.run(sql`
    insert into settlement_lines
      (psp, day, line_id, kind, subject_id, capture_id, currency, amount_minor, at)
    select ${psp}, ${day}, * from unnest(
      ${lines.map(({ lineId }) => lineId)}::text[], ${lines.map(({ kind }) => kind)}::text[],
      ${lines.map(({ subjectId }) => subjectId)}::text[],
      ${lines.map(({ captureId }) => captureId)}::text[],
      ${lines.map(({ money }) => money.currency)}::text[],
      ${lines.map(({ money }) => money.amountMinor.toString())}::bigint[],
      ${lines.map(({ at }) => at.toISOString())}::timestamptz[])
    on conflict do nothing`);
}

export async function updateImported(tx: Tx, { psp, day }: Day): Promise<void> {
  await tx.run(sql`
    update settlement_days set imported_at = now() where psp = ${psp} and day = ${day}`);
}

export async function updateCompared(tx: Tx, { psp, day }: Day): Promise<void> {
  await tx.run(sql`
    update settlement_days set compared_at = now() where psp = ${psp} and day = ${day}`);
}

const UnknownLine = z.object({
  line_id: z.string(),
  kind: z.string(),
  subject_id: z.string(),
  capture_id: z.string().nullable(),
  currency: z.string(),
  amount_minor: z.bigint(),
});

/** Lines about payments that we know nothing of. */
export function selectUnknownLines(tx: Tx, { psp, day }: Day) {
  return tx.many(
    UnknownLine,
    sql`
      select line_id, kind, subject_id, lines.capture_id, currency, lines.amount_minor
      from settlement_lines as lines
      where psp = ${psp} and day = ${day} and kind <> 'other' and not exists (
        select from payment_attempts as attempts
        where attempts.psp = lines.psp and attempts.capture_id = lines.capture_id)
      order by line_id limit 1000`,
  );
}

const Difference = z.object({
  account_id: z.uuid(),
  payment_id: z.uuid(),
  kind: z.string(),
  currency: z.string(),
  theirs: z.bigint(),
  ours: z.bigint(),
});
export type Difference = z.output<typeof Difference>;

/** What the provider's books say of some orders, up to a day. */
const theirsOf = ({ psp, day }: Day) => sql`
  select touched.account_id, touched.payment_id, lines.kind, lines.currency,
         sum(lines.amount_minor)::bigint as amount
  from touched
  join payment_attempts as attempts using (account_id, payment_id)
  join settlement_lines as lines
    on lines.psp = attempts.psp and lines.capture_id = attempts.capture_id
  where lines.psp = ${psp} and lines.day <= ${day} and lines.kind <> 'other'
  group by touched.account_id, touched.payment_id, lines.kind, lines.currency`;

/** What ours say: every transfer to or from what the provider holds for us. */
const oursBefore = (moment: ReturnType<typeof sql>) => sql`
  select touched.account_id, touched.payment_id,
         case split_part(posting, ':', 1)
           when 'captured' then 'capture' when 'refund' then 'refund' else 'dispute' end as kind,
         unit as currency,
         sum(case when debit_book = 'house:psp' then amount_minor else -amount_minor end)::bigint as amount
  from touched
  join ledger_transfers as transfers
    on transfers.account_id = touched.account_id and origin_id = touched.payment_id
  where 'house:psp' in (debit_book, credit_book) and transfers.created_at < ${moment}
  group by 1, 2, 3, 4`;

/**
 * What the provider booked on a day and we did not, or not with that amount. We learn of everything
 * after it happened, so whatever is in the file must be in our books by now.
 */
export function selectMissingHere(tx: Tx, key: Day): Promise<Difference[]> {
  return tx.many(
    Difference,
    sql`
      with touched as (
        select distinct account_id, payment_id
        from settlement_lines as lines
        join payment_attempts as attempts
          on attempts.psp = lines.psp and attempts.capture_id = lines.capture_id
        where lines.psp = ${key.psp} and lines.day = ${key.day} and lines.kind <> 'other'
      ), theirs as (${theirsOf(key)}), ours as (${oursBefore(sql`now()`)})
      select account_id, payment_id, kind, currency, theirs.amount as theirs,
             coalesce(ours.amount, 0)::bigint as ours
      from theirs left join ours using (account_id, payment_id, kind, currency)
      where abs(theirs.amount) > abs(coalesce(ours.amount, 0))
         or (kind = 'capture' and theirs.amount <> coalesce(ours.amount, 0))
      order by payment_id, kind limit 1000`,
  );
}

/**
 * What we booked before this day and the provider has not. A day of grace, because we write a
 * moment later than the provider and that may be the next day.
 */
export function selectMissingThere(tx: Tx, key: Day): Promise<Difference[]> {
  const start = sql`${key.day}::date::timestamp at time zone 'UTC'`;
  return tx.many(
    Difference,
    sql`
      with touched as (
        select distinct transfers.account_id, origin_id as payment_id
        from ledger_transfers as transfers
        join payment_attempts as attempts
          on attempts.account_id = transfers.account_id and attempts.payment_id = origin_id
        where 'house:psp' in (debit_book, credit_book) and attempts.psp = ${key.psp}
          and transfers.created_at >= ${start} - interval '1 day' and transfers.created_at < ${start}
          and attempts.created_at >=
            (select min(day)::timestamp at time zone 'UTC' from settlement_days
             where psp = ${key.psp} and imported_at is not null)
      ), theirs as (${theirsOf(key)}), ours as (${oursBefore(start)})
      select account_id, payment_id, kind, currency, coalesce(theirs.amount, 0)::bigint as theirs,
             ours.amount as ours
      from ours left join theirs using (account_id, payment_id, kind, currency)
      where abs(ours.amount) > abs(coalesce(theirs.amount, 0))
      order by payment_id, kind limit 1000`,
  );
}
