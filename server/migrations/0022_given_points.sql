-- Points that nobody bought: rebates and redeem codes give them. They are present points of an origin
-- that is no order, and this table says why each of them is there.
set local lock_timeout = '5s';

-- Every row obeys the narrower rules that these replace, so there is nothing to look through while the
-- table is locked.
alter table point_entries
  drop constraint point_entries_kind_check,
  add constraint point_entries_kind_check check (kind in
    ('top_up', 'gift', 'spend', 'refund', 'claw_back', 'restore', 'expiry')) not valid,
  drop constraint entry_goes_the_way_of_its_kind,
  add constraint entry_goes_the_way_of_its_kind check (
    case when kind in ('top_up', 'gift', 'refund', 'restore')
      then basic_change >= 0 and present_change >= 0
      else basic_change <= 0 and present_change <= 0
    end
  ) not valid,
  add constraint nobody_is_given_what_is_bought check (kind <> 'gift' or basic_change = 0) not valid;

create table point_gifts (
  account_id uuid           not null references wallets,
  origin_id  uuid           not null, -- a rebate's credit, or one use of a code
  reason     text           not null check (reason in ('rebate', 'code')),
  points     bigint         not null check (points > 0),
  days       int            check (days > 0), -- how long they live; for ever where it says nothing
  at         timestamptz(3) not null,
  primary key (account_id, origin_id)
);
create trigger append_only before update or delete on point_gifts
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on point_gifts
  for each statement execute function forbid_change();
