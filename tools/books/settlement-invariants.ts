import { hash } from './hash.ts';
import { patience } from './invariant.ts';

// I14, as queries. Where the provider's lines and our transfers add up to the same, nobody has to
// look; if they do not, they are added up in some thousand piles, and of a pile that is not the same
// each order is gone through.

const piles = 4096;

/** A pile and a weight follow from what a line is about; the seed is a secret of this run. */
const hashOf = (subject: string, unit: string, seed: number) => hash(`${seed}`, subject, unit);
const pileOf = (hash: string) => `(${hash} & ${piles - 1})::int`;
const weightOf = (hash: string, amount: string) => `sum(${amount} * ((${hash} >> 12) & 65535))`;

const lineHash = (seed: number) =>
  hashOf(
    `(case kind when 'capture' then 'captured:' when 'refund' then 'refund:' else 'dispute:' end || subject_id)`,
    'currency',
    seed,
  );
const transferHash = (seed: number) =>
  hashOf(
    `case when posting like 'dispute:%' then 'dispute:' || split_part(posting, ':', 2) else posting end`,
    'unit',
    seed,
  );

const isProviders = `(debit_book = 'house:psp' or credit_book = 'house:psp')`;
const signed = `case debit_book when 'house:psp' then amount_minor else -amount_minor end`;

/** Days that we have whole: they were fetched when they were over. */
const wholeDays = `
  select psp, day from settlement_days
  where imported_at >= (day + 1)::timestamptz and imported_at < now() - ${patience}`;

/** Not those of a day that we have only in part: our transfers of it are not added up either. */
const isLine = `kind <> 'other' and day <= (select max(day) from (${wholeDays}))`;
const isSettled = `${isProviders} and created_at >= (select min(day)::timestamptz from (${wholeDays}))
  and created_at < (select (max(day) + 1)::timestamptz from (${wholeDays}))`;

/** All lines, and all transfers of the same days. */
export const theirTotal = (seed: number) =>
  `${weightOf(lineHash(seed), 'amount_minor')} filter (where ${isLine})`;
export const ourTotal = (seed: number) =>
  `${weightOf(transferHash(seed), signed)} filter (where ${isSettled})`;

/** Piles in which the provider's books and ours differ. */
export const unlikePiles = (seed: number) => `
  with theirs as (
    select ${pileOf(lineHash(seed))} as pile, ${weightOf(lineHash(seed), 'amount_minor')} as weight
    from settlement_lines where ${isLine} group by pile
  ), ours as (
    select ${pileOf(transferHash(seed))} as pile, ${weightOf(transferHash(seed), signed)} as weight
    from ledger_transfers where ${isSettled} group by pile
  )
  select pile from theirs full join ours using (pile)
  where coalesce(theirs.weight, 0) <> coalesce(ours.weight, 0)`;

/**
 * Of the orders in some piles, those of which the provider booked more than we did, or less than we
 * had booked a day before. A day, because we write a moment later than the provider and that may be
 * the next day. What an operator was told of is no violation.
 */
export const differences = (seed: number) => `
  with days as (${wholeDays}), touched as (
    select attempts.account_id, attempts.payment_id
    from settlement_lines as lines join payment_attempts as attempts
      on attempts.psp = lines.psp and attempts.capture_id = lines.capture_id
    where kind <> 'other' and ${pileOf(lineHash(seed).replace('currency', 'lines.currency'))} = any($1)
    union
    select account_id, origin_id from ledger_transfers
    where ${isProviders} and ${pileOf(transferHash(seed))} = any($1)
  ), theirs as (
    select account_id, payment_id, kind, lines.currency, sum(lines.amount_minor) as amount
    from touched join payment_attempts as attempts using (account_id, payment_id)
    join settlement_lines as lines
      on lines.psp = attempts.psp and lines.capture_id = attempts.capture_id
    join days on days.psp = lines.psp and days.day = lines.day
    where kind <> 'other' group by account_id, payment_id, kind, lines.currency
  ), ours as (
    select touched.account_id, payment_id,
           case split_part(posting, ':', 1) when 'captured' then 'capture'
             when 'refund' then 'refund' else 'dispute' end as kind,
           unit as currency, sum(${signed}) as amount,
           coalesce(sum(${signed}) filter (where is_due), 0) as amount_due
    from touched join ledger_transfers as transfers
      on transfers.account_id = touched.account_id and origin_id = payment_id
    cross join lateral (
      -- Each provider closes its days by itself; what two had part in is due when both have.
      select bool_and(exists (
        select from days join days as next on next.psp = days.psp and next.day = days.day + 1
        where days.psp = paid.psp and days.day = (transfers.created_at)::date)) as is_due
      from payment_attempts as paid
      where paid.account_id = touched.account_id and paid.payment_id = touched.payment_id
        and paid.capture_id is not null
    ) as settled
    where ${isProviders} group by touched.account_id, payment_id, 3, unit
  )
  select format('order %s: the provider''s books say %s %s of %s, ours %s', payment_id,
                coalesce(theirs.amount, 0), currency, kind, coalesce(ours.amount, 0)) as violation
  from theirs full join ours using (account_id, payment_id, kind, currency)
  where (abs(coalesce(theirs.amount, 0)) > abs(coalesce(ours.amount, 0))
         or abs(coalesce(ours.amount_due, 0)) > abs(coalesce(theirs.amount, 0))
         or (kind = 'capture' and theirs.amount <> ours.amount))
    and not exists (
      select from cases where cases.kind = 'settlement' and cases.payment_id = coalesce(theirs.payment_id, ours.payment_id))
  union all
  select format('the provider''s books have %s %s of %s, which is not ours', amount_minor, currency,
                subject_id)
  from settlement_lines as lines join days using (psp, day)
  where kind <> 'other' and ${pileOf(lineHash(seed))} = any($1)
    and not exists (
      select from payment_attempts as attempts
      where attempts.psp = lines.psp and attempts.capture_id = lines.capture_id)
    and not exists (
      select from cases
      where cases.kind = 'settlement' and subject in (
        lines.psp || ':' || lines.day || ':' || line_id, lines.psp || ':' || lines.day || ':more'))`;
