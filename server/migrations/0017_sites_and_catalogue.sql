-- What a site looks like and takes, when and how often something is sold, what it costs where, and
-- how every process learns of a change.
set local lock_timeout = '5s';

alter table sites
  -- Named tokens of its look; what is not in it looks as the portal does by itself.
  add column theme jsonb not null default '{}'
    constraint theme_is_an_object check (jsonb_typeof(theme) = 'object'),
  -- Besides its own currency, which is the one that players see first.
  add column other_currencies text[] not null default '{}'
    constraint own_currency_is_no_other_one check (not (currency = any (other_currencies))),
  -- Where it sells; everywhere if it names none.
  add column countries text[] not null default '{}',
  -- Whose prices it shows, where an item has prices by country.
  add column price_country text
    constraint prices_are_of_a_country_it_sells_in
      check (price_country is null or price_country = any (countries)),
  -- Limits by day, week and month begin at midnight here.
  add column time_zone text not null default 'UTC',
  add column privacy_url text constraint privacy_is_on_the_web check (privacy_url ~ '^https?://'),
  add column agreement_url text constraint agreement_is_on_the_web check (agreement_url ~ '^https?://');

-- From the first moment up to the second one, and not at it. An item may be bought so many times by
-- an account or for a role in so long a time.
alter table items
  add column sale_from timestamptz,
  add column sale_until timestamptz,
  add column limit_packs int check (limit_packs > 0),
  add column limit_per text check (limit_per in ('account', 'role')),
  add column limit_period text check (limit_period in ('day', 'week', 'month', 'ever')),
  add constraint item_sale_ends_after_it_begins check (sale_from < sale_until),
  add constraint item_limit_is_whole check (num_nulls(limit_packs, limit_per, limit_period) in (0, 3));
alter table point_packs
  add column sale_from timestamptz,
  add column sale_until timestamptz,
  add column limit_packs int check (limit_packs > 0),
  -- Points go to the account: there is no role to count for.
  add column limit_per text check (limit_per = 'account'),
  add column limit_period text check (limit_period in ('day', 'week', 'month', 'ever')),
  add constraint pack_sale_ends_after_it_begins check (sale_from < sale_until),
  add constraint pack_limit_is_whole check (num_nulls(limit_packs, limit_per, limit_period) in (0, 3));

-- A price can be of one country; '*' is any other.
alter table item_prices
  add column country text not null default '*' check (country ~ '^([A-Z]{2}|\*)$'),
  drop constraint item_prices_pkey,
  add primary key (item_id, currency, country);
alter table point_pack_prices
  add column country text not null default '*' check (country ~ '^([A-Z]{2}|\*)$'),
  drop constraint point_pack_prices_pkey,
  add primary key (pack_id, currency, country);

-- Makes a price in one currency out of the one in another, for whatever has no price of its own:
-- the base times the rate, both in smallest units, brought to one of the points, and above the last
-- of them to a multiple of the step.
create table price_rules (
  currency         text     not null check (currency ~ '^[A-Z]{3}$'),
  country          text     not null default '*' check (country ~ '^([A-Z]{2}|\*)$'),
  base_currency    text     not null check (base_currency ~ '^[A-Z]{3}$'),
  rate_numerator   bigint   not null check (rate_numerator > 0),
  rate_denominator bigint   not null check (rate_denominator > 0),
  price_points     bigint[] not null default '{}' constraint points_cost_something check (0 < all (price_points)),
  step_minor       bigint   not null default 1 check (step_minor > 0),
  rounding         text     not null default 'nearest' check (rounding in ('up', 'nearest', 'down')),
  primary key (currency, country),
  constraint rule_leads_somewhere check (currency <> base_currency or country <> '*')
);

-- How much of a limit is used up, in one window of time. Counted when the order is placed.
create table purchase_counters (
  account_id uuid not null references accounts,
  goods      text not null, -- item:<id> or points:<id>
  holder     text not null, -- a role as <server>/<role>, or nothing for the account itself
  span       text not null, -- a day as day:2026-11-15, and likewise a week, a month, or ever
  packs      int  not null constraint no_less_than_nothing_is_bought check (packs >= 0),
  primary key (account_id, goods, holder, span)
);

-- What one order has taken of it, so that it can be given back once, and taken again by late money.
create table purchase_holds (
  account_id  uuid    not null,
  payment_id  uuid    not null,
  goods       text    not null,
  holder      text    not null,
  span        text    not null,
  packs       int     not null check (packs > 0),
  packs_max   int     not null check (packs_max > 0),
  is_released boolean not null default false,
  primary key (account_id, payment_id),
  foreign key (account_id, payment_id) references orders
) partition by range (payment_id);
create table purchase_holds_default partition of purchase_holds default;
select ensure_month_partitions('purchase_holds', 2);

-- Every process keeps this in memory. The version says whether what it keeps is still true, and the
-- notice says it at once; a process that missed the notice finds the version.
create table content_versions (
  topic   text   primary key,
  version bigint not null default 1
);
insert into content_versions (topic) values ('catalogue'), ('sites');

create function note_content_change() returns trigger language plpgsql as $$
begin
  update content_versions set version = version + 1 where topic = tg_argv[0];
  perform pg_notify('content_changed', tg_argv[0]);
  return null;
end
$$;

create trigger content_changed after insert or update or delete or truncate on games
  for each statement execute function note_content_change('catalogue');
create trigger content_changed after insert or update or delete or truncate on game_servers
  for each statement execute function note_content_change('catalogue');
create trigger content_changed after insert or update or delete or truncate on item_groups
  for each statement execute function note_content_change('catalogue');
create trigger content_changed after insert or update or delete or truncate on items
  for each statement execute function note_content_change('catalogue');
create trigger content_changed after insert or update or delete or truncate on item_prices
  for each statement execute function note_content_change('catalogue');
create trigger content_changed after insert or update or delete or truncate on point_packs
  for each statement execute function note_content_change('catalogue');
create trigger content_changed after insert or update or delete or truncate on point_pack_prices
  for each statement execute function note_content_change('catalogue');
create trigger content_changed after insert or update or delete or truncate on price_rules
  for each statement execute function note_content_change('catalogue');
create trigger content_changed after insert or update or delete or truncate on sites
  for each statement execute function note_content_change('sites');
create trigger content_changed after insert or update or delete or truncate on site_hosts
  for each statement execute function note_content_change('sites');
