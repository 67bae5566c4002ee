-- A platform sells chosen games, and each of them has a look of its own.
set local lock_timeout = '5s';

-- Of a platform only: a site of one game names it itself.
create table site_games (
  site_id  text not null references sites,
  game_id  text not null references games,
  position int  not null,
  primary key (site_id, game_id)
);
create index on site_games (game_id);
create trigger content_changed after insert or update or delete or truncate on site_games
  for each statement execute function note_content_change('sites');

-- Until now a platform sold every game there was. One that exists goes on selling them.
insert into site_games (site_id, game_id, position)
select sites.id, games.id, row_number() over (partition by sites.id order by games.id) - 1
from sites cross join games
where domain_type = 1 and (sites.game_id is null or sites.game_id = games.id);

alter table games
  -- Named tokens, as those of a site.
  add column theme jsonb not null default '{}'
    constraint game_theme_is_an_object check (jsonb_typeof(theme) = 'object');
