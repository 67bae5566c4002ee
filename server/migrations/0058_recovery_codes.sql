-- Codes that an account's owner keeps on paper, for when mail and phone are lost. They are random and kept as a keyed
-- hash; each works once.
create table recovery_codes (
  account_id uuid        not null references accounts,
  code_hash  bytea       not null constraint code_is_hashed check (length(code_hash) = 32),
  made_at    timestamptz not null default now(),
  used_at    timestamptz,
  primary key (account_id, code_hash)
);
