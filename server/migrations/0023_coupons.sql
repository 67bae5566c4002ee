-- Coupons: what one takes off and for what, who was given one, and which order uses it.
set local lock_timeout = '5s';

-- Nothing of it ever changes: players were promised these terms. Other terms are another template.
create table coupon_templates (
  id              text        primary key check (id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  name            jsonb       not null constraint coupon_has_a_name_in_every_language check (name ?& array[
                                'en-US', 'zh-CN', 'zh-HK', 'zh-TW', 'th-TH', 'ko-KR', 'ja-JP', 'vi-VN', 'de-DE']),
  -- One of the two: a share of the price in hundredths of a percent, or an amount.
  basis_points    int         check (basis_points between 1 and 10000),
  amount_minor    bigint      check (amount_minor > 0),
  -- What all amounts here are in, and then the only currency it is for; any where it says nothing.
  currency        text        check (currency ~ '^[A-Z]{3}$'),
  cap_minor       bigint      check (cap_minor > 0),     -- a share is never more than this
  minimum_minor   bigint      check (minimum_minor > 0), -- what the order has to cost without it
  -- What it is for. What says nothing lets everything in.
  site_ids        text[]      check (cardinality(site_ids) > 0),
  kind            text        check (kind in ('item', 'points')),
  game_ids        text[]      check (cardinality(game_ids) > 0),
  item_ids        text[]      check (cardinality(item_ids) > 0), -- of its kind: items, or E Point packs
  -- From the one moment on and before the other.
  starts_at       timestamptz not null,
  ends_at         timestamptz,
  live_days       int         check (live_days between 1 and 3650), -- after it was given and has started
  per_account_max int         not null check (per_account_max > 0),
  loaded_by       text        not null,
  loaded_at       timestamptz not null default now(),
  constraint coupon_takes_off_a_share_or_an_amount check (num_nonnulls(basis_points, amount_minor) = 1),
  constraint coupon_amounts_have_a_currency
    check (currency is not null or num_nonnulls(amount_minor, cap_minor, minimum_minor) = 0),
  constraint only_a_share_has_a_cap check (cap_minor is null or basis_points is not null),
  constraint coupon_ends_after_it_starts check (ends_at > starts_at),
  constraint points_are_of_no_game check (game_ids is null or (kind is not null and kind = 'item')),
  constraint coupon_items_are_of_a_kind check (item_ids is null or kind is not null)
);
create trigger append_only before update or delete on coupon_templates
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on coupon_templates
  for each statement execute function forbid_change();

-- What an operator gave out at once, under a key of their own: the same key again gives nothing twice.
create table coupon_issues (
  key         text        primary key check (key ~ '^[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  template_id text        not null references coupon_templates,
  issued_by   text        not null,
  at          timestamptz not null default now()
);
create index on coupon_issues (template_id);
create trigger append_only before update or delete on coupon_issues
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on coupon_issues
  for each statement execute function forbid_change();

-- A coupon of an account. Whether it is used is said by the orders that held it.
create table coupons (
  account_id  uuid        not null references accounts,
  coupon_id   uuid        not null,
  template_id text        not null references coupon_templates,
  nth         int         not null check (nth > 0), -- of those this account got of this template
  source      text        not null check (length(source) between 1 and 200), -- gives it once
  issued_at   timestamptz not null default now(),
  expires_at  timestamptz,
  primary key (account_id, coupon_id),
  unique (account_id, template_id, nth),
  unique (account_id, template_id, source)
);
create index on coupons (template_id);
create trigger append_only before update or delete on coupons
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on coupons
  for each statement execute function forbid_change();

-- Which order holds which coupon, and has held it. Orders are put away when they are old; this stays,
-- or their coupons could be used again.
create table coupon_uses (
  account_id  uuid        not null,
  payment_id  uuid        not null,
  coupon_id   uuid        not null,
  held_at     timestamptz not null default now(),
  released_at timestamptz,
  primary key (account_id, payment_id),
  foreign key (account_id, coupon_id) references coupons
);
create unique index one_order_per_coupon on coupon_uses (account_id, coupon_id) where released_at is null;
create index on coupon_uses (account_id, coupon_id);
