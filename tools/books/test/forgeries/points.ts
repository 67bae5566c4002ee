import type { Forgery } from './forgery.ts';

export const topUp = `(select payment_id from orders where kind = 'points' and state = 'arrived'
  and version = 3 order by payment_id limit 1)`;
export const spend = `(select payment_id from orders join point_entries on origin_id = payment_id
  where state = 'arrived' and basic_change < -1 order by payment_id limit 1)`;

export const movements: readonly Forgery[] = [
  [
    'a ledger transfer has a point more than its statement entry',
    `update ledger_transfers set amount_minor = amount_minor + 1
     where origin_id = ${topUp} and posting = 'top_up:basic'`,
    /^I1 transfer top_up:basic of \S+ moves \d+ EPOINT between player:basic and house:points, its entry/,
  ],
  [
    'a spend transfer is not credited to the deposit',
    `update ledger_transfers set credit_book = 'house:points'
     where origin_id = ${spend} and posting like 'spend:%'`,
    /^I1 transfer spend:\S+ of \S+ moves -\d+ EPOINT between player:\S+ and house:points, its entry/,
  ],
  [
    'the basic and present points of a top-up were swapped',
    `update ledger_transfers set credit_book = case credit_book when 'player:basic'
       then 'player:present' else 'player:basic' end
     where origin_id = ${topUp} and posting like 'top_up:%'`,
    /^I1 transfer top_up:basic of \S+ moves \d+ EPOINT between player:present and house:points/,
  ],
  [
    'a statement entry has no ledger transfer',
    `delete from ledger_transfers where origin_id = ${spend} and posting like 'spend:%'`,
    /^I1 transfer spend:\S+ of \S+ moves 0 EPOINT between player:\S+ and player:deposit, its entry -/,
  ],
  [
    'a ledger transfer of points has no statement entry',
    `insert into ledger_transfers select account_id, origin_id, 'bonus:basic', debit_book, credit_book,
       unit, 1000 from ledger_transfers where origin_id = ${topUp} and posting = 'top_up:basic'`,
    /^I1 transfer bonus:basic of \S+ moves 1000 EPOINT between player:basic and house:points, its entry 0/,
  ],
  [
    'a top-up granted more points than were sold',
    `update top_up_steps set basic_granted = basic_granted + 1, basic_kept = basic_kept + 1
     where origin_id = ${topUp}`,
    /^I1 order \S+ granted \d+ and \d+ points, sold \d+ and \d+/,
  ],
  [
    'a refunded top-up kept its points',
    `update top_up_steps set basic_kept = basic_granted where step > 1`,
    /^I1 order \S+ keeps \d+ and \d+ points, expected \d+ and \d+/,
  ],
  [
    'an order was paid with fewer points than it costs',
    `update point_entries set basic_change = basic_change + 1, basic_after = basic_after + 1
     where origin_id = ${spend} and kind = 'spend'`,
    /^I1 order \S+ moved -\d+ points as spend spend, expected -\d+/,
  ],
  [
    'a top-up was granted twice',
    `insert into point_entries select account_id, seq + 1000, origin_id, 'top_up:again', kind,
       basic_change, present_change, basic_after, present_after, at, draws, prev_hash, hash
     from point_entries where origin_id = ${topUp} and kind = 'top_up'`,
    /^I1 order \S+ granted its points 2 times/,
  ],
  [
    'a statement entry has no order',
    `update point_entries set origin_id = gen_random_uuid() where origin_id = ${topUp}`,
    /^I1 a movement of points of account \S+ is for \S+, which is no order of theirs/,
  ],
];

export const hashAgain = `
  update point_entries set hash = sha256(convert_to(encode(prev_hash, 'hex') || e'\\n' || concat_ws('|',
    seq, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), kind, origin_id, posting,
    basic_change, present_change, basic_after, present_after, draws), 'UTF8'))`;

export const statements: readonly Forgery[] = [
  [
    'a statement entry was changed',
    `update point_entries set basic_change = basic_change + 1, basic_after = basic_after + 1
     where seq = 1 and kind = 'top_up'`,
    /^I12 entry 1 of wallet \S+ is not what was hashed/,
  ],
  [
    'a statement entry was changed and hashed again',
    `update point_entries set basic_change = basic_change + 1, basic_after = basic_after + 1
       where seq = 1 and kind = 'top_up';
     ${hashAgain} where seq = 1`,
    /^I12 entry 2 of wallet \S+ is not what was hashed/,
  ],
  [
    'the last statement entry was changed and hashed again',
    `update point_entries set at = at - interval '1 day'
       where (account_id, seq) in (select account_id, seq from wallets);
     ${hashAgain} where (account_id, seq) in (select account_id, seq from wallets)`,
    /^I12 wallet \S+ ends with another hash than its statement/,
  ],
  [
    'the last statement entry was deleted',
    `delete from point_entries where (account_id, seq) in (select account_id, seq from wallets)`,
    /^I12 wallet \S+ ends with another hash than its statement/,
  ],
  [
    'a statement entry was deleted from the middle',
    `delete from point_entries where seq = 2`,
    /^I12 entry 3 of wallet \S+ is not what was hashed/,
  ],
  [
    'a statement begins with the hash of another account',
    `update point_entries set prev_hash = sha256('somebody else') where seq = 1; ${hashAgain} where seq = 1`,
    /^I12 entry 1 of wallet \S+ is not what was hashed/,
  ],
  [
    'a draw of a hashed statement entry was changed',
    `update point_draws set points = points - 1 where points < 0`,
    /^I12 entry \d+ of wallet \S+ is not what was hashed/,
  ],
];

const presentAndBasic = `(select account_id, seq from point_draws
  join point_entries using (account_id, seq) where kind = 'spend'
  group by account_id, seq having count(*) > 1 order by account_id, seq limit 1)`;

export const drawOrder: readonly Forgery[] = [
  [
    'lots were drawn on in the wrong order',
    `update point_draws set position = 100 - position where (account_id, seq) in ${presentAndBasic};
     update point_draws as one set position = (
       select count(*) from point_draws as other where other.account_id = one.account_id
         and other.seq = one.seq and other.position <= one.position)
     where position > 90`,
    /^I13 order \S+ drew \d+ points from lot \S+: not in its turn/,
  ],
  [
    'expired points were spent',
    `update point_lots set expires_at = created_at where bucket = 'present' and spent > 0`,
    /^I13 order \S+ drew \d+ points from lot \S+: past its time/,
  ],
  [
    'frozen points were spent',
    `update order_events set at = at - interval '1 hour'
       where payment_id in (select payment_id from orders where kind = 'points')
         and fact ->> 'stage' = 'open';
     update order_events set at = at + interval '1 hour'
       where payment_id in (select payment_id from orders where kind = 'points')
         and fact ->> 'stage' = 'won';
     update point_draws as draws set lot_id = lots.lot_id
     from point_entries as entries, point_lots as lots
     where entries.account_id = draws.account_id and entries.seq = draws.seq and kind = 'spend'
       and lots.account_id = draws.account_id and bucket = 'basic' and lots.origin_id in (
         select payment_id from order_events where fact ->> 'stage' = 'won')`,
    /^I13 order \S+ drew \d+ points from lot \S+: frozen/,
  ],
  [
    'a later lot was spent before an earlier lot',
    `update point_draws as draws set lot_id = lots.lot_id
     from point_entries as entries, point_lots as lots, point_lots as drawn
     where entries.account_id = draws.account_id and entries.seq = draws.seq and kind = 'spend'
       and drawn.account_id = draws.account_id and drawn.lot_id = draws.lot_id
       and drawn.bucket = 'basic' and lots.account_id = draws.account_id and lots.bucket = 'basic'
       and lots.created_at > drawn.created_at and lots.created_at < entries.at`,
    /^I13 order \S+ drew on lot \S+ before lot \S+, which had \d+ points/,
  ],
  [
    'present points were returned as basic points',
    `update point_entries set basic_change = basic_change + present_change, present_change = 0
     where kind = 'refund'`,
    /^I13 order \S+ gave back \d+ and 0 points, expected \d+ and \d+/,
  ],
  [
    'more points were returned than were spent',
    `update point_entries set basic_change = basic_change + 1 where kind = 'refund'`,
    /^I13 order \S+ gave back \d+ and \d+ points, expected \d+ and \d+/,
  ],
  [
    'points were returned to a lot that they were not drawn from',
    `update point_draws as draws set lot_id = (
       select lot_id from point_lots as lots
       where lots.account_id = draws.account_id order by created_at desc limit 1)
     from point_entries as entries
     where entries.account_id = draws.account_id and entries.seq = draws.seq
       and kind = 'refund' and position = 1`,
    /^I13 order \S+ gave back \d+ points to lot \S+, which gave it 0/,
  ],
  [
    'a lot expired before its time',
    `update point_lots set expires_at = expires_at + interval '1 day' where expired > 0`,
    /^I13 lot \S+ expired before its time/,
  ],
  [
    'the points of a disputed payment are not frozen',
    `update point_lots set is_frozen = false`,
    /^I13 lot \S+ is not frozen, its payment is disputed/,
  ],
  [
    'the points of an undisputed payment are frozen',
    `update point_lots set is_frozen = true`,
    /^I13 lot \S+ is frozen, its payment is not disputed/,
  ],
];
