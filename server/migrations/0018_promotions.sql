-- Gifts that come with a pack, and rebates for what was paid within a window. Rules and campaigns are
-- an operator's; what was decided by them keeps its own copy of their terms and outlives them.
set local lock_timeout = '5s';

create table gift_rules (
  id               text        primary key check (id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  site_id          text        not null references sites,
  kind             text        not null check (kind in ('item', 'points')),
  item_id          text,       -- any item of this kind where it says nothing
  gift_quantity    bigint      check (gift_quantity > 0),
  gift_percent     int         check (gift_percent between 1 and 1000), -- of what is bought
  first_purchase   text        check (first_purchase in ('of_item', 'of_any')),
  packs_max        int         check (packs_max > 0), -- an order of more packs gets nothing by this rule
  starts_at        timestamptz not null,
  ends_at          timestamptz,
  -- Who it is for. What says nothing lets everybody in.
  new_account_days int         check (new_account_days > 0),
  countries        text[],
  languages        text[],
  has_bought       boolean,
  is_listed        boolean     not null default false, -- only for accounts in gift_rule_accounts
  constraint gift_is_a_quantity_or_a_share check (num_nonnulls(gift_quantity, gift_percent) = 1),
  constraint gift_ends_after_it_starts check (ends_at > starts_at)
);
create index on gift_rules (site_id, kind);

create table gift_rule_accounts (
  rule_id    text not null references gift_rules,
  account_id uuid not null references accounts,
  primary key (rule_id, account_id)
);
create index on gift_rule_accounts (account_id);

-- Which order holds the gift for a first purchase. An order that was closed unpaid gives it back; one
-- that was paid keeps it, also when the money went back later.
create table gift_claims (
  account_id  uuid        not null references accounts,
  payment_id  uuid        not null,
  site_id     text        not null,
  item_id     text        not null,
  scope       text        not null, -- the item, or '*' for the first purchase of all
  rule_id     text        not null,
  claimed_at  timestamptz not null default now(),
  released_at timestamptz,
  primary key (account_id, payment_id)
);
create unique index one_first_purchase on gift_claims (account_id, site_id, scope)
  where released_at is null;

create table rebate_campaigns (
  id           text        primary key check (id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  site_id      text        not null references sites,
  kind         text        not null check (kind in ('item', 'points')),
  game_id      text        references games, -- all games of the site where it says nothing
  name         jsonb       not null constraint campaign_name_has_fallback check (name ? 'en-US'),
  currency     text        not null check (currency ~ '^[A-Z]{3}$'),
  starts_at    timestamptz not null,
  ends_at      timestamptz not null,
  present_days int         check (present_days > 0), -- how long given points live
  constraint campaign_ends_after_it_starts check (ends_at > starts_at),
  constraint points_are_of_no_game check (kind = 'item' or game_id is null)
);
create index on rebate_campaigns (site_id, kind, ends_at);
create index on rebate_campaigns (game_id);

create table rebate_tiers (
  campaign_id    text   not null references rebate_campaigns,
  tier           int    not null check (tier > 0),
  from_minor     bigint not null check (from_minor > 0),
  present_points bigint not null check (present_points > 0),
  primary key (campaign_id, tier),
  unique (campaign_id, from_minor)
);

-- By how much an order changed the progress. An order that is refunded is counted back, not deleted.
-- The wallet is locked by whatever changes an account's progress, so that orders stand in one line.
-- Times here are read behind that lock, so that they are in the order in which things happened.
create table rebate_counts (
  account_id   uuid        not null references wallets,
  campaign_id  text        not null references rebate_campaigns,
  payment_id   uuid        not null,
  seq          int         not null check (seq > 0),
  change_minor bigint      not null constraint count_changes_something check (change_minor <> 0),
  kept_minor   bigint      not null constraint no_order_counts_below_nothing check (kept_minor >= 0),
  at           timestamptz not null default clock_timestamp(),
  primary key (account_id, campaign_id, payment_id, seq),
  constraint an_order_is_counted_before_it_is_counted_back check (seq > 1 or change_minor = kept_minor)
);
create index on rebate_counts (campaign_id);
create index on rebate_counts (account_id, payment_id);
create trigger append_only before update or delete on rebate_counts
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on rebate_counts
  for each statement execute function forbid_change();

-- A tier that was reached, once. Its terms are those of that moment: a tier that is moved later takes
-- nothing from whoever has reached it.
create table rebate_credits (
  account_id     uuid        not null references wallets,
  campaign_id    text        not null references rebate_campaigns,
  tier           int         not null,
  credit_id      uuid        not null unique, -- UUIDv7: the origin under which its points are posted
  from_minor     bigint      not null check (from_minor > 0),
  present_points bigint      not null check (present_points > 0),
  present_days   int         check (present_days > 0),
  earned_at      timestamptz not null default clock_timestamp(),
  primary key (account_id, campaign_id, tier)
);
create index on rebate_credits (campaign_id);
create trigger append_only before update or delete on rebate_credits
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on rebate_credits
  for each statement execute function forbid_change();

-- What became of it, and why: the order that moved the progress, and from where to where.
create table rebate_credit_steps (
  account_id            uuid        not null,
  campaign_id           text        not null,
  tier                  int         not null,
  step                  int         not null check (step > 0),
  kind                  text        not null check (kind in ('earned', 'taken_back', 'restored')),
  payment_id            uuid        not null,
  progress_before_minor bigint      not null check (progress_before_minor >= 0),
  progress_after_minor  bigint      not null check (progress_after_minor >= 0),
  at                    timestamptz not null default clock_timestamp(),
  primary key (account_id, campaign_id, tier, step),
  foreign key (account_id, campaign_id, tier) references rebate_credits,
  constraint the_first_step_earns check ((step = 1) = (kind = 'earned')),
  constraint steps_go_back_and_forth check ((step % 2 = 0) = (kind = 'taken_back'))
);
create trigger append_only before update or delete on rebate_credit_steps
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on rebate_credit_steps
  for each statement execute function forbid_change();
