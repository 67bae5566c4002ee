-- Secrets that are shared with games and payment providers, each sealed under a key of MASTER_KEYS for its owner, name
-- and version. A retired secret is erased; its row says who set it and when.
create table secrets (
  owner   text        not null constraint owner_is_a_kind_and_an_id check (owner ~ '^[a-z]+:[A-Za-z0-9][A-Za-z0-9_.-]{0,63}$'),
  name    text        not null constraint name_is_plain check (name ~ '^[a-z][a-z-]{0,31}$'),
  version int         not null constraint versions_count_from_one check (version > 0),
  state   text        not null check (state in ('current', 'next', 'retired')),
  key_id  text,
  sealed  bytea,
  set_by  text        not null check (set_by <> ''),
  set_at  timestamptz not null,
  primary key (owner, name, version),
  constraint only_retired_ones_are_erased check (num_nonnulls(key_id, sealed) = case state when 'retired' then 0 else 2 end)
);
create unique index one_current_secret on secrets (owner, name) where state = 'current';
create unique index one_next_secret on secrets (owner, name) where state = 'next';

insert into content_versions (topic) values ('secrets');
create trigger content_changed after insert or update or delete or truncate on secrets
  for each statement execute function note_content_change('secrets');
