-- Whether an account may sign in, and every change of that with who made it and why.
alter table accounts add column state text not null default 'open';
alter table accounts add constraint account_state_is_known
  check (state in ('open', 'suspended', 'leaving', 'erased')) not valid;

create table account_changes (
  id         uuid        primary key,
  account_id uuid        not null references accounts,
  change     text        not null check (change in
               ('suspended', 'reinstated', 'signed_out', 'leaving', 'kept', 'erased')),
  by         text        not null check (by <> ''),
  reason     text        check (reason <> ''),
  at         timestamptz not null default now()
);
create index account_changes_of_account on account_changes (account_id, at);
create trigger append_only before update or delete on account_changes
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on account_changes
  for each statement execute function forbid_change();
