// Claims about wallets, as queries with one text `violation` for each thing that is wrong.

/** What each entry of a statement has to move in the ledger, and between which books. */
const expectedLegs = `
  select account_id, origin_id, posting || ':' || bucket as posting, 'player:' || bucket as book,
         case kind when 'spend' then 'player:deposit' when 'refund' then 'player:deposit'
           else 'house:points' end as counter_book,
         change
  from point_entries,
       lateral (values ('basic', basic_change), ('present', present_change)) as legs (bucket, change)
  where change <> 0`;

const legs = `
  select account_id, origin_id, posting,
         case when credit_book in ('player:basic', 'player:present') then credit_book else debit_book
           end as book,
         case when credit_book in ('player:basic', 'player:present') then debit_book else credit_book
           end as counter_book,
         case when credit_book in ('player:basic', 'player:present') then amount_minor
           else -amount_minor end as change,
         unit
  from ledger_transfers
  where credit_book in ('player:basic', 'player:present')
     or debit_book in ('player:basic', 'player:present')`;

/** I1: the ledger and the statements move the same points. */
export const movedApart = `
  select format('transfer %s of %s moves %s %s between %s and %s, its entry %s',
                coalesce(legs.posting, entries.posting), coalesce(legs.origin_id, entries.origin_id),
                coalesce(legs.change, 0), coalesce(unit, 'EPOINT'), coalesce(legs.book, entries.book),
                coalesce(legs.counter_book, entries.counter_book), coalesce(entries.change, 0))
         as violation
  from (${legs}) as legs full join (${expectedLegs}) as entries
    on legs.account_id = entries.account_id and legs.origin_id = entries.origin_id
   and legs.posting = entries.posting
  where legs.change is distinct from entries.change or unit is distinct from 'EPOINT'
     or legs.book is distinct from entries.book
     or legs.counter_book is distinct from entries.counter_book`;

/** I2: a wallet is the sum of its entries and of its lots; below zero lies no lot. */
export const wrongWallets = `
  with moved as (
    select account_id, sum(basic_change) as basic, sum(present_change) as present,
           -sum(basic_change) filter (where kind in ('spend', 'refund')) as basic_spent,
           -sum(present_change) filter (where kind in ('spend', 'refund')) as present_spent,
           sum(basic_change) filter (where kind = 'top_up') as basic_granted
    from point_entries group by account_id
  ), lying as (
    select account_id, sum(remaining) filter (where bucket = 'basic') as basic,
           sum(remaining) filter (where bucket = 'present') as present,
           sum(spent) filter (where bucket = 'basic') as basic_spent,
           sum(spent) filter (where bucket = 'present') as present_spent,
           sum(granted) filter (where bucket = 'basic') as basic_granted
    from point_lots group by account_id
  )
  select format('wallet %s has %s and %s, its entries say %s and %s, its lots %s and %s', account_id,
                coalesce(wallets.basic, 0), coalesce(wallets.present, 0), coalesce(moved.basic, 0),
                coalesce(moved.present, 0), coalesce(lying.basic, 0), coalesce(lying.present, 0))
         as violation
  from wallets full join moved using (account_id) full join lying using (account_id)
  where wallets.basic is null
     or wallets.basic <> coalesce(moved.basic, 0) or wallets.present <> coalesce(moved.present, 0)
     or wallets.present < 0
     or greatest(wallets.basic, 0) <> coalesce(lying.basic, 0)
     or wallets.present <> coalesce(lying.present, 0)
     or coalesce(moved.basic_spent, 0) <> coalesce(lying.basic_spent, 0)
     or coalesce(moved.present_spent, 0) <> coalesce(lying.present_spent, 0)
     or coalesce(moved.basic_granted, 0) <> coalesce(lying.basic_granted, 0)`;

/** I2: what lies in a lot is what was put in and taken out; all its points are somewhere. */
export const wrongLots = `
  with drawn as (
    select account_id, lot_id, sum(points) as points from point_draws group by account_id, lot_id
  )
  select format('lot %s holds %s of %s points, its draws say %s', lot_id, coalesce(remaining, 0),
                coalesce(granted, 0), coalesce(points, 0)) as violation
  from point_lots full join drawn using (account_id, lot_id)
  where remaining is distinct from coalesce(points, 0) or remaining < 0
     or remaining + spent + expired + claimed <> granted
     or least(spent, expired, claimed) < 0`;

/** I2: each entry goes on where the last one ended; only taking a top-up back makes a debt. */
export const wrongBalances = `
  with entries as (
    select account_id, seq, kind, basic_change, present_change, basic_after, present_after,
           lag(basic_after, 1, 0) over statement as basic_before,
           lag(present_after, 1, 0) over statement as present_before
    from point_entries window statement as (partition by account_id order by seq)
  ), drawn as (
    select account_id, seq, coalesce(sum(points) filter (where bucket = 'basic'), 0) as basic,
           coalesce(sum(points) filter (where bucket = 'present'), 0) as present
    from point_draws join point_lots using (account_id, lot_id) group by account_id, seq
  )
  select format('entry %s of wallet %s, a %s of %s and %s: from %s and %s to %s and %s', seq,
                account_id, kind, basic_change, present_change, basic_before, present_before,
                basic_after, present_after) as violation
  from entries left join drawn using (account_id, seq)
  where basic_after <> basic_before + basic_change
     or present_after <> present_before + present_change
     or present_after < 0
     or (basic_after < 0 and basic_change < 0 and kind <> 'claw_back')
     or (kind in ('top_up', 'refund', 'restore')) <> (basic_change >= 0 and present_change >= 0)
     or greatest(basic_after, 0) - greatest(basic_before, 0) <> coalesce(drawn.basic, 0)
     or present_change <> coalesce(drawn.present, 0)`;

/** I12: every entry carries the hash of the one before, from the account itself to the wallet. */
export const brokenChains = `
  with entries as (
    select account_id, seq, prev_hash, hash, draws,
           lag(hash) over statement as expected_prev, lag(seq, 1, 0) over statement as previous_seq,
           concat_ws('|', seq, to_char(at, 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), kind, origin_id, posting,
             basic_change, present_change, basic_after, present_after, draws) as line
    from point_entries window statement as (partition by account_id order by seq)
  ), drawn as (
    select account_id, seq, string_agg(lot_id || ':' || points, ',' order by position) as draws
    from point_draws group by account_id, seq
  )
  select format('entry %s of wallet %s is not what was hashed', seq, account_id) as violation
  from entries left join drawn using (account_id, seq)
  where seq <> previous_seq + 1
     or prev_hash <> coalesce(expected_prev, sha256(account_id::text::bytea))
     or hash <> sha256(convert_to(encode(prev_hash, 'hex') || e'\\n' || line, 'UTF8'))
     or entries.draws <> coalesce(drawn.draws, '')
  union all
  select format('wallet %s ends with another hash than its statement', account_id)
  from wallets left join point_entries as entries using (account_id, seq)
  where head <> coalesce(hash, sha256(account_id::text::bytea))
     or seq <> (select count(*) from point_entries where account_id = wallets.account_id)
  union all
  select format('draw %s of entry %s of wallet %s is of no entry', position, seq, account_id)
  from point_draws as draws where not exists (
    select from point_entries as entries
    where entries.account_id = draws.account_id and entries.seq = draws.seq)`;
