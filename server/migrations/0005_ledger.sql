-- One row holds both sides of a transfer, so the books balance by construction: half a transfer
-- cannot be written. A book is named; 'player:…' books are kept per account, the others belong to
-- the house. No book keeps a running balance here, so no row is touched by every order.
set local lock_timeout = '5s';

create table ledger_transfers (
  account_id   uuid        not null references accounts, -- the player on whose behalf money moves
  origin_id    uuid        not null, -- UUIDv7 of what caused it, an order's payment id for example
  posting      text        not null, -- made by the caller: a retry is not a second transfer
  debit_book   text        not null,
  credit_book  text        not null,
  unit         text        not null, -- a currency's code
  amount_minor bigint      not null constraint transfer_moves_a_positive_amount check (amount_minor > 0),
  created_at   timestamptz not null default now(),
  primary key (account_id, origin_id, posting),
  constraint transfer_moves_between_two_books check (debit_book <> credit_book),
  constraint books_are_known check (
    debit_book in ('house:psp', 'house:sales', 'player:deposit')
    and credit_book in ('house:psp', 'house:sales', 'player:deposit')
  )
) partition by range (origin_id);
create table ledger_transfers_default partition of ledger_transfers default;
create trigger append_only before update or delete on ledger_transfers
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on ledger_transfers
  for each statement execute function forbid_change();
create trigger append_only_whole before truncate on ledger_transfers_default
  for each statement execute function forbid_change();
select ensure_month_partitions('ledger_transfers', 2);
