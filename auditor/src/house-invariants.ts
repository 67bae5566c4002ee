import { type AccountRange, accountsIn, accountValues } from './account-ranges.ts';
import type { Query } from './database.ts';
import { groupDays } from './day-groups.ts';
import type { Findings } from './findings.ts';
import type { Violation } from './invariant.ts';
import { isArchivedDay } from './settlement-invariants.ts';

// I15 and I16: entries that follow from no single order are compared with the lines of the
// providers' files and with the lots of points.

/** The book that a line of a provider's file moves, on the other side of house:psp. */
const bookOfKind = `case kind when 'fee' then 'house:fees' when 'dispute_fee' then 'house:chargeback_fees'
  when 'payout' then 'house:bank' when 'exchange' then 'house:exchange'
  when 'adjustment' then 'house:adjustments' end`;

/** A payment without a webhook is known within a day, and its fee is posted on the next. */
const late = `interval '2 days'`;

/** The lines of an archived month are in its archive files, so these days are skipped. */
const daysToCheck = `
  select psp, day::text, coalesce(lines, 0) + coalesce(entries, 0), coalesce(entries, 0)
  from settlement_days
    full join (select psp, day, count(*) as entries from house_transfers group by psp, day) as posted
      using (psp, day)
    left join lateral (
      select count(*) as lines from settlement_lines as lines
      where lines.psp = settlement_days.psp and lines.day = settlement_days.day) as listed on true
  where ($1::text[] is null or to_char(day, 'YYYY-MM') = any($1)) and not ${isArchivedDay('day')}
  order by psp, day`;

/**
 * Entries of a day that have no line in the provider's file, or another amount than their line.
 */
const strayEntries = `
  select format('entry %s of %s is no line of the provider''s file', posted.line_id, posted.psp)
  from house_transfers as posted
  left join settlement_lines as lines
    on lines.psp = posted.psp and lines.day = posted.day and lines.line_id = posted.line_id
  where posted.psp = $1 and posted.day = any($2::date[]) and (
    lines.currency, lines.amount_minor,
    case when lines.amount_minor < 0 then ${bookOfKind} else 'house:psp' end,
    case when lines.amount_minor < 0 then 'house:psp' else ${bookOfKind} end
  ) is distinct from (
    posted.unit,
    case posted.debit_book when 'house:psp' then posted.amount_minor else -posted.amount_minor end,
    posted.debit_book, posted.credit_book)`;

/** Lines of our payments without an entry. A fee belongs to us if its payment does. */
const missingEntries = `
  select format('line %s of %s is in no book', line_id, lines.psp)
  from settlement_lines as lines join settlement_days as days using (psp, day)
  where psp = $1 and day = any($2::date[]) and ${bookOfKind} is not null and amount_minor <> 0
    and days.compared_at < now() - ${late}
    and (capture_id is null or exists (
      select from payment_attempts as attempts
      where attempts.psp = lines.psp and attempts.capture_id = lines.capture_id))
    and not exists (
      select from house_transfers as posted
      where posted.psp = lines.psp and posted.line_id = lines.line_id)`;

/** I15: the entries of the house equal the lines of the providers' files, one to one. */
export async function checkHouse(
  { query, findings }: { query: Query; findings: Findings },
  months: readonly string[] | undefined,
): Promise<void> {
  const counted = await query(daysToCheck, [months ?? null]);
  for (const [, , , entries] of counted) findings.count('house_transfers', Number(entries));
  for (const { psp, days } of groupDays(counted)) {
    for (const wrong of [strayEntries, missingEntries]) {
      const rows = await query(`${wrong} limit 1000`, [psp, days]);
      findings.add(rows.map(([text = '']) => ({ id: 'I15', text })));
    }
  }
}

/**
 * Top-ups whose deferred revenue differs from what their lot, steps and price give, or from the sum
 * of its entries.
 */
const wrongDeferrals = (accounts: AccountRange) => `
  with totals as (
    select account_id, origin_id, sum(change_minor) as changed, count(*) as steps,
           (array_agg(deferrals order by step desc))[1] as last
    from deferrals where ${accountsIn('account_id', accounts)} group by account_id, origin_id
  ), expected as (
    select totals.*, coalesce(lots.remaining, 0) as unused, topup.basic_kept as points, sales.sold
    from totals
    left join point_lots as lots on lots.account_id = totals.account_id
      and lots.origin_id = totals.origin_id and lots.bucket = 'basic'
    left join lateral (
      select basic_kept from top_up_steps as steps
      where steps.account_id = totals.account_id and steps.origin_id = totals.origin_id
      order by step desc limit 1) as topup on true
    left join lateral (
      select coalesce(sum(case credit_book when 'house:sales' then amount_minor else -amount_minor end), 0) as sold
      from ledger_transfers as transfers
      where transfers.account_id = totals.account_id and transfers.origin_id = totals.origin_id
        and 'house:sales' in (debit_book, credit_book)) as sales on true
  )
  select format('of top-up %s %s %s is deferred, of %s sold for %s points with %s unused', origin_id,
                (last).deferred_minor, (last).currency, sold, points, unused)
  from expected
  where (last).step <> steps or (last).deferred_minor <> changed
    or (last).remaining <> unused or (last).kept_points is distinct from points
    or (last).sold_minor <> sold
    or (last).deferred_minor <> sold - case when points = 0 then (last).kept_minor
         else div((last).kept_minor::numeric * (points - least(unused, points)), points) end`;

/** I16: the deferred revenue of each top-up is the price of its unused points. */
export async function checkDeferrals(
  { query, findings }: { query: Query; findings: Findings },
  accounts: AccountRange,
): Promise<Violation[]> {
  const values = accountValues(accounts);
  const [[steps] = []] = await query(
    `select count(*) from deferrals where ${accountsIn('account_id', accounts)}`,
    values,
  );
  findings.count('deferrals', Number(steps));
  const rows = await query(wrongDeferrals(accounts), values);
  return rows.map(([text = '']) => ({ id: 'I16', text }));
}
