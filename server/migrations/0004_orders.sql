-- Orders and all that follows from them. Every table that grows with orders is partitioned by the
-- order's id, a UUIDv7, so one month of everything can be detached at once. Account id leads every
-- key, so each transaction stays on one shard. No foreign key leads into the catalogue: an order
-- carries a snapshot of what it sold and outlives the item.
set local lock_timeout = '5s';

create table orders (
  account_id      uuid        not null,
  payment_id      uuid        not null,
  site_id         text        not null,
  game_id         text        not null,
  server_id       text        not null,
  role_id         text        not null,
  game_account_id text        not null,
  item_id         text        not null,
  pack_count      int         not null check (pack_count between 1 and 99),
  order_type      text        not null check (order_type in ('foreign', 'internal')),
  method          text        not null,
  system          text        not null check (system in ('ios', 'android')),
  currency        text        not null,
  amount_minor    bigint      not null constraint order_costs_something check (amount_minor > 0),
  -- What was shown when the player agreed: names in all languages, quantities, gift, sku.
  snapshot        jsonb       not null,
  state           text        not null default 'created' check (state in
                    ('created', 'paying', 'paid', 'stuck', 'arrived', 'closed', 'refunding', 'refunded')),
  closed_reason   text        check (closed_reason in ('expired', 'cancelled')),
  -- Money that does not fit the order; an operator has to look. Only too much of it delivers.
  review_reason   text,
  version         int         not null default 0,
  created_at      timestamptz not null default now(),
  expire_at       timestamptz not null,
  paid_at         timestamptz,
  arrived_at      timestamptz,
  primary key (account_id, payment_id),
  constraint only_a_closed_order_has_a_reason check ((state = 'closed') = (closed_reason is not null)),
  constraint paid_states_know_when check (state not in ('paid', 'stuck', 'arrived', 'refunding', 'refunded') or paid_at is not null),
  constraint arrived_after_paid check (arrived_at is null or paid_at is not null)
) partition by range (payment_id);
create table orders_default partition of orders default;
create index orders_to_expire on orders (expire_at) where state in ('created', 'paying');

-- One order per intent of the player. Kept as long as the order, hence not partitioned by itself:
-- its rows are deleted along payment_id when the order's month is detached.
create table order_keys (
  account_id      uuid  not null,
  client_order_id uuid  not null,
  payment_id      uuid  not null,
  body_hash       bytea not null check (length(body_hash) = 32),
  primary key (account_id, client_order_id)
);
create index on order_keys (payment_id);

-- Everything that is known of an order, in the order we learnt it. The state is computed from the
-- facts; a fact we have already is not a second row.
create table order_events (
  account_id   uuid        not null,
  payment_id   uuid        not null,
  seq          int         not null check (seq > 0),
  fact_key     text        not null,
  fact         jsonb       not null,
  state_before text        not null,
  state_after  text        not null,
  at           timestamptz not null default now(),
  primary key (account_id, payment_id, seq),
  unique (account_id, payment_id, fact_key),
  foreign key (account_id, payment_id) references orders
) partition by range (payment_id);
create table order_events_default partition of order_events default;
create trigger append_only before update or delete on order_events
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on order_events
  for each statement execute function forbid_change();
create trigger append_only_whole before truncate on order_events_default
  for each statement execute function forbid_change();

create table payment_attempts (
  account_id    uuid        not null,
  payment_id    uuid        not null,
  attempt_id    uuid        not null, -- the idempotency key at the provider
  psp           text        not null,
  state         text        not null check (state in ('opening', 'open', 'captured', 'declined', 'closed')),
  currency      text        not null,
  amount_minor  bigint      not null check (amount_minor > 0),
  psp_ref       text,
  redirect_url  text,
  -- The language of the payment page is part of what the provider was asked for. Asking again with
  -- the same key must say the same, or the provider refuses and the payment is never found again.
  locale        text        not null,
  created_at    timestamptz not null default now(),
  expires_at    timestamptz not null,
  checks        int         not null default 0,
  next_check_at timestamptz not null,
  primary key (account_id, payment_id, attempt_id),
  foreign key (account_id, payment_id) references orders,
  constraint open_attempt_is_known_to_the_provider check (state <> 'open' or psp_ref is not null)
) partition by range (payment_id);
create table payment_attempts_default partition of payment_attempts default;
create unique index one_open_attempt_per_order on payment_attempts (account_id, payment_id)
  where state in ('opening', 'open');
create index attempts_to_check on payment_attempts (next_check_at) where state in ('opening', 'open');
create index on payment_attempts (psp, psp_ref);

-- What providers told us, byte for byte, stored before we answer them.
create table provider_inbox (
  psp          text        not null,
  event_id     text        not null,
  received_at  timestamptz not null default now(),
  raw_body     bytea       not null,
  signature    text        not null,
  processed_at timestamptz,
  outcome      text,
  primary key (psp, event_id)
);
create index inbox_to_process on provider_inbox (received_at) where processed_at is null;
create index on provider_inbox (received_at);

-- At most one per order: the key says so.
create table deliveries (
  account_id   uuid        not null,
  payment_id   uuid        not null,
  state        text        not null default 'queued' check (state in ('queued', 'delivered', 'declined', 'exhausted')),
  tries        int         not null default 0,
  next_try_at  timestamptz,
  created_at   timestamptz not null default now(),
  delivered_at timestamptz,
  primary key (account_id, payment_id),
  foreign key (account_id, payment_id) references orders,
  constraint delivered_knows_when check ((state = 'delivered') = (delivered_at is not null))
) partition by range (payment_id);
create table deliveries_default partition of deliveries default;
create index deliveries_waiting on deliveries (next_try_at) where state = 'queued';

select ensure_month_partitions(parent, 2)
from unnest(array['orders', 'order_events', 'payment_attempts', 'deliveries']::regclass[]) as parent;
