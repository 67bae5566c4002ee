-- A player with several game accounts arrives for one of them, and tops up that one.
set local lock_timeout = '5s';

alter table sessions
  -- The game account that the player came with, by ticket or token. Without one it is the first that
  -- was bound.
  add column game_id text,
  add column game_account_id text,
  add constraint game_account_is_named_whole check ((game_id is null) = (game_account_id is null)),
  -- One that is taken from the player leaves the session as one without.
  add constraint sessions_game_account_fkey
    foreign key (account_id, game_id, game_account_id) references game_accounts
    on delete set null (game_id, game_account_id);
create index on sessions (account_id, game_id, game_account_id);

-- Whose role it is: that of one game account is of no use to another. Null is from before this.
alter table character_choices add column game_account_id text;
