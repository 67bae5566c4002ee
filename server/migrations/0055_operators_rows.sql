-- What operators write by hand is checked as it is written. Rows of before stay as they are: one that would
-- be refused now is set aside by whoever reads it, and stops no upgrade.

create function known_currencies() returns text[] language sql immutable
  return array['CNY', 'EUR', 'HKD', 'JPY', 'KRW', 'THB', 'TWD', 'USD', 'VND'];
create function known_locales() returns text[] language sql immutable
  return array['en-US', 'zh-CN', 'zh-HK', 'zh-TW', 'th-TH', 'ko-KR', 'ja-JP', 'vi-VN', 'de-DE'];
create function known_methods() returns text[] language sql immutable
  return array['card', 'paypal', 'wechatpay', 'alipay', 'adyen', 'epoint'];

-- Text by language, in English at least.
create function is_shown_text(text jsonb) returns boolean language sql immutable
  return jsonb_typeof(text) = 'object' and coalesce(text ->> 'en-US', '') ~ '\S'
    and not jsonb_path_exists(text, 'strict $.* ? (@.type() != "string")', '{}', true);

create function is_theme(theme jsonb) returns boolean language sql immutable
  return jsonb_typeof(theme) = 'object'
    and theme - array['accent', 'accentStrong', 'hero', 'logo'] = '{}'
    and coalesce(theme ->> 'accent', '#000000') ~ '^#[\da-f]{6}$'
    and coalesce(theme ->> 'accentStrong', '#000000') ~ '^#[\da-f]{6}$'
    and coalesce(theme ->> 'hero', 'none') ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'
    and coalesce(theme ->> 'logo', 'none') ~ '^[a-z0-9][a-z0-9_.-]{0,63}$';

create function is_web_address(address text) returns boolean language sql immutable
  return address ~ '^https?://[^\s/]+';

-- PostgreSQL says itself which zone it does not know.
create function is_time_zone(zone text) returns boolean language sql immutable
  return timezone(zone, '2000-01-01 00:00:00Z'::timestamptz) is not null;

alter table sites
  add constraint site_currencies_are_known
    check (currency = any (known_currencies()) and other_currencies <@ known_currencies()) not valid,
  add constraint site_locales_are_known check (locales <@ known_locales()) not valid,
  add constraint site_methods_are_known check (methods <@ known_methods()) not valid,
  add constraint site_time_zone_is_known check (is_time_zone(time_zone)) not valid,
  add constraint site_is_on_the_web check (is_web_address(portal_url)) not valid,
  add constraint site_logs_to_an_address
    check (is_web_address(logger_url) or logger_url = '/api/log/collect') not valid,
  add constraint site_brand_is_a_name check (brand_id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$') not valid,
  add constraint site_countries_have_two_letters
    check (array_to_string(countries, ',', '?') ~ '^([A-Z]{2}(,[A-Z]{2})*)?$') not valid,
  add constraint site_theme_is_known check (is_theme(theme)) not valid;
alter table games
  add constraint game_is_on_the_web check (is_web_address(api_url)) not valid,
  add constraint game_has_a_name
    check (is_shown_text(name) and is_shown_text(subtitle)) not valid,
  add constraint game_theme_is_known check (is_theme(theme)) not valid;
alter table game_servers
  add constraint server_has_a_name check (is_shown_text(name) and is_shown_text(region)) not valid;
alter table item_groups
  add constraint group_has_a_name
    check (is_shown_text(name) and id ~ '^[a-z0-9][a-z0-9_.-]{0,63}$') not valid;
alter table items
  add constraint item_has_art check (art ~ '^[a-z0-9][a-z0-9_.-]{0,63}$') not valid,
  add constraint item_has_a_name check (is_shown_text(name) and is_shown_text(unit)) not valid;
alter table point_packs
  add constraint pack_has_art check (art ~ '^[a-z0-9][a-z0-9_.-]{0,63}$') not valid,
  add constraint pack_has_a_name check (is_shown_text(name)) not valid;
alter table price_rules
  add constraint rule_currencies_are_known
    check (currency = any (known_currencies()) and base_currency = any (known_currencies())) not valid;
alter table gift_rules
  add constraint gift_is_given_at_a_moment check (isfinite(starts_at) and isfinite(ends_at)) not valid;
alter table rebate_campaigns
  add constraint campaign_has_a_name check (is_shown_text(name)) not valid,
  add constraint campaign_currency_is_known check (currency = any (known_currencies())) not valid,
  add constraint campaign_is_at_a_moment check (isfinite(starts_at) and isfinite(ends_at)) not valid;
alter table coupon_templates
  add constraint coupon_has_a_name check (is_shown_text(name)) not valid,
  add constraint coupon_currency_is_known check (currency = any (known_currencies())) not valid,
  add constraint coupon_is_used_at_a_moment
    check (isfinite(starts_at) and isfinite(ends_at)) not valid;
alter table bulletins
  add constraint bulletin_texts_are_whole check (
    jsonb_typeof(texts) = 'object' and texts - known_locales() = '{}'
    and not jsonb_path_exists(texts, '$.* ? (!(@.title.type() == "string"
      && @.summary.type() == "string" && @.body.type() == "string"))')) not valid,
  add constraint bulletin_is_shown_at_a_moment
    check (isfinite(publish_from) and isfinite(publish_until)) not valid;
alter table page_versions
  add constraint page_texts_are_whole check (
    jsonb_typeof(texts) = 'object' and texts - known_locales() = '{}'
    and not jsonb_path_exists(texts, '$.* ? (!(@.title.type() == "string"
      && @.body.type() == "string"))')) not valid;

-- A rule that an old row breaks stays not valid: it holds for what is written from now on.
do $$
declare rule record;
begin
  for rule in
    select conrelid::regclass as name, conname from pg_constraint
    where contype = 'c' and not convalidated and conrelid = any (array[
      'sites', 'games', 'game_servers', 'item_groups', 'items', 'point_packs', 'price_rules', 'gift_rules',
      'rebate_campaigns', 'coupon_templates', 'bulletins', 'page_versions']::regclass[])
    order by 1, 2
  loop
    begin
      execute format('alter table %s validate constraint %I', rule.name, rule.conname);
    exception when check_violation or invalid_parameter_value then
      raise warning '% %: %', rule.name, rule.conname, sqlerrm;
    end;
  end loop;
end
$$;
