-- Codes by message, limits over time, and which ways of signing in a site offers.
set local lock_timeout = '5s';

-- A new site needs no provider for this one; what else it offers, the operator turns on.
alter table sites
  add column login_methods text[] not null default array['LOGIN_NAME_PASSWD_AUTH'],
  add constraint login_methods_are_known check (login_methods <@ array[
    'MOBILE_AUTH', 'MOBILE_PASSWORD_AUTH', 'EMAIL_PASSWORD_AUTH', 'LOGIN_NAME_PASSWD_AUTH',
    'FACEBOOK_AUTH', 'GOOGLE_PLAY_GAMES_AUTH', 'APPLE_SIGN_IN_AUTH', 'WECHAT_AUTH']);

-- How often something happened within a window that began with its first time. In PostgreSQL and
-- not in Redis: a limit that guards money or identity must not be forgotten with a cache.
create table limit_counters (
  key     text        primary key,
  count   int         not null constraint count_is_not_negative check (count >= 0),
  ends_at timestamptz not null
);
create index on limit_counters (ends_at);

-- One live code for a purpose and a target: a new one replaces the older. Neither the code nor whom
-- it was sent to can be read here; both are hashed with a key that is not in the database.
create table codes (
  purpose     text        not null check (purpose in
                ('phone_foreign', 'phone_internal', 'password_forget_email', 'password_forget_phone')),
  target_hash bytea       not null constraint target_is_hashed check (length(target_hash) = 32),
  code_hash   bytea       not null constraint code_is_hashed check (length(code_hash) = 32),
  tries       int         not null default 0 constraint tries_are_few check (tries between 0 and 5),
  expires_at  timestamptz not null,
  primary key (purpose, target_hash)
);
create index on codes (expires_at);

-- Proofs of a human that were used once; a proof can be checked any number of times, so using it is
-- what has to be remembered.
create table used_proofs (
  nonce      text        primary key,
  expires_at timestamptz not null
);
create index on used_proofs (expires_at);

-- From where an account has been signed in to. Its player is let in from there while somebody else
-- is guessing the password from elsewhere.
create table known_networks (
  account_id uuid        not null references accounts,
  network    cidr        not null,
  last_at    timestamptz not null,
  primary key (account_id, network)
);
create index on known_networks (last_at);
