-- The stage of this database, written once by `migrate`. Play money and real money never share a database, so every
-- program refuses a database of another stage than its own.
create table installation (
  is_only boolean primary key default true constraint installation_is_one check (is_only),
  stage text not null
    constraint stage_is_known check (stage in ('development', 'rehearsal', 'production')),
  stamped_at timestamptz not null default now()
);

create trigger append_only before update or delete on installation
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on installation
  for each statement execute function forbid_change();
