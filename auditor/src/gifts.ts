import { type AccountRange, accountsIn, accountValues } from './account-ranges.ts';
import type { Query } from './database.ts';
import type { Violation } from './invariant.ts';

// I1 for points that were not bought. Each gift has a row with its reason, one statement entry, and
// steps that record how much of it is kept. A forged gift needs a forged reason too. Gift entries
// are recognised by their posting; the sums over orders exclude them, so they are all checked here.

export const isOfGift = `starts_with(posting, 'gift')`;

/**
 * The sources of gifts by reason: account, origin id, points, lifetime in days, and points that
 * should be kept.
 */
const reasonsOf = (own: string): Readonly<Record<string, string>> => ({
  rebate: `
    select account_id, credit_id as origin_id, present_points as points, present_days as days,
           case when count(step) % 2 = 1 then present_points else 0 end as stays
    from rebate_credits left join rebate_credit_steps using (account_id, campaign_id, tier)
    where ${own} group by account_id, credit_id, present_points, present_days`,
  // The points of a code, or the price of the item that is bought with them. They are never taken
  // back.
  code: `
    select account_id, redemption_id as origin_id, points, (terms #>> '{reward,days}')::int as days,
           points as stays
    from redemptions, lateral (
      select (case terms #>> '{reward,kind}' when 'points' then terms #>> '{reward,points}'
                when 'item' then terms #>> '{inputs,pricePoints}' end)::bigint as points
    ) as reward
    where points is not null and ${own}`,
});

/** By order, the origin of the points that were given to pay for it. */
export type Purposes = ReadonlyMap<string, string>;

const statements = (own: string) => `
  select account_id, origin_id, count(*) filter (where kind = 'gift') as grants,
         coalesce(sum(present_change) filter (where kind = 'gift'), 0) as granted,
         sum(basic_change) as basic, sum(present_change) as present,
         bool_and(kind in ('gift', 'claw_back', 'restore')) as is_known
  from point_entries where ${isOfGift} and ${own} group by account_id, origin_id`;

/** The state of each gift after its last step. */
const standing = (own: string) => `
  select distinct on (account_id, origin_id) account_id, origin_id, step, basic_granted,
         present_granted, present_kept, present_claimed, present_owed,
         count(*) over gift as steps, first_value(present_kept) over gift as first_kept
  from top_up_steps where ${isOfGift} and ${own}
  window gift as (partition by account_id, origin_id order by step
                  rows between unbounded preceding and unbounded following)
  order by account_id, origin_id, step desc`;

const unlikeStatements = `
  select format('gift %s of account %s is of %s points, its statement gave %s in %s entries',
                origin_id, account_id, coalesce(points, 0), coalesce(granted, 0), coalesce(grants, 0))
  from gifts full join statements using (account_id, origin_id)
  where points is null or grants is distinct from 1 or granted <> points or not is_known`;

const unlikeSteps = `
  select format('gift %s of account %s keeps %s points, its statement left %s and %s', origin_id,
                account_id, coalesce(present_kept, 0), coalesce(basic, 0), coalesce(present, 0))
  from gifts full join standing using (account_id, origin_id)
    left join statements using (account_id, origin_id)
  where points is null or steps is distinct from step or basic_granted <> 0
     or points <> present_granted or points <> first_kept
     or basic is distinct from -present_owed or present is distinct from points - present_claimed`;

const unlikeLots = (own: string) => `
  select format('gift %s of account %s lies in no lot of %s points that ends when it should',
                origin_id, account_id, points)
  from point_gifts
  where ${own} and not exists (
    select from point_lots
    where point_lots.account_id = point_gifts.account_id
      and point_lots.origin_id = point_gifts.origin_id and bucket = 'present' and granted = points
      and created_at = at and expires_at is not distinct from at + make_interval(days => days))`;

const unlikeReason = (reason: string, origins: string) => `
  select format('gift %s of account %s is a ${reason} of %s points, of which %s stay, its reason says '
                || '%s, of which %s', origin_id, account_id, coalesce(given.points, 0),
                coalesce(present_kept, 0), coalesce(origins.points, 0), coalesce(stays, 0))
  from (select * from gifts where reason = '${reason}') as given
    full join (${origins}) as origins using (account_id, origin_id)
    left join standing using (account_id, origin_id)
  where given.points is distinct from origins.points or given.days is distinct from origins.days
     or present_kept is distinct from stays`;

/**
 * A rebate tier stands as long as the counted money reaches it, by the terms under which it was
 * reached.
 */
const unlikeProgress = (own: string) => `
  select format('credit %s of account %s %s at %s, it needs %s', credit_id, account_id,
                case steps % 2 when 1 then 'stands' else 'does not stand' end, progress, from_minor)
  from rebate_credits, lateral (
    select count(*) as steps from rebate_credit_steps as taken
    where taken.account_id = rebate_credits.account_id
      and taken.campaign_id = rebate_credits.campaign_id and taken.tier = rebate_credits.tier
  ) as counted, lateral (
    select coalesce(sum(change_minor), 0) as progress from rebate_counts as counts
    where counts.account_id = rebate_credits.account_id
      and counts.campaign_id = rebate_credits.campaign_id
  ) as reached
  where ${own} and (steps % 2 = 1) <> (progress >= from_minor)`;

/** No order counts for more than the money that stays; refunds under way are not known here. */
const unlikeOrders = (own: string) => `
  select format('order %s counts for %s in %s, of its money stays %s', counted.payment_id, kept_minor,
                campaign_id, case when arrived_at is null then 0 else amount_minor - refunded_minor end)
  from (
    select distinct on (account_id, campaign_id, payment_id) account_id, campaign_id, payment_id,
           kept_minor
    from rebate_counts where ${own} order by account_id, campaign_id, payment_id, seq desc
  ) as counted,
       -- One by one: all together are taken for so many that the whole table is read.
       lateral (select * from orders where orders.account_id = counted.account_id
                and orders.payment_id = counted.payment_id offset 0) as orders
  where kept_minor > case when arrived_at is null then 0 else amount_minor - refunded_minor end
     or (state = 'arrived' and version = 3 and kept_minor <> amount_minor)`;

/** Checks all gifts of a range of accounts, and the orders that earned them. */
export async function checkGifts(query: Query, accounts: AccountRange): Promise<Violation[]> {
  const own = accountsIn('account_id', accounts);
  const unlikeGifts = [
    ...[unlikeStatements, unlikeSteps],
    ...Object.entries(reasonsOf(own)).map(([reason, origins]) => unlikeReason(reason, origins)),
  ];
  // Statements and steps are scanned once for all of these checks.
  const all = `
    with gifts as materialized (select * from point_gifts where ${own}),
         statements as materialized (${statements(own)}), standing as materialized (${standing(own)})
    ${unlikeGifts.join(' union all ')}`;
  const credits = accountsIn('rebate_credits.account_id', accounts);
  const queries = [all, unlikeLots(own), unlikeProgress(credits), unlikeOrders(own)];
  const found = await Promise.all(queries.map((text) => query(text, accountValues(accounts))));
  return found.flat().map(([text = '']) => ({ id: 'I1', text }));
}
