-- Sites, games and what they sell. Small tables, read often, written by operators.
set local lock_timeout = '5s';

create table games (
  id       text  primary key check (id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  name     jsonb not null constraint game_name_has_fallback check (name ? 'en-US'),
  subtitle jsonb not null constraint game_subtitle_has_fallback check (subtitle ? 'en-US'),
  api_url  text  not null
);

create table game_servers (
  game_id text     not null references games,
  id      text     not null check (id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  name    jsonb    not null constraint server_name_has_fallback check (name ? 'en-US'),
  region  jsonb    not null constraint server_region_has_fallback check (region ? 'en-US'),
  status  smallint not null default 0 constraint server_is_open_or_in_maintenance check (status in (0, 1)),
  systems text[]   not null constraint server_systems_known check (systems <@ array['ios', 'android']),
  position int     not null,
  primary key (game_id, id)
);

create table item_groups (
  game_id  text  not null references games,
  id       text  not null,
  name     jsonb not null constraint group_name_has_fallback check (name ? 'en-US'),
  position int   not null,
  primary key (game_id, id)
);

create table items (
  id            text    primary key check (id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  game_id       text    not null references games,
  group_id      text    not null,
  sku           text    not null, -- the game's own name for it
  name          jsonb   not null constraint item_name_has_fallback check (name ? 'en-US'),
  unit          jsonb   not null constraint item_unit_has_fallback check (unit ? 'en-US'),
  quantity      bigint  not null check (quantity > 0),
  gift_quantity bigint  not null default 0 check (gift_quantity >= 0),
  tier          text    not null check (tier in ('tide', 'dusk', 'rose', 'sun')),
  badge         text    check (badge in ('popular', 'best_value')),
  art           text    not null,
  systems       text[]  not null default array['ios', 'android']
                        constraint item_systems_known check (systems <@ array['ios', 'android']),
  is_for_sale   boolean not null default true,
  position      int     not null,
  foreign key (game_id, group_id) references item_groups
);
create index on items (game_id, group_id);

create table item_prices (
  item_id      text   not null references items,
  currency     text   not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor bigint not null check (amount_minor > 0),
  primary key (item_id, currency)
);

create table sites (
  id              text     primary key check (id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  domain_type     smallint not null constraint site_is_game_or_platform check (domain_type in (0, 1)),
  title           text     not null,
  brand_id        text     not null,
  portal_url      text     not null, -- where payment providers send players back to
  game_id         text     references games,
  currency        text     not null check (currency ~ '^[A-Z]{3}$'),
  locales         text[]   not null,
  methods         text[]   not null,
  logger_url      text,
  wechat_app_id   text,
  order_minutes   int      not null default 30
                           constraint unpaid_orders_expire_within_three_days check (order_minutes between 1 and 4320),
  constraint game_site_has_a_game check (domain_type = 1 or game_id is not null)
);
create index on sites (game_id);

create table site_hosts (
  host    text primary key check (host = lower(host)),
  site_id text not null references sites
);
create index on site_hosts (site_id);
