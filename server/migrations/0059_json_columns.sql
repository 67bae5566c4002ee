-- What else operators write in SQL or load from files is checked as it is written, as in 0055: the columns that
-- hold JSON, and the names of rules and methods. Rows of before stay as they are.

create function known_policy_packs() returns text[] language sql immutable
  return array['none', 'china', 'korea'];

create function is_play_urls(urls jsonb) returns boolean language sql immutable
  return jsonb_typeof(urls) = 'object' and urls - array['ios', 'android', 'desktop'] = '{}'
    and not jsonb_path_exists(urls, 'strict $.* ? ((@.type() != "null" && @.type() != "string")
      || (@.type() == "string" && !(@ like_regex "^https?://[^/]+")))', '{}', true);

create function is_countries_of_methods(countries jsonb) returns boolean language sql immutable
  return jsonb_typeof(countries) = 'object' and countries - known_methods() = '{}'
    and not jsonb_path_exists(countries, 'strict $.* ? (@.type() != "array" || @.size() == 0)', '{}', true)
    and not jsonb_path_exists(countries, '$.*[*] ? (@.type() != "string" || !(@ like_regex "^[A-Z]{2}$"))');

create function is_contracts_of_methods(contracts jsonb) returns boolean language sql immutable
  return jsonb_typeof(contracts) = 'object' and contracts - array_remove(known_methods(), 'epoint') = '{}'
    and not jsonb_path_exists(contracts, 'strict $.* ? (@.type() != "string" || @ == "")', '{}', true);

-- By its kind; null in the place of a name is none.
create function is_reward(reward jsonb) returns boolean language sql immutable
  return jsonb_typeof(reward) = 'object' and coalesce(
    case reward ->> 'kind'
      when 'points' then reward - array['kind', 'points', 'days'] = '{}'
        and jsonb_typeof(reward -> 'points') = 'string' and reward ->> 'points' ~ '^[1-9]\d{0,11}$'
      when 'item' then reward - array['kind', 'itemId', 'gameId', 'days'] = '{}'
        and reward ->> 'itemId' ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'
        and coalesce(reward ->> 'gameId', 'none') ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'
      when 'coupon' then reward - array['kind', 'templateId', 'name'] = '{}'
        and reward ->> 'templateId' ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'
        and (not reward ? 'name' or is_shown_text(reward -> 'name'))
    end, false)
    and coalesce(jsonb_typeof(reward -> 'days'), 'null') in ('null', 'number');

alter table sites
  add constraint site_rules_are_known check (policy_pack = any (known_policy_packs())) not valid,
  add constraint site_play_urls_are_addresses check (is_play_urls(play_urls)) not valid,
  add constraint site_method_countries_are_known
    check (is_countries_of_methods(method_countries)) not valid,
  add constraint site_contracts_are_of_methods check (is_contracts_of_methods(contracts)) not valid;
alter table redeem_batches
  add constraint batch_reward_is_whole check (is_reward(reward)) not valid,
  add constraint batch_countries_have_two_letters
    check (array_to_string(countries, ',', '?') ~ '^([A-Z]{2}(,[A-Z]{2})*)?$') not valid,
  add constraint batch_is_at_a_moment check (isfinite(starts_at) and isfinite(ends_at)) not valid;
alter table method_switches
  add constraint switch_is_of_a_method check (method = any (known_methods())) not valid,
  add constraint switch_is_turned_at_a_moment check (isfinite(at)) not valid;

-- A rule that an old row breaks stays not valid: it holds for what is written from now on.
do $$
declare rule record;
begin
  for rule in
    select conrelid::regclass as name, conname from pg_constraint
    where contype = 'c' and not convalidated and conrelid = any (array[
      'sites', 'redeem_batches', 'method_switches']::regclass[])
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
