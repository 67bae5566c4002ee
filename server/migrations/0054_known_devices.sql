-- Browsers that an account has been signed in with, by a cookie of their own. Whoever has that cookie is no
-- stranger to the account, wherever they are and whoever else is guessing its password.
create table known_devices (
  account_id  uuid        not null references accounts,
  device_hash bytea       not null constraint device_is_hashed check (length(device_hash) = 32),
  last_at     timestamptz not null,
  primary key (account_id, device_hash)
);
create index on known_devices (last_at);
