-- Which contract with a provider a site is paid through, where the publisher has more than one.
set local lock_timeout = '5s';

-- By method, the contract's name; a method that is not named goes through the one that is called as its
-- provider is.
alter table sites
  add column contracts jsonb not null default '{}'
    constraint contracts_is_an_object check (jsonb_typeof(contracts) = 'object');

-- Every change by an operator, for good: it decides into whose account money goes.
create table contract_changes (
  id       uuid        primary key,
  site_id  text        not null references sites,
  method   text        not null,
  contract text, -- the provider's own, where it says nothing
  by       text        not null,
  reason   text        not null,
  at       timestamptz not null
);
create index on contract_changes (site_id, method, at desc);
create trigger append_only before update or delete or truncate on contract_changes
  for each statement execute function forbid_change();
