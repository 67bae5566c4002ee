-- Fees, payouts and whatever else a provider books without a player: a ledger of its own, because a
-- transfer of a player leads with the player's account, and a payout has none.

-- A row is a line of a provider's file, with both its sides, so half an entry cannot be written. The key
-- is what the line is: a file that is read again is posted once. The day leads, so a month is one range of
-- the key and new rows go to its end; nothing is ever taken out, so there is no table for each month.
create table house_transfers (
  day          date        not null, -- the provider's, in UTC
  psp          text        not null,
  line_id      text        not null,
  debit_book   text        not null,
  credit_book  text        not null,
  unit         text        not null constraint house_transfers_are_in_a_currency check (unit ~ '^[A-Z]{3}$'),
  amount_minor bigint      not null constraint house_transfer_moves_a_positive_amount check (amount_minor > 0),
  at           timestamptz not null,
  created_at   timestamptz not null default now(),
  primary key (day, psp, line_id),
  constraint house_books_are_known check (
    'house:psp' in (debit_book, credit_book)
    and case debit_book when 'house:psp' then credit_book else debit_book end in (
      'house:fees', 'house:chargeback_fees', 'house:bank', 'house:exchange', 'house:adjustments'))
);
-- A line is posted once, whatever day it is said to be of.
create unique index house_transfers_by_line on house_transfers (psp, line_id);
create trigger append_only before update or delete on house_transfers
  for each row execute function forbid_change();
create trigger append_only_whole before truncate on house_transfers
  for each statement execute function forbid_change();

-- Lines that move the provider's balance and are of no payment by themselves.
alter table settlement_lines
  drop constraint settlement_lines_kind_check,
  add constraint line_kinds_are_known check (kind in (
    'capture', 'refund', 'dispute', 'fee', 'dispute_fee', 'payout', 'exchange', 'adjustment', 'other')) not valid;

-- With which contract the money of a transfer lies. Attempts say so too, but leave with their month.
alter table ledger_transfers add column psp text;
