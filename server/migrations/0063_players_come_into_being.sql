-- A game may state that its players need no account beforehand: its signed arrivals make one. A game account has one
-- owner, which the next file enforces.
alter table games
  add column arrival text not null default 'known_only'
    constraint arrival_is_known check (arrival in ('known_only', 'create')),
  add column new_players_per_minute int not null default 6000
    constraint new_players_are_limited check (new_players_per_minute between 1 and 1000000);

-- How the account came into being; 'before' are those from before this column.
alter table accounts add column origin text not null default 'before';
alter table accounts add constraint origin_is_known
  check (origin in ('before', 'operator', 'arrival', 'import')) not valid;

-- Whose word the binding rests on: 'game', 'import', or the name of an operator.
alter table game_accounts add column bound_by text not null default 'before';

-- Game accounts that had another owner before. First purchases and new accounts are counted by them as well.
create table former_game_accounts (
  id              uuid        primary key,
  account_id      uuid        not null references accounts,
  game_id         text        not null references games,
  game_account_id text        not null,
  bound_at        timestamptz not null,
  bound_by        text        not null,
  released_at     timestamptz not null default now(),
  released_by     text        not null check (released_by <> ''),
  reason          text        not null check (reason <> '')
);
create index on former_game_accounts (account_id);
create index on former_game_accounts (game_id, game_account_id);

alter table account_changes drop constraint account_changes_change_check;
alter table account_changes add constraint change_is_known check (change in
  ('suspended', 'reinstated', 'signed_out', 'leaving', 'kept', 'erased', 'bound', 'released')) not valid;
