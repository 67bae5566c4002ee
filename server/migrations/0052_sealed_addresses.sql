-- A mail address or phone by which an account is signed in to, so that the shop can write to its owner. Each row
-- has a key of its own, itself encrypted with a key that is not in the database.
create table account_addresses (
  id             uuid        primary key,
  account_id     uuid        not null references accounts,
  account_type   text        not null check (account_type in ('EMAIL', 'MOBILE')),
  subject        text        not null -- as in identities
                 constraint subject_is_hashed check (subject ~ '^[A-Za-z0-9_-]{43}$'),
  key_id         text        not null, -- which key of the configuration wraps it
  wrapped_key    bytea       not null constraint wrapped_key_is_whole check (length(wrapped_key) = 61),
  sealed_address bytea       not null,
  locale         text        not null constraint locale_is_one check (locale ~ '^[a-z]{2}-[A-Z]{2}$'),
  created_at     timestamptz not null default now(),
  left_at        timestamptz, -- since when it is no way in any more
  unique (account_id, account_type, subject)
);
create index on account_addresses (key_id);
create index on account_addresses (left_at) where left_at is not null;
