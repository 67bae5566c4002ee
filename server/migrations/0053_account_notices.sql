-- What an account's owner is told by mail, and may undo for some days. Whoever has the mail has the link: it is made
-- from the id of the row and a key that is not in the database.
create table account_notices (
  id         uuid        primary key,
  account_id uuid        not null references accounts,
  site_id    text        not null references sites, -- where it happened
  address_id uuid        not null references account_addresses on delete cascade,
  event      text        not null check (event in ('passkey_added', 'passkey_removed', 'password_reset')),
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  used_at    timestamptz -- by its link, or by that of an earlier notice
);
create index on account_notices (account_id, created_at);
create index on account_notices (site_id);
create index on account_notices (address_id);
create index on account_notices (expires_at);

-- When a code last set a new password. For some days after that real-name data need a passkey that is older.
alter table accounts add column reset_at timestamptz;
alter table sessions add column stepped_up_with uuid; -- the passkey that was shown
alter table passkeys add column kept_at timestamptz; -- when the owner said, after such a code, that it is theirs

-- The question to an owner, after a new password by code, which passkeys somebody else has added.
create table passkey_reviews (
  token_hash bytea       primary key constraint token_is_hashed check (length(token_hash) = 32),
  account_id uuid        not null references accounts,
  expires_at timestamptz not null
);
create index on passkey_reviews (account_id);
create index on passkey_reviews (expires_at);
