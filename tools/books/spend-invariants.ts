import { patience } from './invariant.ts';

// I13, as queries with one text `violation` for each thing that is wrong. They are told of when
// which top-ups were frozen: `$1` are their orders, `$2` and `$3` the moments from and until.

const frozen = `
  select * from unnest($1::uuid[], $2::timestamptz[], $3::timestamptz[])
    as frozen (origin_id, frozen_from, frozen_until)`;

/** The times of each top-up together, each of them between two moments. */
const frozenBetween = (from: string, until: string) => `
  select origin_id, range_agg(tstzrange(${from}, ${until}, '[]')) as times
  from (${frozen}) as frozen where ${from} <= ${until} group by origin_id`;
const surelyFrozen = frozenBetween(`frozen_from + ${patience}`, `frozen_until - ${patience}`);
const maybeFrozen = frozenBetween(`frozen_from - ${patience}`, `frozen_until + ${patience}`);

/** Each draw of a spend with the lot it was drawn from; the bucket drawn first goes before the other. */
const draws = `
  select account_id, seq, position, lot_id, -points as points, entries.at, entries.origin_id, bucket,
         lots.origin_id as top_up_id, coalesce(expires_at, 'infinity') as ends_at, created_at,
         first_value(bucket) over (partition by account_id, seq order by position) as first_bucket
  from point_entries as entries join point_draws using (account_id, seq)
  join point_lots as lots using (account_id, lot_id)
  where kind = 'spend'`;

/** Nothing past its time was spent, nothing frozen, and of all else what ends first. */
export const wrongDraws = `
  with frozen as (${surelyFrozen}), draws as (${draws}), ranked as (
    select *, row_number() over (
             partition by account_id, seq
             order by bucket <> first_bucket, ends_at, created_at, lot_id) as rank
    from draws
  )
  select format('order %s drew %s points from lot %s: %s', ranked.origin_id, points, lot_id, wrong)
         as violation
  from ranked left join frozen on frozen.origin_id = top_up_id, lateral (values
    (case when ends_at <= at then 'past its time' end),
    (case when rank <> position then 'not in its turn' end),
    (case when points <= 0 then 'the wrong way' end),
    (case when at <@ frozen.times then 'frozen' end)
  ) as found (wrong)
  where wrong is not null`;

/** What was left in other lots could not be spent, or comes after the last lot drawn. */
export const leftBehind = `
  with frozen as (${maybeFrozen}), draws as (${draws}), last as (
    select distinct on (account_id, seq) * from draws order by account_id, seq, position desc
  ), lying as (
    select account_id, lot_id, seq,
           sum(points) over (partition by account_id, lot_id order by seq) as remaining,
           lead(seq, 1, 2147483647) over (partition by account_id, lot_id order by seq) as next_seq
    from point_draws
  )
  select format('order %s drew on lot %s before lot %s, which had %s points', last.origin_id,
                last.lot_id, lots.lot_id, lying.remaining) as violation
  from last join lying on lying.account_id = last.account_id and lying.seq <= last.seq
    and lying.next_seq > last.seq and lying.remaining > 0 and lying.lot_id <> last.lot_id
  join point_lots as lots on lots.account_id = lying.account_id and lots.lot_id = lying.lot_id
  left join frozen on frozen.origin_id = lots.origin_id
  where (lots.bucket <> first_bucket, coalesce(lots.expires_at, 'infinity'), lots.created_at,
         lots.lot_id)
      < (last.bucket <> first_bucket, last.ends_at, last.created_at, last.lot_id)
    and coalesce(lots.expires_at, 'infinity') > last.at
    and (last.at <@ frozen.times) is not true`;

/** Only what was spent is given back, what was drawn last first, to the bucket it came from. */
export const wrongGiveBacks = `
  with back as (
    select account_id, origin_id, sum(basic_change) as basic, sum(present_change) as present
    from point_entries where kind = 'refund' group by account_id, origin_id
  ), draws as (
    select account_id, origin_id, bucket, points, coalesce(sum(points) over (
             partition by account_id, origin_id order by position desc
             rows between unbounded preceding and 1 preceding), 0) as drawn_after
    from (${draws}) as draws
  ), expected as (
    select account_id, origin_id,
           sum(least(points, greatest(basic + present - drawn_after, 0)))
             filter (where bucket = 'basic') as basic,
           sum(least(points, greatest(basic + present - drawn_after, 0)))
             filter (where bucket = 'present') as present
    from back left join draws using (account_id, origin_id) group by account_id, origin_id
  )
  select format('order %s gave back %s and %s points, expected %s and %s', origin_id, back.basic,
                back.present, coalesce(expected.basic, 0), coalesce(expected.present, 0))
         as violation
  from back join expected using (account_id, origin_id)
  where back.basic <> coalesce(expected.basic, 0) or back.present <> coalesce(expected.present, 0)`;

/** Back into the lots of the spend, or into one that was made for them when theirs had ended. */
export const strangeLots = `
  with spent as (
    select account_id, origin_id, lot_id, -points as points
    from point_entries join point_draws using (account_id, seq) where kind = 'spend'
  )
  select format('order %s gave back %s points to lot %s, which gave it %s', entries.origin_id,
                sum(draws.points), lots.lot_id, coalesce(max(spent.points), 0)) as violation
  from point_entries as entries join point_draws as draws using (account_id, seq)
  join point_lots as lots using (account_id, lot_id)
  left join spent on spent.account_id = entries.account_id and spent.origin_id = entries.origin_id
    and spent.lot_id = draws.lot_id
  where kind = 'refund' and not (lots.bucket = 'present' and lots.created_at = entries.at)
  group by entries.account_id, entries.origin_id, lots.lot_id
  having sum(draws.points) > coalesce(max(spent.points), 0)`;

/** Points end at their time and not before, and a lot is frozen as long as its payment is disputed. */
export const wrongLotStates = `
  with disputed as (
    select distinct origin_id from (${frozen}) as frozen where frozen_until = 'infinity'
  )
  select format('lot %s expired before its time', lot_id) as violation
  from point_entries as entries join point_draws using (account_id, seq)
  join point_lots using (account_id, lot_id)
  where kind = 'expiry' and coalesce(expires_at, 'infinity') > entries.at
  union all
  select format('lot %s is %sfrozen, its payment is %sdisputed', lot_id,
                case when is_frozen then '' else 'not ' end,
                case when disputed.origin_id is null then 'not ' else '' end)
  from point_lots left join disputed using (origin_id)
  where is_frozen <> (disputed.origin_id is not null)`;
