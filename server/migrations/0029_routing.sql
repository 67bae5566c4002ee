-- Which methods a player sees: countries of a method at a site, and what operators switch off.
set local lock_timeout = '5s';

-- By method, where it is offered; a method that is not named is offered wherever the site sells.
alter table sites
  add column method_countries jsonb not null default '{}'
    constraint method_countries_is_an_object check (jsonb_typeof(method_countries) = 'object');

-- Every turn of a switch, for good. The last one of a method counts, at one site or everywhere. What is
-- off in either way is off.
create table method_switches (
  id      uuid        primary key,
  method  text        not null,
  site_id text        references sites, -- everywhere, where it says nothing
  is_on   boolean     not null,
  by      text        not null,
  reason  text        not null,
  at      timestamptz not null
);
create index on method_switches (site_id, method, at desc);
create trigger append_only before update or delete or truncate on method_switches
  for each statement execute function forbid_change();
