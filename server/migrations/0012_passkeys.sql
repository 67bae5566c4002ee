-- Passkeys, and sessions that know how lately the player has shown who they are.
set local lock_timeout = '5s';

alter table sessions
  -- When the session was begun with something that only the player has. None where it came by a
  -- ticket or a token: a session can fetch a ticket, and must not make itself new with it.
  add column proven_at timestamptz,
  -- When the player last showed a passkey in this session.
  add column stepped_up_at timestamptz;

create table passkeys (
  id            uuid        primary key,
  account_id    uuid        not null references accounts,
  site_id       text        not null references sites,
  rp_id         text        not null, -- the host name it was made for; browsers offer it nowhere else
  credential_id bytea       not null unique constraint credential_id_is_short check (length(credential_id) between 1 and 1023),
  public_key    bytea       not null, -- a COSE key
  -- Counts the signatures, on devices that count; 0 on all others.
  counter       bigint      not null constraint counter_is_not_negative check (counter >= 0),
  transports    text[]      not null,
  name          text        not null constraint name_is_short check (length(name) between 1 and 60),
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
create index on passkeys (account_id, site_id);
create index on passkeys (site_id);

-- What a device has to sign. The row is deleted when it is used, so that nothing works twice.
create table passkey_challenges (
  challenge_hash bytea       primary key constraint challenge_is_hashed check (length(challenge_hash) = 32),
  purpose        text        not null check (purpose in ('register', 'sign_in', 'step_up')),
  site_id        text        not null references sites,
  -- Hash of the session's token; at sign-in, where there is none, of the browser's cookie.
  holder_hash    bytea       not null constraint holder_is_hashed check (length(holder_hash) = 32),
  expires_at     timestamptz not null
);
create index on passkey_challenges (expires_at);
create index on passkey_challenges (site_id);
