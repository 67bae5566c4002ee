import { type Between, isBetween, valuesOf } from './batches.ts';
import type { Query } from './database.ts';
import { groupDays } from './day-groups.ts';
import type { Findings } from './findings.ts';
import { gracePeriod, type Violation } from './invariant.ts';
import { type IdRange, idsIn } from './ranges.ts';

// I14: the lines of the providers' daily files match our transfers with the provider for each
// order.

const isProviders = `(debit_book = 'house:psp' or credit_book = 'house:psp')`;
const signed = `case debit_book when 'house:psp' then amount_minor else -amount_minor end`;

/** Other lines, such as fees and payouts, are checked by I15. */
const isOfPayment = `kind in ('capture', 'refund', 'dispute')`;

/** The lines of an archived month are in its archive files. */
export const isArchivedDay = (day: string) =>
  `${day} in (select day from archives, generate_series(month, month + interval '1 month - 1 day', '1 day') as day
   where state <> 'restored')`;

/** Complete days: they were fetched after they had ended. */
const wholeDays = `
  select psp, day from settlement_days
  where imported_at >= (day + 1)::timestamptz and imported_at < now() - ${gracePeriod}
    and not ${isArchivedDay('day')}`;

/**
 * Orders of a batch for which the provider booked more than we did, or less than we had booked a
 * day before. The day of tolerance is needed because we write a moment later than the provider,
 * possibly on the next day. Differences with a case are no violation.
 */
const differences = (range: IdRange, between: Between) => `
  with days as materialized (${wholeDays}), closed as materialized (
    select psp, day from days
    where exists (select from days as next where next.psp = days.psp and next.day = days.day + 1)
  ), attempts as materialized (
    select account_id, payment_id, psp, capture_id from payment_attempts
    where capture_id is not null and ${isBetween('payment_id', range, between)}
  ), transfers as materialized (
    select account_id, origin_id as payment_id, posting, unit, ${signed} as amount,
           (created_at at time zone 'UTC')::date as day
    from ledger_transfers where ${isProviders} and ${isBetween('origin_id', range, between)}
  ), theirs as (
    select account_id, payment_id, kind, currency, sum(amount_minor) as amount
    from attempts,
         -- One by one: all together are taken for so many that the whole table is read.
         lateral (select day, kind, currency, amount_minor from settlement_lines as lines
                  where lines.psp = attempts.psp and lines.capture_id = attempts.capture_id
                    and ${isOfPayment} offset 0) as lines
         join days using (day)
    where days.psp = attempts.psp
    group by account_id, payment_id, kind, currency
  ), due as (
    -- Each provider closes its days by itself; what two had part in is due when both have.
    select account_id, payment_id, posting, bool_and(closed.day is not null) as is_due
    from transfers join attempts using (account_id, payment_id)
      left join closed on closed.psp = attempts.psp and closed.day = transfers.day
    group by account_id, payment_id, posting
  ), ours as (
    select account_id, payment_id,
           case split_part(posting, ':', 1) when 'captured' then 'capture'
             when 'refund' then 'refund' else 'dispute' end as kind,
           unit as currency, sum(amount) as amount,
           coalesce(sum(amount) filter (where is_due), 0) as amount_due,
           bool_or(${isArchivedDay('day')}) as is_archived
    from transfers left join due using (account_id, payment_id, posting)
    group by account_id, payment_id, 3, unit
  )
  select format('order %s: the provider''s books say %s %s of %s, ours %s', payment_id,
                coalesce(theirs.amount, 0), currency, kind, coalesce(ours.amount, 0))
  from theirs full join ours using (account_id, payment_id, kind, currency)
  where (abs(coalesce(theirs.amount, 0)) > abs(coalesce(ours.amount, 0))
         or abs(coalesce(ours.amount_due, 0)) > abs(coalesce(theirs.amount, 0))
         or (kind = 'capture' and theirs.amount <> ours.amount))
    and is_archived is not true
    and not exists (
      select from cases where cases.kind = 'settlement' and cases.payment_id = coalesce(theirs.payment_id, ours.payment_id))`;

export async function checkSettledOrders(
  query: Query,
  range: IdRange,
  between: Between,
): Promise<Violation[]> {
  const rows = await query(differences(range, between), valuesOf(between));
  return rows.map(([text = '']) => ({ id: 'I14', text }));
}

const daysToCheck = `
  select psp, day::text, (
    select count(*) from settlement_lines as lines
    where lines.psp = days.psp and lines.day = days.day and ${isOfPayment})
  from (${wholeDays}) as days
  where $1::text[] is null or to_char(day, 'YYYY-MM') = any($1) order by psp, day`;

/** Lines of some days that name a payment which is not ours. */
const strangeLines = `
  select line_id, capture_id, amount_minor, currency, subject_id
  from settlement_lines as lines
  where psp = $1 and day = any($2::date[]) and ${isOfPayment}
    and not exists (
      select from payment_attempts as attempts
      where attempts.psp = lines.psp and attempts.capture_id = lines.capture_id)
    and not exists (
      select from cases
      where cases.kind = 'settlement'
        and subject in (psp || ':' || day || ':' || line_id, psp || ':' || day || ':more'))
  limit 10000`;

/**
 * Lines of each day that belong to none of our orders. Payments of archived orders are looked up in
 * the ledger, only if there are such lines, because no index supports the lookup.
 */
export async function checkSettledDays(
  { query, findings }: { query: Query; findings: Findings },
  { ranges, months }: { ranges: readonly IdRange[]; months: readonly string[] | undefined },
): Promise<void> {
  const archived = ranges.filter(({ state }) => state === 'archived' || state === 'moving');
  const counted = await query(daysToCheck, [months ?? null]);
  for (const [, , lines] of counted) findings.count('settlement_lines', Number(lines));
  for (const { psp, days } of groupDays(counted)) {
    const strange = await query(strangeLines, [psp, days]);
    if (strange.length === 0) continue;
    const known = await archivedCaptures(query, {
      captures: strange.map(([, capture]) => capture),
      archived,
    });
    findings.add(
      strange
        .filter(([, capture = '']) => !known.has(capture))
        .map(([, , amount, currency, subject]) => ({
          id: 'I14',
          text: `the provider's books have ${amount} ${currency} of ${subject}, which is not ours`,
        })),
    );
  }
}

async function archivedCaptures(
  query: Query,
  { captures, archived }: { captures: readonly unknown[]; archived: readonly IdRange[] },
): Promise<ReadonlySet<string>> {
  const known = new Set<string>();
  for (const range of archived) {
    const rows = await query(
      `select distinct split_part(posting, ':', 2) from ledger_transfers
       where posting like 'captured:%' and split_part(posting, ':', 2) = any($1)
         and ${idsIn('origin_id', range)}`,
      [captures],
    );
    for (const [capture = ''] of rows) known.add(capture);
  }
  return known;
}
