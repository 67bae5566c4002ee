-- What could not be finished moves on and lets the others have a turn.
set local lock_timeout = '5s';

-- When closing an unpaid order is tried again; nothing before the first time.
alter table orders add column close_again_at timestamptz;
create index orders_to_close on orders (coalesce(close_again_at, expire_at))
  where state in ('created', 'paying') and review_reason is null;
drop index orders_to_expire;

-- When an event whose job was given up is taken up again, each time later than the last.
alter table provider_inbox
  add column rounds int not null default 0,
  add column next_round_at timestamptz not null default now() + interval '2 hours';
create index inbox_to_take_up on provider_inbox (next_round_at)
  where processed_at is null and subject is not null;
drop index inbox_to_process;
