-- What could not be finished moves on and lets the others have a turn.

-- When closing an unpaid order is tried again; nothing before the first time.
alter table orders add column close_again_at timestamptz;
-- The tables of the months get theirs one by one, and this is whole when all have it.
create index orders_to_close on only orders (coalesce(close_again_at, expire_at))
  where state in ('created', 'paying') and review_reason is null;

-- When an event whose job was given up is taken up again, each time later than the last.
alter table provider_inbox
  add column rounds int not null default 0,
  add column next_round_at timestamptz not null default now() + interval '2 hours';
