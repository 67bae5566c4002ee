import type { Forgery } from './forgery.ts';

export const topUp = `(select payment_id from orders where kind = 'points' and state = 'arrived'
  and version = 3 order by payment_id limit 1)`;
export const spend = `(select payment_id from orders join point_entries on origin_id = payment_id
  where state = 'arrived' and basic_change < -1 order by payment_id limit 1)`;

export const movements: readonly Forgery[] = [
  [
    'the ledger moves a point more than the statement',
    `update ledger_transfers set amount_minor = amount_minor + 1
     where origin_id = ${topUp} and posting = 'top_up:basic'`,
    /^I1 transfer top_up:basic of \S+ moves \d+ EPOINT between player:basic and house:points, its entry/,
  ],
  [
    'points leave the wallet and never reach the deposit',
    `update ledger_transfers set credit_book = 'house:points'
     where origin_id = ${spend} and posting like 'spend:%'`,
    /^I1 transfer spend:\S+ of \S+ moves -\d+ EPOINT between player:\S+ and house:points, its entry/,
  ],
  [
    'bought and given points of a top-up change places',
    `update ledger_transfers set credit_book = case credit_book when 'player:basic'
       then 'player:present' else 'player:basic' end
     where origin_id = ${topUp} and posting like 'top_up:%'`,
    /^I1 transfer top_up:basic of \S+ moves \d+ EPOINT between player:present and house:points/,
  ],
  [
    'a movement is in the statement only',
    `delete from ledger_transfers where origin_id = ${spend} and posting like 'spend:%'`,
    /^I1 transfer spend:\S+ of \S+ moves 0 EPOINT between player:\S+ and player:deposit, its entry -/,
  ],
  [
    'a movement is in the ledger only',
    `insert into ledger_transfers select account_id, origin_id, 'bonus:basic', debit_book, credit_book,
       unit, 1000 from ledger_transfers where origin_id = ${topUp} and posting = 'top_up:basic'`,
    /^I1 transfer bonus:basic of \S+ moves 1000 EPOINT between player:basic and house:points, its entry 0/,
  ],
  [
    'a top-up grants more than was sold',
    `update top_up_steps set basic_granted = basic_granted + 1, basic_kept = basic_kept + 1
     where origin_id = ${topUp}`,
    /^I1 order \S+ granted \d+ and \d+ points, sold \d+ and \d+/,
  ],
  [
    'a top-up keeps points whose money went back',
    `update top_up_steps set basic_kept = basic_granted where step > 1`,
    /^I1 order \S+ keeps \d+ and \d+ points, expected \d+ and \d+/,
  ],
  [
    'an order is paid with fewer points than it costs',
    `update point_entries set basic_change = basic_change + 1, basic_after = basic_after + 1
     where origin_id = ${spend} and kind = 'spend'`,
    /^I1 order \S+ moved -\d+ points as spend spend, expected -\d+/,
  ],
  [
    'a top-up is granted twice',
    `insert into point_entries select account_id, seq + 1000, origin_id, 'top_up:again', kind,
       basic_change, present_change, basic_after, present_after, at, draws, prev_hash, hash
     from point_entries where origin_id = ${topUp} and kind = 'top_up'`,
    /^I1 order \S+ granted its points 2 times/,
  ],
  [
    'points come of an order that there is not',
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
    'a line of a statement is changed',
    `update point_entries set basic_change = basic_change + 1, basic_after = basic_after + 1
     where seq = 1 and kind = 'top_up'`,
    /^I12 entry 1 of wallet \S+ is not what was hashed/,
  ],
  [
    'a line is changed and hashed again',
    `update point_entries set basic_change = basic_change + 1, basic_after = basic_after + 1
       where seq = 1 and kind = 'top_up';
     ${hashAgain} where seq = 1`,
    /^I12 entry 2 of wallet \S+ is not what was hashed/,
  ],
  [
    'the last line is changed and hashed again',
    `update point_entries set at = at - interval '1 day'
       where (account_id, seq) in (select account_id, seq from wallets);
     ${hashAgain} where (account_id, seq) in (select account_id, seq from wallets)`,
    /^I12 wallet \S+ ends with another hash than its statement/,
  ],
  [
    'the last line is cut off',
    `delete from point_entries where (account_id, seq) in (select account_id, seq from wallets)`,
    /^I12 wallet \S+ ends with another hash than its statement/,
  ],
  [
    'a line is cut out of the middle',
    `delete from point_entries where seq = 2`,
    /^I12 entry 3 of wallet \S+ is not what was hashed/,
  ],
  [
    "a statement is somebody else's",
    `update point_entries set prev_hash = sha256('somebody else') where seq = 1; ${hashAgain} where seq = 1`,
    /^I12 entry 1 of wallet \S+ is not what was hashed/,
  ],
  [
    'a draw is not the one that was hashed',
    `update point_draws set points = points - 1 where points < 0`,
    /^I12 entry \d+ of wallet \S+ is not what was hashed/,
  ],
];

const presentAndBasic = `(select account_id, seq from point_draws
  join point_entries using (account_id, seq) where kind = 'spend'
  group by account_id, seq having count(*) > 1 order by account_id, seq limit 1)`;

export const turns: readonly Forgery[] = [
  [
    'lots are drawn on in another turn',
    `update point_draws set position = 100 - position where (account_id, seq) in ${presentAndBasic};
     update point_draws as one set position = (
       select count(*) from point_draws as other where other.account_id = one.account_id
         and other.seq = one.seq and other.position <= one.position)
     where position > 90`,
    /^I13 order \S+ drew \d+ points from lot \S+: not in its turn/,
  ],
  [
    'points are drawn past their time',
    `update point_lots set expires_at = created_at where bucket = 'present' and spent > 0`,
    /^I13 order \S+ drew \d+ points from lot \S+: past its time/,
  ],
  [
    'frozen points are spent',
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
    'given points are kept and bought ones spent',
    `update point_draws as draws set lot_id = lots.lot_id
     from point_entries as entries, point_lots as lots, point_lots as drawn
     where entries.account_id = draws.account_id and entries.seq = draws.seq and kind = 'spend'
       and drawn.account_id = draws.account_id and drawn.lot_id = draws.lot_id
       and drawn.bucket = 'basic' and lots.account_id = draws.account_id and lots.bucket = 'basic'
       and lots.created_at > drawn.created_at and lots.created_at < entries.at`,
    /^I13 order \S+ drew on lot \S+ before lot \S+, which had \d+ points/,
  ],
  [
    'given points are given back as bought ones',
    `update point_entries set basic_change = basic_change + present_change, present_change = 0
     where kind = 'refund'`,
    /^I13 order \S+ gave back \d+ and 0 points, expected \d+ and \d+/,
  ],
  [
    'more is given back than was spent',
    `update point_entries set basic_change = basic_change + 1 where kind = 'refund'`,
    /^I13 order \S+ gave back \d+ and \d+ points, expected \d+ and \d+/,
  ],
  [
    'points go back to a lot that they did not come from',
    `update point_draws as draws set lot_id = (
       select lot_id from point_lots as lots
       where lots.account_id = draws.account_id order by created_at desc limit 1)
     from point_entries as entries
     where entries.account_id = draws.account_id and entries.seq = draws.seq
       and kind = 'refund' and position = 1`,
    /^I13 order \S+ gave back \d+ points to lot \S+, which gave it 0/,
  ],
  [
    'points expire before their time',
    `update point_lots set expires_at = expires_at + interval '1 day' where expired > 0`,
    /^I13 lot \S+ expired before its time/,
  ],
  [
    'points of a disputed payment can be spent',
    `update point_lots set is_frozen = false`,
    /^I13 lot \S+ is not frozen, its payment is disputed/,
  ],
  [
    'points are frozen for no reason',
    `update point_lots set is_frozen = true`,
    /^I13 lot \S+ is frozen, its payment is not disputed/,
  ],
];
