-- Codes that players redeem for points or items. What a batch gives, its codes, and who has redeemed
-- which. No code can be read here: of each there is a hash, made with a key that is not in the database.
set local lock_timeout = '5s';

create table redeem_batches (
  id              int         generated always as identity primary key,
  name            text        not null unique check (name ~ '^[a-z0-9][a-z0-9_.-]{0,63}$'),
  -- What one code gives, by its kind. A kind that the shop does not know is never made.
  reward          jsonb       not null,
  code_count      int         not null check (code_count between 1 and 1000000),
  uses_max        int         not null check (uses_max between 1 and 10000000), -- of each code
  per_account_max int         not null check (per_account_max > 0), -- codes of this batch
  site_id         text        references sites, -- every site where it says nothing
  countries       text[]      not null default '{}', -- every country where it names none
  -- From the one moment on and before the other.
  starts_at       timestamptz not null,
  ends_at         timestamptz,
  made_by         text        not null,
  made_at         timestamptz not null default now(),
  stopped_by      text,
  stopped_at      timestamptz,
  constraint batch_ends_after_it_starts check (ends_at > starts_at),
  constraint batch_is_stopped_by_somebody check ((stopped_at is null) = (stopped_by is null)),
  constraint batch_gives_something check (
    case reward ->> 'kind'
      when 'points' then coalesce((reward ->> 'points')::bigint > 0, false)
      else reward ->> 'kind' is not null
    end
  )
);
create index on redeem_batches (site_id);

-- A million of them a batch, so a row is short and nothing is looked up for it: batches are never
-- deleted, and a code of none would be found by nobody. The hash is of a code of at least 64 random bits.
create table redeem_codes (
  code_hash bytea not null primary key constraint code_is_hashed check (length(code_hash) = 16),
  batch_id  int   not null, -- of redeem_batches
  uses      int   not null default 0,
  uses_max  int   not null,
  constraint no_code_is_used_more_often_than_it_may check (uses between 0 and uses_max)
);

-- One use of a code by one account, with the terms it was given by and what was known then.
create table redemptions (
  account_id    uuid        not null references accounts,
  redemption_id uuid        not null, -- UUIDv7: the origin under which its points are posted
  code_hash     bytea       not null references redeem_codes,
  batch_id      int         not null references redeem_batches,
  payment_id    uuid,       -- the order that brings an item
  terms         jsonb       not null,
  at            timestamptz not null default clock_timestamp(),
  primary key (account_id, redemption_id),
  constraint one_use_of_a_code_per_account unique (account_id, code_hash)
);
create index on redemptions (code_hash);
create index on redemptions (batch_id, account_id);
create trigger append_only before update or delete on redemptions
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on redemptions
  for each statement execute function forbid_change();
