-- Orders for points, money that goes back, and what somebody has to look at.
set local lock_timeout = '5s';

-- What a player buys: an item for a role in a game, or points for the account itself.
alter table orders
  add column kind text not null default 'item' check (kind in ('item', 'points')),
  add column refunded_minor bigint not null default 0,
  add column is_disputed boolean not null default false,
  -- What the site promised when the order was placed.
  add column promise_hours int not null default 24 check (promise_hours > 0),
  alter column game_id drop not null,
  alter column server_id drop not null,
  alter column role_id drop not null,
  alter column game_account_id drop not null,
  add constraint items_go_to_a_role check (
    kind = 'points'
    or (game_id is not null and server_id is not null and role_id is not null and game_account_id is not null)),
  add constraint points_are_bought_with_money check (kind = 'item' or currency <> 'EPOINT'),
  add constraint refunds_stay_within_the_price check (refunded_minor between 0 and amount_minor);

-- Messages about refunds and disputes name the capture, not the payment page.
alter table payment_attempts add column capture_id text;
create index on payment_attempts (psp, capture_id) where capture_id is not null;

-- So that an event whose job was given up can be taken up again without believing its signature anew.
alter table provider_inbox add column subject jsonb;

alter table deliveries
  drop constraint deliveries_state_check,
  add constraint deliveries_state_check check (state in
    ('queued', 'delivered', 'declined', 'exhausted', 'ambiguous', 'cancelled')),
  -- Not there by then, it is refunded by itself.
  add column promise_at timestamptz,
  -- Its money came after the order had expired: the game is asked again whether it would take it.
  add column is_late boolean not null default false,
  -- A resend by an operator begins the next round, with all its tries.
  add column round int not null default 1,
  add column tries_before_round int not null default 0,
  -- Game and server: one that does not answer must not take the places of the others.
  add column lane text not null default '',
  -- The try that is being made at a game that may give twice. Set before the call, gone after the
  -- answer: whoever finds it set cannot know whether the game has given.
  add column calling_since timestamptz;
create index deliveries_promised on deliveries (promise_at) where promise_at is not null;

-- A refund is asked for once and then followed until the provider says what became of it.
create table refunds (
  account_id    uuid        not null,
  payment_id    uuid        not null,
  refund_id     uuid        not null, -- the idempotency key at the provider
  attempt_id    uuid        not null,
  capture_id    text        not null,
  currency      text        not null,
  amount_minor  bigint      not null check (amount_minor > 0),
  reason        text        not null,
  requested_by  text        not null,
  state         text        not null default 'requested' check (state in ('requested', 'pending', 'done', 'failed')),
  created_at    timestamptz not null default now(),
  checks        int         not null default 0,
  next_check_at timestamptz not null default now(),
  primary key (account_id, payment_id, refund_id),
  foreign key (account_id, payment_id) references orders
) partition by range (payment_id);
create table refunds_default partition of refunds default;
create index refunds_to_check on refunds (next_check_at) where state in ('requested', 'pending');

-- The game is asked to take back what it gave, or may have given, for an order that was refunded.
create table revocations (
  account_id  uuid        not null,
  payment_id  uuid        not null,
  state       text        not null default 'queued' check (state in ('queued', 'answered', 'exhausted')),
  result      text        check (result in ('revoked', 'already_revoked', 'not_found')),
  tries       int         not null default 0,
  next_try_at timestamptz,
  created_at  timestamptz not null default now(),
  primary key (account_id, payment_id),
  foreign key (account_id, payment_id) references orders,
  constraint an_answer_has_a_result check ((state = 'answered') = (result is not null))
) partition by range (payment_id);
create table revocations_default partition of revocations default;
create index revocations_waiting on revocations (next_try_at) where state = 'queued';

select ensure_month_partitions(parent, 2) from unnest(array['refunds', 'revocations']::regclass[]) as parent;

-- What a person has to look at. One row for each thing: hearing of it again opens no second one.
create table cases (
  id          uuid        primary key,
  kind        text        not null,
  subject     text        not null, -- what it is about; with the kind it names the case
  account_id  uuid,
  payment_id  uuid,
  details     jsonb       not null,
  opened_at   timestamptz not null default now(),
  resolved_at timestamptz,
  resolved_by text,
  resolution  text,
  unique (kind, subject),
  constraint a_resolution_is_somebodys check (
    (resolved_at is null) = (resolved_by is null) and (resolved_at is null) = (resolution is null))
);
create index cases_open on cases (opened_at) where resolved_at is null;
create index on cases (payment_id);

-- The provider's own books, a day at a time, as it wrote them.
create table settlement_days (
  psp         text        not null,
  day         date        not null,
  report_id   text,
  imported_at timestamptz,
  compared_at timestamptz,
  primary key (psp, day)
);
create table settlement_lines (
  psp          text        not null,
  line_id      text        not null,
  day          date        not null,
  kind         text        not null check (kind in ('capture', 'refund', 'dispute', 'other')),
  subject_id   text        not null,
  capture_id   text,
  currency     text        not null,
  amount_minor bigint      not null, -- signed: what left us is negative
  at           timestamptz not null,
  primary key (psp, line_id),
  foreign key (psp, day) references settlement_days
);
create index on settlement_lines (psp, day);
create index on settlement_lines (psp, capture_id);

-- Transfers are written in the order of time, so a few bytes for each block find those of a day.
create index ledger_transfers_by_time on ledger_transfers using brin (created_at);

-- A site promises a time, and says which points are spent first.
alter table sites
  add column promise_hours int not null default 24
    constraint promise_is_kept_within_a_month check (promise_hours between 1 and 720),
  add column spend_order text not null default 'present_first'
    check (spend_order in ('present_first', 'basic_first'));

-- A game that gives again what it is told again is never told twice without an operator.
alter table games add column gives_once boolean not null default true;

alter table item_prices
  drop constraint item_prices_currency_check,
  add constraint item_prices_currency_check check (currency ~ '^[A-Z]{3}$' or currency = 'EPOINT');

create table point_packs (
  id            text    primary key check (id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  name          jsonb   not null constraint pack_name_has_fallback check (name ? 'en-US'),
  quantity      bigint  not null check (quantity > 0),
  gift_quantity bigint  not null default 0 check (gift_quantity >= 0),
  gift_days     int     check (gift_days > 0),
  tier          text    not null check (tier in ('tide', 'dusk', 'rose', 'sun')),
  badge         text    check (badge in ('popular', 'best_value')),
  art           text    not null,
  systems       text[]  not null default array['ios', 'android']
                        constraint pack_systems_known check (systems <@ array['ios', 'android']),
  is_for_sale   boolean not null default true,
  position      int     not null
);
create table point_pack_prices (
  pack_id      text   not null references point_packs,
  currency     text   not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  primary key (pack_id, currency)
);
