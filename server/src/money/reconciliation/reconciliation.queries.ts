import { z } from 'zod';
import { type Db, sql, type Tx } from '../../platform/db.ts';
import type { SettlementLine } from '../psp/psp.ts';

export interface Day {
  psp: string;
  /** In the form 2026-11-14; a provider's day is a day in UTC. */
  day: string;
}

const DayRow = z.object({
  psp: z.string(),
  day: z.string(),
  asked_at: z.date(),
  report_id: z.string().nullable(),
  is_imported: z.boolean(),
  compared_line: z.string().nullable(),
  compared_until: z.date().nullable(),
  differences: z.int(),
});
export type DayRow = z.output<typeof DayRow>;

const dayColumns = sql`
  psp, day::text, asked_at, report_id, imported_at is not null as is_imported, compared_line, compared_until,
  differences`;

/**
 * Whether a provider had any payment by the end of a day, because money moves for months after the
 * first payment. Payment ids contain their start time.
 */
export async function selectWasUsed(
  tx: Tx,
  { psp, day, fromId, untilId }: Day & { fromId: string; untilId: string },
): Promise<boolean> {
  const { was_used } = await tx.one(
    z.object({ was_used: z.boolean() }),
    sql`
      select exists (select from settlement_days where psp = ${psp} and day < ${day})
        or exists (
          select from payment_attempts
          where psp = ${psp} and payment_id >= ${fromId} and payment_id < ${untilId}) as was_used`,
  );
  return was_used;
}

export async function insertDay(tx: Tx, { psp, day }: Day): Promise<void> {
  await tx.run(sql`
    insert into settlement_days (psp, day) values (${psp}, ${day}) on conflict do nothing`);
}

/** Oldest first, because a comparison also reads the days before. */
export function selectOpenDays(tx: Tx, psp: string): Promise<DayRow[]> {
  return tx.many(
    DayRow,
    sql`
      select ${dayColumns} from settlement_days
      where psp = ${psp} and compared_at is null order by day limit 31`,
  );
}

export function selectDay(db: Db | Tx, { psp, day }: Day): Promise<DayRow | undefined> {
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

/** Keeps existing lines, because a settlement file never changes. */
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

/** Resets the progress of a day, so that it is compared again from the start. */
export async function updateToCompare(tx: Tx, { psp, day }: Day): Promise<void> {
  await tx.run(sql`
    update settlement_days
    set compared_at = null, compared_line = null, compared_until = null, differences = 0
    where psp = ${psp} and day = ${day}`);
}

/** Stores the progress. False if another worker has stored progress meanwhile. */
export async function updateStep(
  tx: Tx,
  before: DayRow,
  step: { comparedLine?: string; comparedUntil?: Date; found: number },
): Promise<boolean> {
  const updated = await tx.run(sql`
    update settlement_days
    set compared_line = ${step.comparedLine ?? before.compared_line},
        compared_until = ${step.comparedUntil ?? before.compared_until},
        differences = differences + ${step.found}
    where psp = ${before.psp} and day = ${before.day}
      and compared_line is not distinct from ${before.compared_line}::text
      and compared_until is not distinct from ${before.compared_until}::timestamptz`);
  return updated === 1;
}

/** A range of a day's lines by id: after `after` and up to and including the last. */
export interface Stretch extends Day {
  after: string;
  last: string;
}

/** The last id of the next range; undefined if no line is left. */
export async function selectStretchEnd(
  db: Db,
  { psp, day, after, rowsMax }: Day & { after: string; rowsMax: number },
): Promise<string | undefined> {
  const row = await db.one(
    z.object({ last: z.string().nullable() }),
    sql`
      select max(line_id) as last from (
        select line_id from settlement_lines
        where psp = ${psp} and day = ${day} and line_id > ${after}
        order by line_id limit ${rowsMax}) as stretch`,
  );
  return row.last ?? undefined;
}

/** Lines that are compared with the ledger. All other lines only change the provider's balance. */
const isOfPayment = sql`lines.kind in ('capture', 'refund', 'dispute')`;

const isIn = ({ psp, day, after, last }: Stretch) => sql`
  lines.psp = ${psp} and lines.day = ${day} and lines.line_id > ${after} and lines.line_id <= ${last}
  and ${isOfPayment}`;

export const LineRow = z.object({
  line_id: z.string(),
  kind: z.string(),
  subject_id: z.string(),
  capture_id: z.string().nullable(),
  currency: z.string(),
  amount_minor: z.bigint(),
});
export type LineRow = z.output<typeof LineRow>;
export const lineColumns = sql`
  line_id, lines.kind, subject_id, lines.capture_id, lines.currency, lines.amount_minor`;

// Lines without a payment, such as payouts, belong to the account and so to the shop.
export const isUnknown = sql`
  lines.kind <> 'other' and (${isOfPayment} or lines.capture_id is not null) and not exists (
    select from payment_attempts as attempts
    where attempts.psp = lines.psp and attempts.capture_id = lines.capture_id)`;

/** The first line of each payment that is unknown to the shop. */
export function selectUnknownCaptures(
  db: Db,
  stretch: Stretch,
  { rowsMax }: { rowsMax: number },
): Promise<LineRow[]> {
  return db.many(
    LineRow,
    sql`
      select distinct on (capture_id) ${lineColumns} from settlement_lines as lines
      where ${isIn(stretch)} and ${isUnknown} order by capture_id, line_id limit ${rowsMax}`,
  );
}

// Payments that turned out to be the shop's have cases of their own.
const isNobodys = ({ psp, day }: Day) => sql`
  lines.psp = ${psp} and lines.day = ${day} and ${isUnknown} and not exists (
    select from cases
    where cases.kind = 'settlement' and subject = ${`${psp}:${day}:`} || lines.line_id)`;

export function selectUnknownLines(
  tx: Tx,
  key: Day,
  { rowsMax }: { rowsMax: number },
): Promise<LineRow[]> {
  return tx.many(
    LineRow,
    sql`
      select ${lineColumns} from settlement_lines as lines
      where ${isNobodys(key)} order by line_id limit ${rowsMax}`,
  );
}

const UnknownSum = z.object({
  kind: z.string(),
  currency: z.string(),
  lines: z.int(),
  theirs: z.bigint(),
});

export function selectUnknownSums(tx: Tx, key: Day): Promise<z.output<typeof UnknownSum>[]> {
  return tx.many(
    UnknownSum,
    sql`
      select lines.kind, currency, count(*)::int as lines, sum(amount_minor)::bigint as theirs
      from settlement_lines as lines
      where ${isNobodys(key)} group by lines.kind, currency order by lines.kind, currency`,
  );
}

const RefundLine = LineRow.extend({ account_id: z.uuid(), payment_id: z.uuid() });
export type RefundLine = z.output<typeof RefundLine>;

/**
 * Refunds of the shop's payments that are in the settlement file but not in the ledger, because
 * they were made in the provider's dashboard or their webhook was lost. Also refunds that were
 * returned.
 */
export function selectUnbookedRefunds(db: Db, stretch: Stretch): Promise<RefundLine[]> {
  return db.many(
    RefundLine,
    sql`
      select ${lineColumns}, attempts.account_id, attempts.payment_id
      from settlement_lines as lines
      join payment_attempts as attempts
        on attempts.psp = lines.psp and attempts.capture_id = lines.capture_id
      where ${isIn(stretch)} and lines.kind = 'refund'
        and (lines.amount_minor > 0 or not exists (
          select from ledger_transfers as transfers
          where transfers.account_id = attempts.account_id
            and transfers.origin_id = attempts.payment_id
            and transfers.posting = 'refund:' || lines.subject_id))
      order by line_id`,
  );
}

/** The settlement line of a refund, found by the provider's id or by the shop's. */
export function selectRefundLine(
  db: Db,
  { psp, captureId, reference }: { psp: string; captureId: string; reference: string },
): Promise<LineRow | undefined> {
  return db.maybeOne(
    LineRow,
    sql`
      select ${lineColumns} from settlement_lines as lines
      where psp = ${psp} and capture_id = ${captureId} and kind = 'refund' and amount_minor < 0
        and ${reference} in (subject_id, line_id)
      order by line_id limit 1`,
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

/**
 * The sums of the orders in `touched` in the settlement lines up to a day and in the ledger before
 * a moment. Computed in one pass, because joining two separate sums would compare them row by row.
 */
const bookedOf = ({ psp, day }: Day, moment: ReturnType<typeof sql>) => sql`
  booked as (
    select account_id, payment_id, lines.kind, lines.currency, lines.amount_minor as theirs,
           0::bigint as ours, true as is_theirs
    from touched
    join payment_attempts as attempts using (account_id, payment_id)
    join settlement_lines as lines
      on lines.psp = attempts.psp and lines.capture_id = attempts.capture_id
    where lines.psp = ${psp} and lines.day <= ${day} and ${isOfPayment}
    union all
    select touched.account_id, payment_id,
           case split_part(posting, ':', 1)
             when 'captured' then 'capture' when 'refund' then 'refund' else 'dispute' end,
           unit, 0::bigint,
           case when debit_book = 'house:psp' then amount_minor else -amount_minor end, false
    from touched
    join ledger_transfers as transfers on transfers.origin_id = payment_id
      and transfers.account_id = touched.account_id
    where 'house:psp' in (debit_book, credit_book) and transfers.created_at < ${moment}
  )`;

const summed = sql`
  account_id, payment_id, kind, currency, sum(theirs)::bigint as theirs, sum(ours)::bigint as ours`;

/**
 * Amounts that the provider booked on a day and the shop did not, or not with that amount. The shop
 * learns of everything later than the provider, so all lines of the file must be in the ledger by
 * now.
 */
export function selectMissingHere(db: Db, stretch: Stretch): Promise<Difference[]> {
  return db.many(
    Difference,
    sql`
      with touched as materialized (
        select distinct attempts.account_id, attempts.payment_id
        from settlement_lines as lines
        join payment_attempts as attempts
          on attempts.psp = lines.psp and attempts.capture_id = lines.capture_id
        where ${isIn(stretch)}
      ), ${bookedOf(stretch, sql`now()`)}
      select ${summed} from booked group by account_id, payment_id, kind, currency
      having bool_or(is_theirs) and (
        abs(sum(theirs)) > abs(sum(ours)) or (kind = 'capture' and sum(theirs) <> sum(ours)))
      order by payment_id, kind`,
  );
}

/**
 * Amounts that the shop booked before this day and the provider did not. One day is left out,
 * because the shop writes slightly later than the provider, possibly on the next day.
 */
export function selectMissingThere(
  db: Db,
  key: Day,
  { from, until }: { from: Date; until: Date },
): Promise<Difference[]> {
  const start = sql`${key.day}::date::timestamp at time zone 'UTC'`;
  return db.many(
    Difference,
    sql`
      with touched as materialized (
        select distinct transfers.account_id, origin_id as payment_id
        from ledger_transfers as transfers
        join payment_attempts as attempts
          on attempts.account_id = transfers.account_id and attempts.payment_id = origin_id
        where 'house:psp' in (debit_book, credit_book) and attempts.psp = ${key.psp}
          and transfers.created_at >= ${from} and transfers.created_at < ${until}
          and attempts.created_at >=
            (select min(day)::timestamp at time zone 'UTC' from settlement_days
             where psp = ${key.psp} and imported_at is not null)
      ), ${bookedOf(key, start)}
      select ${summed} from booked group by account_id, payment_id, kind, currency
      having abs(sum(ours)) > abs(sum(theirs))
      order by payment_id, kind`,
  );
}
