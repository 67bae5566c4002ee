-- Players and how they prove who they are. Account id leads every key that a request touches.
set local lock_timeout = '5s';

create table accounts (
  id           uuid        primary key,
  account_type text        not null check (account_type in
                 ('MOBILE', 'EMAIL', 'ACCOUNT', 'FACEBOOK', 'GOOGLE_PLAY_GAME', 'APPLE_SIGN_IN', 'WECHAT')),
  display_name text        not null,
  created_at   timestamptz not null default now()
);

-- The directory: from what a player types or a provider vouches for, to the account.
create table identities (
  account_type  text not null,
  subject       text not null, -- the login name in lower case, a phone number, a provider's user id
  account_id    uuid not null references accounts,
  password_hash text,          -- Argon2id in PHC form; none where somebody else checks the password
  primary key (account_type, subject)
);
create index on identities (account_id);

create table game_accounts (
  account_id      uuid        not null references accounts,
  game_id         text        not null references games,
  game_account_id text        not null,
  bound_at        timestamptz not null default now(),
  primary key (account_id, game_id, game_account_id)
);
create index on game_accounts (game_id, game_account_id);

-- One live session per account and site: signing in replaces the row, so the older device's token
-- no longer matches and its next call answers 203.
create table sessions (
  account_id   uuid        not null references accounts,
  site_id      text        not null references sites,
  token_hash   bytea       not null constraint token_is_hashed check (length(token_hash) = 32),
  created_at   timestamptz not null default now(),
  expires_at   timestamptz not null,
  primary key (account_id, site_id)
);
create index on sessions (site_id);

-- Encrypted bodies that were used once. PostgreSQL and not Redis, because forgetting one would let
-- it be replayed; the worker deletes what is too old to be accepted anyway.
create table used_envelopes (
  jti        uuid        primary key,
  expires_at timestamptz not null
);
create index on used_envelopes (expires_at);

create table character_choices (
  account_id uuid        not null references accounts,
  game_id    text        not null references games,
  server_id  text        not null,
  role_id    text        not null,
  role_name  text        not null,
  role_level int         not null,
  chosen_at  timestamptz not null default now(),
  primary key (account_id, game_id),
  foreign key (game_id, server_id) references game_servers
);
create index on character_choices (game_id, server_id);
