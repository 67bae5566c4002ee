-- E Points: a wallet per account, a statement that only grows, and the lots the points lie in. Basic
-- points are bought, present points are given, and the two never mix. A statement grows by one row
-- per movement and its chain is only proof as long as it is whole, so none of these tables is cut by
-- month as orders are; all keys begin with the account, along which they can be split.
set local lock_timeout = '5s';

-- Every movement locks this row first, so one account's movements stand in a line.
create table wallets (
  account_id uuid   primary key references accounts,
  basic      bigint not null default 0, -- below zero is a debt
  present    bigint not null default 0 constraint present_is_never_owed check (present >= 0),
  seq        int    not null default 0 check (seq >= 0),
  head       bytea  not null constraint head_is_a_hash check (length(head) = 32)
);

-- What the player can read and keep. Each row is hashed together with the hash before it.
create table point_entries (
  account_id     uuid           not null references wallets,
  seq            int            not null check (seq > 0),
  origin_id      uuid           not null, -- what caused it, an order's payment id for example
  posting        text           not null, -- made by the caller: a retry is not a second entry
  kind           text           not null check (kind in
                   ('top_up', 'spend', 'refund', 'claw_back', 'restore', 'expiry')),
  basic_change   bigint         not null,
  present_change bigint         not null,
  basic_after    bigint         not null,
  present_after  bigint         not null constraint present_after_is_never_owed check (present_after >= 0),
  -- Milliseconds and no more, because that is what the hashed line says.
  at             timestamptz(3) not null,
  -- The rows of point_draws as 'lot:points,…', so that the hash covers them.
  draws          text           not null,
  prev_hash      bytea          not null constraint prev_hash_is_a_hash check (length(prev_hash) = 32),
  hash           bytea          not null constraint hash_is_a_hash check (length(hash) = 32),
  primary key (account_id, seq),
  unique (account_id, origin_id, posting),
  -- The hashed line is split at these.
  constraint posting_fits_a_line check (posting ~ '^[^|[:cntrl:]]{1,200}$'),
  constraint entry_changes_something check (basic_change <> 0 or present_change <> 0),
  constraint entry_goes_the_way_of_its_kind check (
    case when kind in ('top_up', 'refund', 'restore')
      then basic_change >= 0 and present_change >= 0
      else basic_change <= 0 and present_change <= 0
    end
  ),
  constraint first_entry_starts_from_nothing check (
    seq > 1 or (basic_after = basic_change and present_after = present_change)
  ),
  constraint only_a_claw_back_makes_debt check (
    basic_after >= 0 or basic_change >= 0 or kind = 'claw_back'
  ),
  constraint nothing_is_spent_in_debt check (kind <> 'spend' or basic_after >= 0)
);
create trigger append_only before update or delete on point_entries
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on point_entries
  for each statement execute function forbid_change();

-- Points that came together and end together. Each of them is in one of four places.
create table point_lots (
  account_id uuid           not null references wallets,
  lot_id     uuid           not null,
  bucket     text           not null check (bucket in ('basic', 'present')),
  origin_id  uuid           not null, -- the top-up they came with
  granted    bigint         not null check (granted > 0),
  remaining  bigint         not null check (remaining >= 0),
  spent      bigint         not null check (spent >= 0),
  expired    bigint         not null check (expired >= 0),
  claimed    bigint         not null check (claimed >= 0), -- clawed back, or used to settle a debt
  expires_at timestamptz(3),
  created_at timestamptz(3) not null,
  is_frozen  boolean        not null,
  primary key (account_id, lot_id),
  constraint every_point_is_in_one_place check (remaining + spent + expired + claimed = granted),
  constraint bought_points_do_not_expire check (bucket = 'present' or expires_at is null)
);
create index point_lots_open on point_lots (account_id) where remaining > 0 or claimed > 0;
create index point_lots_to_expire on point_lots (expires_at)
  where remaining > 0 and expires_at is not null;
create index on point_lots (account_id, origin_id);

-- By how much each entry changed what remains of a lot, in the order it was drawn.
create table point_draws (
  account_id uuid   not null,
  seq        int    not null,
  position   int    not null check (position > 0),
  lot_id     uuid   not null,
  points     bigint not null constraint draw_moves_something check (points <> 0),
  primary key (account_id, seq, position),
  foreign key (account_id, seq) references point_entries,
  foreign key (account_id, lot_id) references point_lots
);
create index on point_draws (account_id, lot_id);
create trigger append_only before update or delete on point_draws
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on point_draws
  for each statement execute function forbid_change();

-- What a top-up stands for after each of its steps; the first is the grant. A step that moves no
-- points (they had expired) is in no entry, and must be known all the same when it is repeated.
create table top_up_steps (
  account_id      uuid           not null references wallets,
  origin_id       uuid           not null,
  step            int            not null check (step > 0),
  posting         text           not null,
  basic_granted   bigint         not null,
  present_granted bigint         not null,
  basic_kept      bigint         not null,
  present_kept    bigint         not null,
  -- Of the present that is not kept, what was there and was taken, and what had been spent and is
  -- owed in basic. The rest had expired.
  present_claimed bigint         not null check (present_claimed >= 0),
  present_owed    bigint         not null check (present_owed >= 0),
  at              timestamptz(3) not null,
  primary key (account_id, origin_id, step),
  unique (account_id, origin_id, posting),
  constraint kept_of_basic_is_a_part check (basic_kept between 0 and basic_granted),
  constraint kept_of_present_is_a_part check (present_kept between 0 and present_granted),
  constraint no_present_is_taken_twice check (
    present_kept + present_claimed + present_owed <= present_granted
  )
);
create trigger append_only before update or delete on top_up_steps
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on top_up_steps
  for each statement execute function forbid_change();

-- Points move between books as money does. Every row obeys the narrower rule that this replaces, so
-- there is nothing to look through while the table is locked.
alter table ledger_transfers
  drop constraint books_are_known,
  add constraint books_are_known check (
    debit_book in ('house:psp', 'house:sales', 'house:points', 'house:disputed',
                   'player:deposit', 'player:basic', 'player:present')
    and credit_book in ('house:psp', 'house:sales', 'house:points', 'house:disputed',
                        'player:deposit', 'player:basic', 'player:present')
  ) not valid;
