-- Where several accounts share a game account, nobody can say whose points a purchase spends.
do $$
declare
  shared text;
begin
  select string_agg(game_id || ' ' || game_account_id, ', ') into shared from (
    select game_id, game_account_id from game_accounts
    group by game_id, game_account_id having count(*) > 1 order by 1, 2 limit 20
  ) as several;
  if shared is not null then
    raise exception 'Several accounts own the same game account: %', shared
      using hint = 'Delete all rows of game_accounts but one for each of them, then migrate again.';
  end if;
end
$$;
-- next
create unique index concurrently if not exists one_owner on game_accounts (game_id, game_account_id)
-- next
drop index concurrently if exists game_accounts_game_id_game_account_id_idx
-- next
alter table accounts validate constraint origin_is_known
-- next
alter table account_changes validate constraint change_is_known
