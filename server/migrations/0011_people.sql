-- Who a player is by law, what that allows them to spend, and the budget they set themselves.
set local lock_timeout = '5s';

-- One key per person, itself encrypted with a key that is not in the database. Without this row what
-- lies in `people` can be read by nobody, in no copy of it.
create table person_keys (
  account_id  uuid  primary key references accounts,
  key_id      text  not null, -- which key of the configuration wraps it
  wrapped_key bytea not null constraint wrapped_key_is_whole check (length(wrapped_key) = 61)
);
create index on person_keys (key_id);

-- Each column is encrypted for its own place: moved to another column or person, it cannot be opened.
create table people (
  account_id            uuid        primary key references accounts,
  full_name             bytea,
  address               bytea,
  phone                 bytea,
  email                 bytea,
  birthday              bytea,
  identity_number       bytea,
  approval_date         bytea,
  approval_region       bytea,
  -- Keyed hashes, so that a person can be found without being readable.
  phone_index           bytea       constraint phone_index_is_cut check (length(phone_index) = 16),
  identity_number_index bytea       constraint identity_number_index_is_cut check (length(identity_number_index) = 16),
  imported_at           timestamptz not null default now()
);
create index on people (phone_index) where phone_index is not null;
create index on people (identity_number_index) where identity_number_index is not null;

-- Who saw or changed whose data, and when. It outlives the data.
create table person_audits (
  id         bigint      generated always as identity primary key,
  account_id uuid        not null references accounts,
  action     text        not null check (action in ('read', 'found', 'imported', 'shredded')),
  by         text        not null, -- 'player', or an operator's name
  request_id text,                 -- none where an operator was at a shell
  at         timestamptz not null default now()
);
create index on person_audits (account_id, at);
create trigger append_only before update or delete on person_audits
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on person_audits
  for each statement execute function forbid_change();

-- A month's budget for each currency. A raise waits: what is pending holds from its time on.
create table budgets (
  account_id           uuid   not null references accounts,
  currency             text   not null check (currency ~ '^[A-Z]{3}$'),
  amount_minor         bigint constraint budget_is_not_negative check (amount_minor >= 0),
  pending_amount_minor bigint constraint pending_budget_is_not_negative check (pending_amount_minor >= 0),
  pending_from         timestamptz,
  primary key (account_id, currency),
  constraint a_pending_amount_has_a_time check (pending_amount_minor is null or pending_from is not null)
);

-- The rules of the site's region; which ones there are is in the code.
alter table sites add column policy_pack text not null default 'none'
  check (policy_pack ~ '^[a-z0-9][a-z0-9_.-]{0,63}$');

-- What an account has paid lately, and what it is paying right now.
create index orders_paid on orders (account_id, paid_at) where paid_at is not null;
create index orders_being_paid on orders (account_id) where state = 'paying';
